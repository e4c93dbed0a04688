// Makes the drafts that are looked at: by oncepress, but for the one that is broken.

import { spawnSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";

import { picture } from "./picture.mjs";

/** The images that the fixtures name. */
const PICTURES = [..."abcdef"].map((letter) => `${letter}.png`).concat("my picture (1).png");

/** No two runs share a slug, so each run's drafts are new ones. */
const RUN = Date.now().toString(36);

/** The article of a fixture, whose own front matter, if it has any, is left out. */
function article(file) {
  const body = fs.readFileSync(file, "utf8").replace(/^(---|\+\+\+)\n[^]*?\n\1\n/, "");
  const name = path.basename(file, path.extname(file));
  const fields = [`title: "${name}"`, `slug: editor-${name}-${RUN}`, "body_format: blocks"];
  return { name, text: `---\n${fields.join("\n")}\n---\n${body}` };
}

/** Pushes the files as drafts; what is not created is a fault. */
export function pushDrafts(site, oncepress, files, folder) {
  const project = path.join(folder, "project");
  const articles = path.join(project, "articles");
  fs.mkdirSync(articles, { recursive: true });
  PICTURES.forEach((name, index) =>
    fs.writeFileSync(path.join(articles, name), picture(400, 225 + index, index)));
  for (const file of files) {
    const { name, text } = article(file);
    fs.writeFileSync(path.join(articles, `${name}.md`), text);
  }
  fs.writeFileSync(
    path.join(project, "oncepress.toml"),
    `[site]\nurl = "${site.url}"\nusername = "admin"\n`,
  );
  const env = { ...process.env, ONCEPRESS_APP_PASSWORD: site.users.admin.password };
  const ran = spawnSync(oncepress, ["push", "--json"], { cwd: project, env, encoding: "utf8" });
  const result = JSON.parse(ran.stdout || "{}");
  const drafts = [];
  const faults = (result.errors ?? []).map((error) => `push: ${error.message}`);
  if (!result.articles) faults.push(`push: ${ran.stderr}`);
  for (const { path: file, post_id: id, outcome, message, problems } of result.articles ?? []) {
    const name = path.basename(file, ".md");
    if (outcome === "created") drafts.push({ name, id });
    else faults.push([`${name}: ${outcome}: ${message}`, ...problems.map(JSON.stringify)].join("\n  "));
  }
  return { drafts, faults };
}

/** A draft with one of each fault, made behind oncepress' back. */
export async function brokenDraft(site) {
  const file = path.join(import.meta.dirname, "broken.html");
  const content = fs.readFileSync(file, "utf8").replaceAll("SITE", site.url);
  const word = Buffer.from(`admin:${site.users.admin.password}`).toString("base64");
  const answer = await fetch(`${site.url}/wp-json/wp/v2/posts`, {
    method: "POST",
    headers: { Authorization: `Basic ${word}`, "Content-Type": "application/json" },
    body: JSON.stringify({ title: "broken", status: "draft", slug: `editor-broken-${RUN}`, content }),
  });
  if (answer.status !== 201) throw new Error(`the broken draft: ${await answer.text()}`);
  return { name: "broken", id: (await answer.json()).id };
}
