// Judges files of blocks by the editor's own scripts of one WordPress.
//
//   node judge.js SCRIPTS FILE...
//
// SCRIPTS lists the scripts in their order (editor-scripts.php prints them). Each block is
// printed with its verdict; the status is 1 if one is invalid, if text stands outside of all
// blocks, or if nothing was found.
"use strict";

const fs = require("node:fs");
const path = require("node:path");
const vm = require("node:vm");
const { JSDOM, VirtualConsole } = require("jsdom");

/** What the scripts ask a browser for and jsdom does not have. */
function complete(window) {
  const media = { matches: false, addListener() {}, removeListener() {} };
  window.matchMedia = () => ({ ...media, addEventListener() {}, removeEventListener() {} });
  class Observer { observe() {} unobserve() {} disconnect() {} }
  window.ResizeObserver = window.IntersectionObserver = Observer;
  window.requestIdleCallback = (callback) => window.setTimeout(callback, 0);
  window.fetch = () => new Promise(() => {});
  window.TextEncoder = TextEncoder;
  window.TextDecoder = TextDecoder;
  window.CSS = { escape: (text) => text, supports: () => false };
  window.scrollTo = () => {};
  window.structuredClone = structuredClone;
  window.userSettings = { uid: "1", time: "1", url: "/" };
}

function editor(listFile) {
  const virtualConsole = new VirtualConsole();
  const html = "<!DOCTYPE html><html><head></head><body></body></html>";
  const page = new JSDOM(html, {
    runScripts: "outside-only", url: "http://localhost/", pretendToBeVisual: true, virtualConsole,
  });
  const { window } = page;
  complete(window);
  for (const filename of fs.readFileSync(listFile, "utf8").split("\n").filter(Boolean)) {
    // As a script of its own: by `eval`, a strict script's `var wp` would be lost.
    new vm.Script(fs.readFileSync(filename, "utf8"), { filename }).runInContext(
      page.getInternalVMContext(),
    );
    // WordPress does this between the scripts.
    if (filename.includes("/lodash.")) window.lodash = window._;
  }
  // Where the old editor is, as it is on every site, its block is registered too.
  window.wp.oldEditor = window.wp.oldEditor ?? {};
  window.wp.blockLibrary.registerCoreBlocks();
  return window;
}

/** Blocks in other blocks stand two columns further right. */
function print(blocks, depth, count) {
  for (const block of blocks) {
    // The editor takes what stands between blocks as a block of its old editor.
    const classic = block.name === "core/freeform";
    const valid = block.isValid && block.name !== "core/missing";
    const verdict = valid ? (classic ? "classic" : "valid  ") : "INVALID";
    const words = [verdict, "  ".repeat(depth) + block.name];
    count.classic += classic ? 1 : 0;
    console.log(`  ${words.join(" ")}`);
    if (!valid) {
      console.log(`          ${block.originalContent.trim().slice(0, 400)}`);
      for (const issue of block.validationIssues ?? []) {
        console.log(`          ${issue.args.map(plain).join(" ").slice(0, 600)}`);
      }
    }
    count.blocks += 1;
    count.invalid += valid ? 0 : 1;
    print(block.innerBlocks, depth + 1, count);
  }
}

function plain(value) {
  return typeof value === "string" ? value : JSON.stringify(value)?.slice(0, 200) ?? "";
}

const [listFile, ...files] = process.argv.slice(2);
const window = editor(listFile);
window.console.warn = window.console.error = window.console.info = window.console.log = () => {};
const count = { blocks: 0, invalid: 0, classic: 0 };
let changed = 0;
for (const file of files) {
  console.log(path.basename(file));
  const text = fs.readFileSync(file, "utf8");
  const blocks = window.wp.blocks.parse(text);
  print(blocks, 0, count);
  // What the editor would save is what was sent, or an older form that it brings up to date.
  if (process.env.SHOW_SAVED) console.log(window.wp.blocks.serialize(blocks));
  if (window.wp.blocks.serialize(blocks).trim() !== text.trim()) changed += 1;
}
console.log(`${files.length} files, ${count.blocks} blocks, ${count.invalid} invalid, ${changed} files the editor would save in another form`);
process.exit(count.invalid === 0 && count.blocks > 0 ? 0 : 1);
