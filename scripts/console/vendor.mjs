// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

// Makes server/console/static/vendor: each library of the console as one ES module, and the list of
// their versions, licences and checksums. Run it after a change of package.json:
//
//	cd scripts/console && npm ci && node vendor.mjs

import { createHash } from "node:crypto";
import { readFileSync, rmSync, mkdirSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const out = fileURLToPath(new URL("../../server/console/static/vendor/", import.meta.url));
const here = fileURLToPath(new URL(".", import.meta.url));

/** What each file exports. */
const files = {
  "lit-html.js": `export { html, svg, render, nothing } from "lit-html";
export { live } from "lit-html/directives/live.js";
export { repeat } from "lit-html/directives/repeat.js";`,
  "d3-cloud.js": `export { default as cloud } from "d3-cloud";`,
  "d3-force.js": `export { forceSimulation, forceManyBody, forceLink, forceCollide, forceX, forceY } from "d3-force";`,
};

/** The packages of the files that a bundle is made of: folder → package.json. */
function packagesOf(inputs) {
  const folders = Object.keys(inputs).map((path) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(path)?.[0]);
  return new Map([...new Set(folders.filter(Boolean))].sort().map((folder) => [folder,
    JSON.parse(readFileSync(`${here}${folder}/package.json`))]));
}

rmSync(out, { recursive: true, force: true });
mkdirSync(out, { recursive: true });
const lines = ["file\tsha256\tpackages\tlicences"];
const licences = new Map();
for (const [name, contents] of Object.entries(files)) {
  const made = await build({
    stdin: { contents, resolveDir: here },
    absWorkingDir: here,
    bundle: true,
    minify: true,
    format: "esm",
    target: "es2022",
    legalComments: "none",
    write: false,
    metafile: true,
  });
  const packages = packagesOf(made.metafile.inputs);
  const named = [...packages.values()].map((p) => `${p.name}@${p.version}`).join(" ");
  const body = Buffer.from(`/*! ${named}; their licences are in LICENSES.txt */\n${made.outputFiles[0].text}`);
  writeFileSync(out + name, body);
  const sum = createHash("sha256").update(body).digest("hex");
  lines.push([name, sum, named, [...new Set([...packages.values()].map((p) => p.license))].join(" ")].join("\t"));
  for (const [folder, p] of packages) {
    licences.set(`${p.name}@${p.version}`, readFileSync(`${here}${folder}/LICENSE`, "utf8").trim());
  }
}
writeFileSync(out + "VERSIONS.txt", lines.join("\n") + "\n");
const texts = [...licences].sort().map(([name, text]) => `# ${name}\n\n${text}\n`);
writeFileSync(out + "LICENSES.txt", texts.join("\n\n"));
