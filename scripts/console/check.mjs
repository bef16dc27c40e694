// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

// Drives every page of the console in Chromium, on the demo, on an empty server, with tokens and
// with hostile names; keeps screenshots in shots. `make console` runs it:
//
//	node check.mjs PROGRAM
//	node check.mjs PROGRAM 'wide|names'    only the servers of these names
//	node check.mjs http://127.0.0.1:7070   shows the pages of a server that runs: how fast are they with its data?
//
// UPROAR_CHROMIUM names the browser, if it is not Debian's.

import { mkdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { chromium } from "playwright-core";
import { ask, copies, demo, emptyServer, hostileServer, lateServer, mortalServer, oddServer, runCommands, stopAll, token,
  tokenServer, wideServer } from "./servers.mjs";
import { copySteps, keyboardSteps, lateSteps, mortalSteps, oddSteps, readerSteps, wideSteps } from "./oddsteps.mjs";
import { steps, tokenSteps, hostileSteps, emptySteps, anySteps } from "./steps.mjs";

const firstView = 1000; // milliseconds until the page shows something, at most
const oneRequest = 200; // milliseconds of a request, at most
const patient = ["/v1/catalog/check"]; // the page says that these may take longer
const attempts = 5; // other programs may run: after a slow load, the median of so many counts
const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const shots = new URL("./shots/", import.meta.url).pathname;
const modes = {
  light: { viewport: { width: 1280, height: 900 }, colorScheme: "light" },
  dark: { viewport: { width: 1280, height: 900 }, colorScheme: "dark" },
  phone: { viewport: { width: 390, height: 844 }, colorScheme: "light", hasTouch: true },
};

const problems = [];
const report = (where, text) => {
  problems.push(`${where}: ${text}`);
  console.log(`FAIL ${where}: ${text}`);
};

/** Opens a page of which everything that goes wrong is reported. */
async function watched(browser, base, where, options) {
  const context = await browser.newContext({ ...options, acceptDownloads: true });
  context.setDefaultTimeout(10_000);
  const page = await context.newPage();
  page.slowest = new Map();
  page.look = (what) => looked(page, `${where} ${what}`); // with something open
  page.on("console", (m) => ["error", "warning"].includes(m.type()) && !page.expects?.test(m.text()) &&
    report(where, `the console says: ${m.text()}`));
  page.on("pageerror", (e) => report(where, `an error: ${e.stack}`));
  page.on("dialog", (d) => report(where, `a dialog: ${d.message()}`) ?? d.dismiss());
  page.on("request", (r) => {
    const url = new URL(r.url());
    if (!["data:", "blob:"].includes(url.protocol) && ![base, page.mayName].includes(url.origin)) report(where, `a request leaves: ${r.url()}`);
  });
  page.on("requestfinished", async (r) => {
    const path = new URL(r.url()).pathname;
    const { requestStart, responseEnd } = r.timing();
    page.slowest.set(path, Math.max(page.slowest.get(path) ?? 0, responseEnd - requestStart));
  });
  return page;
}

/** Loads an address, and returns after how many milliseconds it shows something. */
async function load(page, address) {
  await page.goto("about:blank");
  const start = performance.now();
  await page.goto(address, { waitUntil: "commit" });
  await page.locator("main h1").first().waitFor();
  const took = performance.now() - start;
  await page.waitForLoadState("networkidle");
  return took;
}

/** What is asked of every page in every mode: access, and width. */
async function looked(page, where) {
  await page.evaluate(axe);
  const { violations } = await page.evaluate(() => window.axe.run(document, { resultTypes: ["violations"] }));
  for (const v of violations.filter((one) => one.impact !== "minor")) {
    report(where, `axe: ${v.id}: ${v.help}: ${v.nodes.slice(0, 3).map((n) => n.html.slice(0, 160)).join(" | ")}`);
  }
  const levels = await page.evaluate(() => [...document.querySelectorAll("h1, h2, h3, h4")].map((h) => Number(h.tagName[1])));
  if (levels[0] !== 1 || levels.some((n, i) => i && (n === 1 || n > levels[i - 1] + 1))) {
    report(where, `the headings are of the levels ${levels.join(" ")}`);
  }
  const wider = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
  if (wider > 0) report(where, `the page is ${wider} pixels wider than the window`);
  await page.screenshot({ path: `${shots}${where.replace(/[^a-z0-9]+/gi, "-")}.png`, fullPage: true });
}

const median = (list) => [...list].sort((a, b) => a - b)[list.length >> 1];

/** Drives the pages of a server in one mode. */
async function drive(browser, base, name, mode, list, { late = false } = {}) {
  for (const { page: hash, title, run, expects } of list) {
    const where = `${name} ${title} ${mode}`;
    const page = await watched(browser, base, where, modes[mode]);
    page.expects = expects;
    try {
      const views = [];
      const slowest = new Map();
      for (let i = 0; i < attempts; i++) {
        page.slowest = new Map();
        views.push(await load(page, `${base}/${hash}`));
        for (const [path, took] of page.slowest) slowest.set(path, [...(slowest.get(path) ?? []), took]);
        if (i === 0 && views[0] <= firstView && [...slowest.values()].every(([t]) => t <= oneRequest)) break;
      }
      if (!late && median(views) > firstView) report(where, `the first view takes ${Math.round(median(views))} ms`);
      for (const [path, all] of slowest) {
        const took = median(all);
        if (!late && took > oneRequest && !patient.includes(path)) report(where, `${path} takes ${Math.round(took)} ms`);
      }
      if (run && (mode === "light" || run.everywhere)) await run(page, (text) => report(where, text), base);
      if (await page.locator(".page.failed").count()) report(where, await page.locator("main").textContent());
      await looked(page, where);
      console.log(`ok   ${where}: first view ${Math.round(median(views))} ms, slowest request ` +
        `${Math.round(Math.max(0, ...[...slowest.values()].map(median)))} ms`);
    } catch (error) {
      report(where, error.stack);
      await page.screenshot({ path: `${shots}failed-${where.replace(/[^a-z0-9]+/gi, "-")}.png` }).catch(() => {});
    }
    await page.context().close();
  }
}

/** What is driven: a name, its server, and how. */
const everything = {
  demo: async (name) => {
    const base = await demo(program);
    for (const mode of Object.keys(modes)) await drive(browser, base, name, mode, steps);
    await drive(browser, base, name, "light", keyboardSteps);
    await drive(browser, await lateServer(base, 900), "slow", "light", lateSteps, { late: true });
  },
  empty: async (name) => {
    const base = await emptyServer(program);
    for (const mode of ["light", "phone"]) await drive(browser, base, name, mode, emptySteps);
    for (const step of emptySteps) { // what an empty page says to do fills it
      await drive(browser, await emptyServer(program), "filled", "light", [{ ...step, run: async (page, fail) => {
        const failed = await runCommands(program, await page.locator(".blank pre").innerText());
        if (failed) fail(failed);
        await page.reload();
        await page.locator("main h1").waitFor();
        await page.waitForLoadState("networkidle");
        if (await page.locator(".blank").count()) fail("the page is as empty as before");
      } }]);
    }
  },
  hostile: async (name) => drive(browser, await hostileServer(program), name, "light", hostileSteps),
  tokens: async (name) => {
    const base = await tokenServer(program);
    await drive(browser, base, name, "light", tokenSteps);
    await ask(base, "/v1/graph/follow", { account: "ann", target: "bob" }, { Authorization: `Bearer ${token}` });
    await drive(browser, base, name, "light", readerSteps);
  },
  names: async (name) => {
    const base = await oddServer(program);
    for (const mode of Object.keys(modes)) await drive(browser, base, name, mode, oddSteps);
  },
  wide: async (name) => {
    const base = await wideServer(program);
    for (const mode of ["light", "phone"]) await drive(browser, base, name, mode, wideSteps);
  },
  copies: async (name) => {
    const { leads, follows } = await copies(program);
    await drive(browser, follows, name, "light", copySteps(leads));
  },
  mortal: async (name) => {
    const server = await mortalServer(program);
    await drive(browser, server.base, name, "light", mortalSteps(server));
  },
};

const [program, only = ""] = process.argv.slice(2);
mkdirSync(shots, { recursive: true });
const browser = await chromium.launch({
  executablePath: process.env.UPROAR_CHROMIUM ?? "/usr/bin/chromium",
  args: ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
    "--disable-component-update", "--disable-sync"],
});
try {
  if (program.startsWith("http")) await drive(browser, program, "own", "light", anySteps);
  else for (const [name, run] of Object.entries(everything)) if (name.match(only)) await run(name);
} catch (error) {
  report("all", error.stack);
} finally {
  await browser.close();
  await stopAll();
}
console.log(problems.length ? `${problems.length} problems` : "all pages are well");
process.exitCode = problems.length ? 1 : 0;
