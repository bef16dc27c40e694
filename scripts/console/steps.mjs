// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

// What is done on each page, and what has to come of it. A step is a page, its name, and a function
// that drives it; fail reports what is wrong.

import { readFileSync } from "node:fs";
import { crossTab, savedAudiences } from "./audiencesteps.mjs";
import { ask, hostile, token } from "./servers.mjs";

/** Waits until a text is in the page. */
export const shows = (page, text, within = "main") => page.locator(within).filter({ hasText: text }).first()
  .waitFor({ timeout: 10_000 });

/** Compares two values. */
export const want = (fail, what, got, wanted) => {
  if (got !== wanted) fail(`${what}: got ${JSON.stringify(got)}, want ${JSON.stringify(wanted)}`);
};

export const conditions = (where) => encodeURIComponent(JSON.stringify(where));

async function overview(page, fail) {
  await shows(page, "137");
  for (const index of ["accounts", "people", "prices"]) await shows(page, index, "table");
  const rate = page.locator(".tile", { hasText: "Requests a second" });
  await rate.filter({ hasNotText: "…" }).waitFor({ timeout: 10_000 });
  want(fail, "requests a second while only this page asks", /^\s*([\d.,]+)/.exec(await rate.locator("dd").textContent())?.[1], "0");
  for (const commits of await page.locator('table.list tbody tr td:nth-child(5)').evaluateAll((all) => all.slice(0, 3).map((e) => e.textContent))) {
    if (Number(commits.replaceAll("\u202f", "")) >= 500_000) fail(`an index of the demo has ${commits} commits`);
  }
  await page.keyboard.press("Tab"); // by keyboard: to the content, the name, and the pages
  want(fail, "first by Tab", await page.evaluate(() => document.activeElement.textContent), "Skip to the content");
  await page.keyboard.press("Enter");
  want(fail, "after it", await page.evaluate(() => document.activeElement.id), "main");
  for (let i = 0; i < 2; i++) await page.keyboard.press("Shift+Tab");
  await page.locator("nav a", { hasText: "Query" }).focus();
  want(fail, "outline of what has the focus", await page.evaluate(() =>
    getComputedStyle(document.activeElement).outlineStyle), "solid");
  await page.keyboard.press("Enter");
  await shows(page, "Query", "h1");
  await page.goBack();
  await shows(page, "Overview", "h1");
}

async function indexPage(page, fail, base) {
  await shows(page, "HS-grad");
  await page.locator(".histogram").nth(1).waitFor();
  await shows(page, "Some records", "h2");
  const spare = `spare${Date.now()}`;
  await ask(base, "/v1/indexes/create", { index: spare, fields: [{ name: "city", type: "single" },
    { name: "age", type: "integer" }, { name: "likes", type: "set" }, { name: "price", type: "integer", scale: 2 }] });
  await page.goto(`${base}/#/index?name=${spare}`);
  await shows(page, "0 commits");
  const exact = "4503599627370497.25"; // which no number of JavaScript is
  await page.getByLabel("Key").fill("ann");
  await page.getByLabel(/^city/).fill("Oslo");
  await page.getByLabel(/^age/).fill("30");
  await page.getByLabel(/^likes/).fill("tea | cake");
  await page.getByLabel(/^price/).fill(exact);
  await page.getByRole("button", { name: "Write it" }).click();
  await shows(page, "ann is written");
  const text = await (await fetch(`${base}/v1/records/get`, { method: "POST", headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ index: spare, keys: ["ann"] }) })).text();
  want(fail, "the record that was written", /"values":(\{.*?\})/.exec(text)?.[1],
    `{"age":30,"city":"Oslo","likes":["tea","cake"],"price":${exact}}`);
  await page.getByLabel(/^age/).fill("old");
  await page.getByLabel("Key").fill("bob");
  page.expects = /400 \(Bad Request\)/;
  await page.getByRole("button", { name: "Write it" }).click();
  await page.getByRole("alert").waitFor();
  page.expects = undefined;
  await page.goto(`${base}/#/query?index=${spare}`);
  await shows(page, exact, "table");
  await page.goto(`${base}/#/index?name=${spare}`);
  await shows(page, /fields, 1 commit(?!s)/);
  await ask(base, "/v1/indexes/drop", { index: spare });
  await page.goto(`${base}/#/index?name=people`);
  await shows(page, "HS-grad");
}

async function queryPage(page, fail, base) {
  const text = page.getByLabel("Query", { exact: true });
  await shows(page, "21\u202f989", "#count");
  await text.fill("");
  await text.pressSequentially("occupation = Exec");
  await page.locator(".offers [role=option]").first().waitFor();
  await page.keyboard.press("Tab");
  want(fail, "completed", await text.inputValue(), "occupation = Exec-managerial");
  await page.locator("#count", { hasText: "4\u202f066" }).waitFor();
  await text.pressSequentially(" and and");
  await page.locator(".editor mark", { hasText: "and" }).waitFor();
  await page.getByRole("alert").filter({ hasText: "want an expression" }).waitFor();
  await text.fill("alter > 30 and alter < 40");
  await page.getByRole("alert").filter({ hasText: "unknown field" }).waitFor();
  want(fail, "underlined", await page.locator(".editor mark").textContent(), "alter");
  await text.fill('income = ">50K" and age < 25');
  await page.locator("#count", { hasText: "61 of 32" }).waitFor();
  await page.keyboard.press("Enter");
  await page.waitForURL(/income/);
  await page.locator("tbody tr").nth(49).waitFor();
  await page.getByRole("button", { name: "More" }).click();
  await page.locator("tbody tr").nth(60).waitFor();
  for (const [button, begins] of [["CSV", "key,"], ["Parquet", "PAR1"]]) {
    const [download] = await Promise.all([page.waitForEvent("download"), page.getByRole("button", { name: button }).click()]);
    const file = readFileSync(await download.path(), "latin1");
    if (!file.startsWith(begins)) fail(`${button} begins with ${JSON.stringify(file.slice(0, 20))}`);
    if (button === "CSV") want(fail, "lines of the CSV", file.trim().split("\n").length, 62);
  }
  await text.fill("age < 20"); // and is not asked: what was, is not shown below its count, and files are of it
  await page.locator("#count", { hasText: "1\u202f657" }).waitFor();
  await page.keyboard.press("Escape");
  want(fail, "tables below the count of another query", await page.locator("table.list").count(), 0);
  const [download] = await Promise.all([page.waitForEvent("download"), page.getByRole("button", { name: "CSV" }).click()]);
  want(fail, "lines of the CSV of what is written", readFileSync(await download.path(), "latin1").trim().split("\n").length, 1658);
  await page.evaluate(() => Object.defineProperty(navigator, "clipboard", { value: undefined, configurable: true }));
  await page.getByRole("button", { name: "Copy link" }).click();
  const link = await page.locator(".done a").getAttribute("href");
  want(fail, "the query of the link", new URLSearchParams(link.slice(link.indexOf("?"))).get("q"), "age < 20");
  await text.fill("age <");
  await page.getByRole("alert").waitFor();
  want(fail, "a file of what is no query can be had", await page.getByRole("button", { name: "CSV" }).isDisabled(), true);
  await text.fill('income = ">50K" and age < 25');
  await page.locator("tbody tr").nth(60).waitFor(); // as before
  await page.getByRole("button", { name: "Chart" }).click();
  await page.getByLabel("Field").selectOption("education");
  await shows(page, "Bachelors", "table.bars");
  await page.getByRole("button", { name: "Plan" }).click();
  await shows(page, "integers", ".plan");
  const address = page.url();
  await page.goto("about:blank");
  await page.goto(address); // a link that was shared
  await shows(page, "integers", ".plan");
  await page.getByRole("link", { name: 'income = ">50K" and age < 25' }).first().waitFor();
  await page.goto(`${base}/#/query?index=people&q=${encodeURIComponent("age > 30 and sex = Female")}`);
  await page.locator("tbody tr").first().waitFor();
}

async function audiencePage(page, fail, base) {
  const size = page.locator('[aria-label="Size"] .big');
  await size.filter({ hasText: "32\u202f561" }).waitFor();
  await page.locator("summary", { hasText: "income" }).click();
  await page.getByRole("button", { name: /^>50K/ }).first().click();
  await size.filter({ hasText: /^7\u202f841$/ }).waitFor();
  await page.locator(".cloud text").nth(5).waitFor();
  await page.locator(".histogram").first().waitFor();
  await shows(page, "Overlap", "h2");
  await page.getByLabel("age from").fill("30");
  await page.keyboard.press("Enter");
  await size.filter({ hasText: /^7\u202f330$/ }).waitFor();
  await page.getByRole("button", { name: "Typical" }).click();
  await page.waitForURL(/by=lift/);
  await page.getByRole("button", { name: "Keep this one there" }).click();
  await page.waitForURL(/b=%7B/);
  await page.getByRole("button", { name: /^wanted: >50K/ }).click(); // refused now
  await size.filter({ hasText: /^15\u202f520$/ }).waitFor();
  await page.getByLabel("Name").fill("poor & older");
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await shows(page, "poor & older is saved.");
  await page.getByRole("button", { name: "Forget poor & older" }).click();
  await shows(page, "poor & older is forgotten.");
  await crossTab(page, fail, base);
  await savedAudiences(page, fail, base);
}

async function graphPage(page, fail, base) {
  await shows(page, "519");
  await page.locator(".network circle").nth(10).waitFor();
  await page.getByLabel(/is to follow/).fill("75000");
  await page.getByRole("button", { name: "Follow", exact: true }).click();
  await shows(page, /645\W* follows \W*75000\W* now\./);
  await page.getByLabel(/is to follow/).fill("75000");
  await page.getByRole("button", { name: "Unfollow", exact: true }).last().click();
  await shows(page, /645\W* does not follow \W*75000\W* any more\./);
  const lines = await page.locator(".network line").evaluateAll((all) => all.map((l) => [l.querySelector("title").textContent,
    l.getAttribute("marker-end"), l.hasAttribute("marker-start")]));
  const drawn = await page.locator(".network g > title").allTextContents();
  const arrows = new Set(lines.flatMap(([title, end, start]) => {
    const [one, other] = title.split(/ and | follows | follow each other/);
    if (!end || start !== title.endsWith("each other")) fail(`the line "${title}" has other heads`);
    return start ? [`${one} ${other}`, `${other} ${one}`] : [`${one} ${other}`];
  }));
  for (const one of drawn) for (const other of drawn.filter((o) => o !== one)) {
    const { follows } = await (await fetch(`${base}/v1/graph/follows?account=${one}&target=${other}`)).json();
    want(fail, `an arrow from ${one} to ${other}`, arrows.has(`${one} ${other}`), follows);
  }
  await page.goto(`${base}/#/graph?account=nobody%20such`);
  await page.getByRole("alert").waitFor();
  await page.goto(`${base}/#/graph`);
  await page.getByRole("button", { name: "18", exact: true }).first().click();
  await shows(page, "3\u202f035");
  await page.goto(`${base}/#/graph?account=645&target=18`);
  await page.locator(".network circle").nth(10).waitFor();
}

async function catalogPage(page) {
  await shows(page, "Several count", "h2");
  await page.getByRole("button", { name: "After" }).click();
  await shows(page, "21 to 40");
  await page.getByRole("button", { name: "Check" }).click();
  await shows(page, "None: each search has one answer.");
  const one = page.locator("h2", { hasText: "One counts" });
  for (let i = 0; i < 8 && !(await one.count()); i++) { // the first value of each attribute that is left
    const before = page.url();
    await page.locator(".builder .chip").first().click();
    await page.waitForURL((url) => url.href !== before);
    await page.waitForLoadState("networkidle");
  }
  await shows(page, "One counts", "h2");
  await page.getByRole("button", { name: "Take back spec" }).click();
  await shows(page, /Several count|One counts/, "h2");
}

export const steps = [
  { page: "", title: "overview", run: overview },
  { page: "#/index?name=people", title: "index", run: indexPage },
  { page: "#/index?name=accounts", title: "index of accounts" },
  { page: `#/query?index=people&q=${encodeURIComponent("age > 30")}`, title: "query", run: queryPage },
  { page: "#/audience?index=people", title: "audience", run: audiencePage },
  { page: `#/audience?a=${conditions({ income: { in: [">50K"] }, age: { from: "30" } })}&by=lift`, title: "audience of some" },
  { page: "#/graph", title: "graph" },
  { page: "#/graph?account=645&target=18", title: "account", run: graphPage },
  { page: "#/catalog", title: "catalog" },
  { page: `#/catalog?where=${conditions({ spec: "MRC", Term: "12" })}`, title: "search", run: catalogPage },
];

/** Pages of any server, without what depends on its data. */
export const anySteps = ["", "index?name=people", "index?name=accounts", `query?index=people&q=${encodeURIComponent("age > 30")}`,
  `query?index=people&show=chart&field=age&q=${encodeURIComponent("age > 30")}`, "audience?index=people",
  `audience?index=people&a=${conditions({ age: { from: "40" } })}`, "graph", "graph?account=1&target=2", "catalog"]
  .map((page) => ({ page: `#/${page}`, title: page || "overview" }));

const blank = async (page) => {
  await page.locator(".blank pre").waitFor();
};
blank.everywhere = true;
export const emptySteps = ["", "index", "query", "audience", "graph", "catalog"].map((name) =>
  ({ page: `#/${name}`, title: name || "overview", run: blank }));

/** No name or value may have become markup; and each page has to show one of them as it is. */
async function harmless(page, fail) {
  await page.locator("main").filter({ hasText: "<img src=x onerror=" }).waitFor({ timeout: 10_000 });
  want(fail, "scripts that ran", await page.evaluate(() => window.taken), undefined);
  want(fail, "pictures in the page", await page.locator("main img").count(), 0);
}
export const hostileSteps = [
  { page: "#/index?name=people", title: "index" },
  { page: "#/query?index=people", title: "query" },
  { page: "#/query?index=people&show=chart&field=likes", title: "chart" },
  { page: `#/query?index=people&show=plan&q=${encodeURIComponent(`city = ${JSON.stringify(hostile)}`)}`, title: "plan" },
  { page: `#/query?index=people&q=${encodeURIComponent(hostile)}`, title: "wrong query" },
  { page: `#/audience?index=people&a=${conditions({ sex: { in: [hostile] } })}&w=likes`, title: "audience" },
  { page: "#/graph", title: "graph" },
  { page: `#/graph?account=${encodeURIComponent(hostile)}&target=${encodeURIComponent(`${hostile}1`)}`, title: "account" },
  { page: `#/catalog?where=${conditions({ article: hostile })}`, title: "catalog" },
  { page: `#/catalog?where=${conditions({ article: hostile, customer: hostile })}`, title: "search" },
].map((step) => ({ ...step, run: harmless }));

async function signIn(page, fail, base) {
  await shows(page, "This server wants a token", "h1");
  await page.look("asks");
  await page.getByLabel("Token").fill("wrong-wrong-wrong-wrong");
  await page.keyboard.press("Enter");
  await shows(page, "not one of this server");
  await page.getByLabel("Token").fill(token);
  await page.keyboard.press("Enter");
  await shows(page, "The database is empty");
  await page.goto(`${base}/#/query`);
  await shows(page, "There is nothing to ask yet");
  want(fail, "kept in the tab", await page.evaluate(() => sessionStorage.getItem("uproar.token")), token);
  want(fail, "kept beyond it", await page.evaluate(() => localStorage.length), 0);
  const other = await page.context().newPage();
  await other.goto(base);
  await other.getByText("This server wants a token").waitFor();
}
export const tokenSteps = [{ page: "", title: "sign in", run: signIn, expects: /401 \(Unauthorized\)/ }];
