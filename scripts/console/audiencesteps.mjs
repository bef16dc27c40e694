// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

// What of the page of audiences is held against the server's own answers.

import { ask } from "./servers.mjs";
import { conditions, shows, want } from "./steps.mjs";

/** Each cell of the cross-tab is the count of its two values, zeros too, and what is left out is said. */
export async function crossTab(page, fail, base) {
  await page.goto(`${base}/#/audience?index=people&x=country&y=occupation`);
  const table = page.locator(".heat").first();
  await table.locator("caption", { hasText: "country by occupation" }).waitFor({ state: "attached" });
  const cells = await table.evaluate((t) => [...t.querySelectorAll("tbody tr")].flatMap((tr) => [...tr.querySelectorAll("td")].map((td, i) =>
    [tr.querySelector("th").title, t.querySelectorAll("thead th")[i + 1].title, td.textContent.replaceAll("\u202f", "").trim()])));
  want(fail, "cells", cells.length, 144);
  for (const [country, occupation, shown] of cells.filter((_, i) => i % 5 === 0)) {
    const { count } = await ask(base, "/v1/query", { index: "people", answer: "count",
      q: { and: [{ field: "country", "=": country }, { field: "occupation", "=": occupation }] } });
    want(fail, `${country}, ${occupation}`, shown, String(count));
  }
  if (!cells.some(([, , shown]) => shown === "0")) fail("no cell of a rare country and occupation is 0");
  await shows(page, "Of country and of occupation the 12 most frequent values.");
}

/** An audience that follows stands in queries, what does not fit the matrix is named, and what is typical is more frequent. */
export async function savedAudiences(page, fail, base) {
  const names = [...Array(9)].map((_, i) => `rich${i}`);
  for (const name of names) await ask(base, "/v1/audience/save", { index: "people", name, q: 'income = ">50K"', follows: true });
  await page.goto(`${base}/#/audience?index=people&by=lift&w=occupation&a=${conditions({ "": { in: ["rich0"] } })}`);
  await page.locator('[aria-label="Size"] .big').filter({ hasText: /^7\u202f841$/ }).waitFor();
  await shows(page, /Without \W*rich6, rich7, rich8\W*: it has room for 8\./);
  await page.locator(".cloud text").first().waitFor();
  for (const tip of await page.locator(".cloud title").allTextContents()) {
    if (!(Number(/lift ([\d.]+)/.exec(tip)?.[1]) >= 1)) fail(`typical is ${tip}`);
  }
  await page.getByRole("link", { name: "As a query" }).click();
  await page.locator("#count", { hasText: "7\u202f841" }).waitFor();
  await page.locator("tbody tr").nth(49).waitFor();
  for (const name of names) await ask(base, "/v1/audience/forget", { index: "people", name });
}
