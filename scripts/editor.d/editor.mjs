// Opens a draft in the editor and judges its blocks, by what the editor knows of them and by
// what it shows.

/** The frame that holds the text: the page itself, or on later versions a frame in it. */
async function canvas(page) {
  const handle = await page.$('iframe[name="editor-canvas"]');
  return (await handle?.contentFrame()) ?? page.mainFrame();
}

/** Until the editor has this post and its blocks. */
async function waitForEditor(page, id) {
  await page.waitForFunction((id) => {
    const select = window.wp?.data?.select;
    const editor = select?.("core/editor");
    return editor?.getCurrentPostId?.() === id &&
      (editor.__unstableIsEditorReady?.() ?? true) &&
      select("core/block-editor").getBlocks().length > 0;
  }, id);
  await page.evaluate(() => {
    const { dispatch } = window.wp.data;
    for (const scope of ["core/edit-post", "core"]) {
      dispatch("core/preferences").set(scope, "welcomeGuide", false);
      dispatch("core/preferences").set(scope, "fullscreenMode", true);
    }
  });
  await page.waitForSelector(".components-modal__screen-overlay", { state: "detached" });
}

/** What the editor's store says of each block. */
function readBlocks() {
  const { select } = window.wp.data;
  const found = [];
  const walk = (blocks) => {
    for (const block of blocks) {
      found.push({
        id: block.clientId,
        name: block.name,
        valid: block.isValid && block.name !== "core/missing",
        content: (block.originalContent ?? "").trim().slice(0, 400),
        why: (block.validationIssues ?? [])
          .map((issue) => issue.args.map((a) => (typeof a === "string" ? a : "")).join(" "))
          .join("\n    ").slice(0, 400),
      });
      walk(block.innerBlocks);
    }
  };
  const blocks = select("core/block-editor").getBlocks();
  walk(blocks);
  const stored = select("core/editor").getCurrentPost().content;
  return {
    found,
    top: blocks.map((block) => block.clientId),
    changed: window.wp.blocks.serialize(blocks).trim() !== stored.trim(),
  };
}

/** The editor draws what is far from the window late, so the window is made as high as it. */
async function showAll(page, frame, top) {
  await frame.waitForFunction(
    (ids) => ids.every((id) => document.querySelector(`[data-block="${id}"]`)), top);
  const height = await frame.evaluate(() => {
    const inner = document.querySelector(".interface-interface-skeleton__content, .edit-post-visual-editor");
    return Math.max(document.body.scrollHeight, ...[...document.querySelectorAll("*")]
      .filter((one) => inner && one.clientHeight > 300).map((one) => one.scrollHeight));
  });
  await page.setViewportSize({ width: 1280, height: Math.min(Math.max(height + 250, 900), 9000) });
}

/** Judges one draft and leaves a picture of it. */
export async function judgeEditor(page, site, draft, screenshot) {
  await page.setViewportSize({ width: 1280, height: 900 });
  await page.goto(`${site.url}/wp-admin/post.php?post=${draft.id}&action=edit`);
  await waitForEditor(page, draft.id);
  const { found, top, changed } = await page.evaluate(readBlocks);
  const frame = await canvas(page);
  await showAll(page, frame, top);
  const warnings = await frame.$$eval(".block-editor-warning", (all) => all.map((one) => one.innerText));
  await page.screenshot({ path: screenshot });
  const faults = found.filter((block) => !block.valid).map((block) =>
    `invalid block ${block.name}\n    ${block.content}\n    ${block.why}`);
  faults.push(...warnings.map((text) => `notice in the editor: ${text.replaceAll("\n", " ")}`));
  const classic = found.filter((block) => block.name === "core/freeform").length;
  return { blocks: found.length, classic, changed, faults };
}
