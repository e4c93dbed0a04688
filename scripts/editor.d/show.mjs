// Shows drafts to the editors and themes of the lab's sites.
//
//   node show.mjs LAB_JSON ONCEPRESS VERSIONS FILE...
//
// Each draft is a line with what was counted in it, each fault a line that begins with FAULT.
// The rule to keep: what is waited for is a state of the editor or of the page, never a time.

import fs from "node:fs";
import path from "node:path";
import { chromium } from "playwright-core";

import { pushDrafts, brokenDraft } from "./drafts.mjs";
import { judgeEditor } from "./editor.mjs";
import { judgePage } from "./page.mjs";
import { picture } from "./picture.mjs";

/** A login of the lab's users (scripts/lab.d/install.php). */
const PASSWORD = "oncepress";
/** How long one state is waited for; the machine may be busy. */
const WAIT_MS = 120_000;
const FLAGS = [
  "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
  "--disable-background-networking", "--disable-component-update", "--disable-sync",
];

/** Other hosts can't be reached: their images are ours, and all else of theirs is nothing. */
async function closeTheWorld(context, site) {
  const own = new URL(site.url).origin;
  await context.route((url) => url.origin !== own && url.protocol.startsWith("http"), (route) =>
    route.request().resourceType() === "image"
      ? route.fulfill({ contentType: "image/png", body: picture(320, 180, 7) })
      : route.abort());
}

async function logIn(page, site) {
  await page.goto(`${site.url}/wp-login.php`);
  await page.fill("#user_login", "admin");
  await page.fill("#user_pass", PASSWORD);
  await page.click("#wp-submit");
  await page.waitForURL(/wp-admin/);
}

/** The faults of one draft, in words. */
async function judge(page, site, draft, folder) {
  const file = (what) => path.join(folder, `${draft.name}-${what}.png`);
  const editor = await judgeEditor(page, site, draft, file("editor"));
  const view = await judgePage(page, site, draft, file("page"));
  console.log(
    `  ${draft.name}: ${editor.blocks} blocks, ${editor.classic} of the old editor, ` +
    `${view.images} images${editor.changed ? "; the editor would save another form" : ""}`,
  );
  return [...editor.faults, ...view.faults];
}

/** The sorts of fault that the broken draft has. */
const SORTS = ["invalid block", "notice in the editor", "image that does not load", "local path"];

async function showSite(browser, site, oncepress, files) {
  console.log(`== WordPress ${site.full_version}`);
  const folder = path.join(import.meta.dirname, site.version);
  fs.rmSync(folder, { recursive: true, force: true });
  fs.mkdirSync(folder, { recursive: true });
  const { drafts, faults } = pushDrafts(site, oncepress, files, folder);
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 } });
  context.setDefaultTimeout(WAIT_MS);
  await closeTheWorld(context, site);
  const page = await context.newPage();
  await logIn(page, site);
  for (const draft of drafts) {
    faults.push(...(await judge(page, site, draft, folder)).map((f) => `${draft.name}: ${f}`));
  }
  const noticed = await judge(page, site, await brokenDraft(site), folder);
  for (const sort of SORTS) {
    const is = noticed.some((fault) => fault.startsWith(sort));
    if (!is) faults.push(`broken: this fault was not noticed: ${sort}`);
  }
  console.log(noticed.map((fault) => `    noticed: ${fault.split("\n")[0]}`).join("\n"));
  await context.close();
  return faults.map((fault) => `FAULT ${site.version} ${fault}`);
}

const [labJson, oncepress, versions, ...files] = process.argv.slice(2);
const { sites } = JSON.parse(fs.readFileSync(labJson, "utf8"));
const browser = await chromium.launch({ executablePath: "/usr/bin/chromium", args: FLAGS });
const faults = [];
for (const version of versions.split(",")) {
  const site = sites.find((one) => one.version === version);
  if (!site) throw new Error(`the lab has no site ${version}`);
  faults.push(...(await showSite(browser, site, oncepress, files)));
}
await browser.close();
for (const fault of faults) console.log(fault);
console.log(`${faults.length} faults; screenshots are in ${import.meta.dirname}`);
process.exit(faults.length === 0 ? 0 : 1);
