// Opens a draft as the theme shows it and judges its images and addresses.

/** What is wrong with the page's images, once each has loaded or has failed to. */
async function readImages() {
  const images = [...document.querySelectorAll("img")];
  for (const image of images) image.loading = "eager";
  await Promise.all(images.map((image) => image.decode().catch(() => {})));
  return {
    count: images.length,
    dead: images.filter((image) => image.naturalWidth === 0).map((image) => image.outerHTML),
  };
}

/** Addresses that mean a file beside the article, or on a disk. */
function readLocal() {
  const anywhere = /^([a-z][a-z0-9+.-]*:|\/\/|#|$)/i;
  const local = (address) => !anywhere.test(address) || /^file:/i.test(address);
  const text = document.querySelector(".entry-content, .wp-block-post-content") ?? document.body;
  const found = [];
  for (const name of ["src", "href", "poster"]) {
    for (const one of text.querySelectorAll(`[${name}]`)) {
      if (local(one.getAttribute(name))) found.push(`${name}="${one.getAttribute(name)}"`);
    }
  }
  for (const one of text.querySelectorAll("[srcset]")) {
    for (const candidate of one.getAttribute("srcset").split(/,\s+/)) {
      const address = candidate.trim().split(/\s+/)[0];
      if (local(address)) found.push(`srcset="${address}"`);
    }
  }
  return found;
}

/** Judges one draft and leaves a picture of it. */
export async function judgePage(page, site, draft, screenshot) {
  await page.setViewportSize({ width: 1280, height: 900 });
  const answer = await page.goto(`${site.url}/?p=${draft.id}&preview=true`);
  const { count, dead } = await page.evaluate(readImages);
  const local = await page.evaluate(readLocal);
  await page.screenshot({ path: screenshot, fullPage: true });
  const faults = dead.map((image) => `image that does not load: ${image}`);
  faults.push(...local.map((address) => `local path left: ${address}`));
  if (answer.status() !== 200) faults.push(`the page answers ${answer.status()}`);
  return { images: count, faults };
}
