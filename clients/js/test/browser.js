// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

// Runs the suite in a page of a headless Chromium.

import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { extname } from 'node:path';

const folder = new URL('../', import.meta.url);
const types = { '.html': 'text/html', '.js': 'text/javascript' };

/** The path of Chromium: that of the environment variable CHROMIUM, or Debian's. */
export const path = process.env.CHROMIUM ?? '/usr/bin/chromium';
export const missing =
  parseInt(process.versions.node) < 20
    ? 'the tools of browsers need Node 20'
    : existsSync(path)
      ? false
      : `there is no ${path}: apt-get install chromium, or set CHROMIUM`;
if (missing && process.env.CI === 'true') {
  throw new Error(missing);
}

/** Serves the built package and the suite to pages. */
export async function servePages() {
  const server = createServer(async (request, response) => {
    const { pathname } = new URL(request.url, 'http://localhost');
    try {
      if (!/^\/(dist|test)\/[a-z]+\.(js|html)$/.test(pathname)) {
        throw new Error('no such page');
      }
      const text = await readFile(new URL(`.${pathname}`, folder));
      response.writeHead(200, { 'Content-Type': types[extname(pathname)] }).end(text);
    } catch {
      response.writeHead(404).end();
    }
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { origin: `http://127.0.0.1:${server.address().port}`, close: () => server.close() };
}

/** Opens the page of the suite. */
export async function openPage(origin, site, copies) {
  const { chromium } = await import('playwright-core'); // which needs Node 20
  const browser = await chromium.launch({
    executablePath: path,
    args: [
      '--headless',
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
    ],
  });
  const page = await browser.newPage();
  await page.exposeFunction('restart', () => site.restart());
  await page.exposeFunction('be', (...are) => copies.be(...are));
  await page.exposeFunction('asked', () => copies.asked());
  await page.goto(`${origin}/test/page.html`);
  await page.waitForFunction('window.ready');
  await page.evaluate((it) => window.begin(it), { url: site.url, token: site.token, urls: copies.urls });
  return {
    names: () => page.evaluate(() => window.names()),
    run: (name) => page.evaluate((name) => window.run(name), name),
    calls: () => page.evaluate(() => window.calls()),
    close: () => browser.close(),
  };
}
