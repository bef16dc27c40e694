// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

// What pages do with what is not as usual: hostile addresses, many fields, odd names, copies, readers,
// servers that are slow or gone; and with nothing but a keyboard.

import { odd, readerToken } from "./servers.mjs";
import { conditions, shows, want } from "./steps.mjs";

/** What has the focus: its text or label, and whether it is nothing at all. */
const focused = (page) => page.evaluate(() => {
  const e = document.activeElement;
  return e === document.body ? "nothing" : e.getAttribute("aria-label") ?? e.textContent.trim().slice(0, 60);
});

const settled = (page) => page.waitForLoadState("networkidle").then(() => page.waitForTimeout(150));

const parameters = ["", "null", "[]", "{}", "7", '{"city":null}', '{"age":{"in":[null]}}', '{"age":{"from":{}}}', '{"":{"in":[1]}}',
  '{"__proto__":{"in":["x"]}}', '{"constructor":"x","toString":{"in":["y"]}}', '{"age":[1,2]}', "{", "%", "\u202e\u0000", "x".repeat(5000),
  '{"age":{"from":"9".repeat(40)}}', "-1", "1e999", "<b>", "'\"`"];
const names = ["index", "name", "q", "show", "field", "a", "b", "w", "by", "x", "y", "find", "from", "account", "target", "where"];

/** Every page with every parameter as nobody means it: no error of a script, something to read, and a way on. */
async function addresses(page, fail, base) {
  page.expects = /status of 4\d\d/;
  for (const kind of ["", "index", "query", "audience", "graph", "catalog", "none", "__proto__", "%zz"]) {
    const of = kind === "" ? ["q"] : names;
    for (const [i, value] of parameters.entries()) {
      const name = of[i % of.length];
      const all = of.map((n) => `${n}=${encodeURIComponent(n === name || i < 7 ? value : "")}`).join("&");
      for (const query of [all, `${name}=${value}`, `${["a", "where", "b"][i % 3]}=${encodeURIComponent(value)}`]) {
        await page.goto(`${base}/#/${kind}?${query}`);
        await page.locator("main h1").first().waitFor();
      }
    }
    await settled(page);
    if (!(await page.locator("main h1").count())) fail(`${kind}: nothing is shown`);
  }
  for (const hash of ["audience?a={\"city\":null}", "catalog?where={\"spec\":7,\"x\":null}", "index?name=nobody", "query?index=nobody",
    "query?show=nobody", "audience?by=nobody", "audience?index=nobody", "catalog?name=nobody", "catalog?by=nobody", "audience?b=7"]) {
    await page.goto(`${base}/#/${hash}`);
    const note = page.locator(".failure[role=status] a", { hasText: "Begin anew" });
    await note.waitFor();
    await note.click();
    await note.waitFor({ state: "detached" }).catch(() => fail(`${hash}: the way on leads back`));
  }
  await page.goto(`${base}/#/nobody`);
  await page.getByText("There is no page").waitFor();
  await page.locator("main a", { hasText: "Overview" }).click();
  await shows(page, "Overview", "h1");
  await page.goto(`${base}/console`);
  await shows(page, "Overview", "h1");
  want(fail, "where /console leads", new URL(page.url()).pathname, "/");
}

/** A query by keyboard: what is offered is announced, seen, and taken by Enter. */
async function keys(page, fail) {
  const text = page.getByRole("combobox", { name: "Query" });
  const state = () => text.evaluate((e) => [e.getAttribute("aria-expanded"), document.getElementById(
    e.getAttribute("aria-activedescendant"))?.textContent ?? ""]);
  await text.fill("");
  want(fail, "without offers", JSON.stringify(await state()), '["false",""]');
  await text.pressSequentially("native-country = ");
  await page.locator(".offers [role=option]").nth(20).waitFor();
  await page.look("offers");
  for (let i = 0; i < 18; i++) await page.keyboard.press("ArrowDown");
  const [expanded, active] = await state();
  want(fail, "with offers", expanded, "true");
  const seen = await page.locator(".offers [aria-selected=true]").evaluate((e) => {
    const [a, b] = [e.getBoundingClientRect(), e.parentElement.getBoundingClientRect()];
    return a.top >= b.top - 1 && a.bottom <= b.bottom + 1;
  });
  if (!seen) fail(`the offer ${active} is not seen`);
  await page.keyboard.press("Enter");
  want(fail, "taken by Enter", await text.inputValue(), `native-country = ${active}`);
  want(fail, "after it", (await state())[0], "false");
  await page.keyboard.press("Enter");
  await page.waitForURL(/q=native-country/);
  await page.getByRole("button", { name: "More" }).waitFor().catch(() => {});
}

/** Nothing loses the focus. */
async function audienceFocus(page, fail) {
  const size = page.locator('[aria-label="Size"] .big');
  await size.waitFor();
  await page.evaluate(() => document.querySelectorAll("details").forEach((d) => (d.open = true)));
  await page.look("all open");
  const chip = page.getByRole("group", { name: "education", exact: true }).getByRole("button").first();
  await page.locator("summary", { hasText: "education" }).first().evaluate((e) => (e.parentElement.open = true));
  await chip.focus();
  for (const state of ["wanted", "refused", ""]) {
    await page.keyboard.press("Enter");
    await settled(page);
    const { pressed, name } = await chip.evaluate((e) => ({ pressed: e.getAttribute("aria-pressed"), name: e.textContent }));
    want(fail, `pressed when ${state}`, pressed, state ? "true" : "false");
    if (state && !name.includes(`${state}:`)) fail(`a chip says ${name}, want ${state}`);
    if (!(await chip.evaluate((e) => e === document.activeElement))) fail(`${state}: the focus is on ${await focused(page)}`);
  }
  for (const [what, control] of [["Typical", page.getByRole("button", { name: "Typical" })],
    ["Keep this one there", page.getByRole("button", { name: "Keep this one there" })]]) {
    await control.focus();
    await page.keyboard.press("Enter");
    await settled(page);
    want(fail, "focus", await focused(page), what);
  }
  await page.locator(".cloud text").nth(3).waitFor();
  await page.locator('.cloud [tabindex="0"]').focus();
  await page.keyboard.press("ArrowRight");
  want(fail, "second word", await page.evaluate(() => [...document.activeElement.parentElement.querySelectorAll("text")].indexOf(
    document.activeElement)), 1);
  await page.keyboard.press("Enter");
  await settled(page);
  if (await focused(page) === "nothing") fail("a word of the cloud loses the focus");
}

async function catalogFocus(page, fail) {
  const chip = page.locator(".builder .chip").first();
  const attribute = await page.locator(".builder summary").first().textContent();
  await chip.focus();
  await page.keyboard.press("Enter");
  await settled(page);
  want(fail, "after a choice", await focused(page), `Take back ${attribute}`);
  await page.keyboard.press("Enter");
  await settled(page);
  want(fail, "after it was taken back", await focused(page), attribute);
}

async function graphFocus(page, fail) {
  await page.locator(".network circle").nth(5).waitFor();
  await page.locator('.network [tabindex="0"]').focus();
  await page.keyboard.press("ArrowRight");
  const name = await page.evaluate(() => document.activeElement.querySelector("title").textContent);
  await page.keyboard.press("Enter");
  await page.waitForURL((url) => url.hash.includes(`account=${name}`));
  await settled(page);
  if (await focused(page) === "nothing") fail("an account that was chosen loses the focus");
}

export const keyboardSteps = [
  { page: "#/query?index=people", title: "query by keyboard", run: keys },
  { page: "#/audience?index=people", title: "audience by keyboard", run: audienceFocus },
  { page: "#/catalog", title: "catalog by keyboard", run: catalogFocus },
  { page: "#/graph?account=645", title: "graph by keyboard", run: graphFocus },
  { page: "", title: "addresses", run: addresses },
];

/** A thousand fields: each can be found and asked for. */
export const wideSteps = [
  { page: "#/index?name=wide", title: "index", run: async (page, fail) => {
    await page.locator(".bars, .histogram").nth(8).waitFor();
    await page.getByRole("button", { name: "After: fields", exact: true }).click();
    await shows(page, "f12", "h2");
    await page.getByLabel("Find: fields", { exact: true }).fill("f99");
    await shows(page, "f993", "h2");
    await page.locator(".card", { hasText: "f993" }).first().locator("p", { hasText: "median" }).waitFor();
    await page.getByLabel("Find: fields of the new record").fill("f998");
    await page.getByLabel(/^f998/).fill("kept");
    await page.getByLabel("Find: fields of the new record").fill("f7");
    await page.getByLabel(/^f7\s/).fill("too");
    await page.getByLabel("Key").fill("new");
    await page.getByRole("button", { name: "Write it" }).click();
    await shows(page, "new is written");
    const { records: [r] } = await page.evaluate(async () => (await fetch("/v1/records/get", { method: "POST",
      headers: { "Content-Type": "application/json" }, body: JSON.stringify({ index: "wide", keys: ["new"] }) })).json());
    want(fail, "what was written", JSON.stringify(r.values), '{"f7":"too","f998":"kept"}');
  } },
  { page: `#/query?index=wide&q=${encodeURIComponent("f997 = v3")}`, title: "query", run: async (page, fail) => {
    await page.locator("tbody tr").nth(4).waitFor();
    want(fail, "the first column", await page.locator("thead th").nth(1).textContent(), "f997");
    await page.getByLabel("Find: columns").fill("f55");
    await page.locator("thead th", { hasText: "f555" }).waitFor();
    await page.getByRole("button", { name: "Chart" }).click();
    await page.getByLabel("Field").selectOption("f999");
    await shows(page, "v3", ".bars");
  } },
  { page: "#/audience?index=wide", title: "audience", run: async (page) => {
    await page.locator('[aria-label="Size"] .big').waitFor();
    await page.getByLabel("Find: fields").fill("f98");
    await page.getByRole("group", { name: "f981", exact: true }).getByRole("button").first().click();
    await page.waitForURL(/f981/);
    await page.getByLabel("Find: fields").fill("f1");
    await page.locator("summary", { hasText: "f100" }).first().waitFor();
    await page.getByRole("button", { name: /^wanted: / }).waitFor(); // a condition stays in sight
  } },
];

const shown = (text) => async (page) => {
  await page.locator("main").filter({ hasText: text }).waitFor();
};
export const oddSteps = [
  { page: "", title: "overview", run: async (page) => {
    await page.getByLabel("Find: indexes").fill("index9");
    await shows(page, "index99", "table");
  } },
  { page: "#/index?name=people", title: "index", run: shown(odd[2]) },
  { page: `#/query?index=people&q=${encodeURIComponent(`likes = ${JSON.stringify(odd[0])}`)}`, title: "query", run: shown(odd[0]) },
  { page: "#/query?index=people&show=chart&field=toString", title: "chart", run: shown(odd[8]) },
  { page: `#/audience?index=people&a=${conditions({ constructor: { in: [odd[3]] }, toString: { not: ["x"] } })}`, title: "audience",
    run: shown("toString") },
  { page: "#/graph", title: "graph", run: shown(odd[1]) },
  { page: `#/graph?account=${encodeURIComponent(odd[0])}&target=${encodeURIComponent(odd[11].slice(0, 500))}`, title: "account", run: shown(odd[2]) },
  { page: "#/catalog?name=odd", title: "catalog", run: shown("constructor") },
  { page: `#/catalog?name=odd&where=${conditions({ [odd[4]]: "one", [odd[5]]: "x" })}`, title: "search", run: shown(/counts?/) },
  { page: "#/catalog?name=bare", title: "empty catalog", run: async (page, fail) => {
    want(fail, "attributes", (await page.locator(".builder summary").allTextContents()).join(), "Term,due on");
    await page.getByLabel("Term", { exact: true }).fill("12");
    await page.keyboard.press("Enter");
    await shows(page, "Nothing counts", "h2");
    await page.getByLabel("Sorted by").selectOption("price");
    await page.waitForURL(/by=price/);
  } },
];

/** On a copy that follows, a page says where writes go: the policy lets it not go there itself. */
export const copySteps = (leads) => [{ page: "#/graph?account=ann", title: "copy", run: async (page, fail) => {
  page.mayName = leads; // the browser tells of a request that it does not send
  await page.getByLabel(/is to follow/).fill("cid");
  await page.getByRole("button", { name: "Follow", exact: true }).click();
  const link = page.getByRole("alert").locator("a");
  await link.waitFor();
  want(fail, "where writes go", await link.getAttribute("href"), `${leads}/#/graph?account=ann`);
  const { count } = await (await fetch(`${leads}/v1/graph/following?account=ann&count=true`)).json();
  want(fail, "whom ann follows where writes go", count, 1);
  await shows(page, "Followers", "h2"); // all else is still there
  await page.goto(await page.evaluate(() => `${location.origin}/#/`));
  await shows(page, "follows", ".tile");
} }];

/** A token that may only read shows every page; what it may not do is said. */
export const readerSteps = [{ page: "", title: "reader", expects: /40[13] \(/, run: async (page, fail, base) => {
  await page.getByLabel("Token").fill(readerToken);
  await page.keyboard.press("Enter");
  await shows(page, "Overview", "h1");
  for (const hash of ["index", "query", "audience", "graph", "catalog"]) {
    await page.goto(`${base}/#/${hash}`);
    await settled(page);
    if (await page.locator(".page.failed, .page.asking").count()) fail(`${hash}: ${await page.locator("main").textContent()}`);
  }
  await page.goto(`${base}/#/graph?account=ann`);
  await page.getByLabel(/is to follow/).fill("cid");
  await page.getByRole("button", { name: "Follow", exact: true }).click();
  await page.getByRole("alert").waitFor();
  await page.evaluate(() => sessionStorage.setItem("uproar.token", "expired-expired-expired")); // as it is after a while
  await page.goto(`${base}/#/query`);
  await shows(page, "This server wants a token", "h1");
} }];

/** A server that is gone is said to be, on each page, and found again. */
export const mortalSteps = (server) => [{ page: "", title: "gone", expects: /ERR_CONNECTION_REFUSED|Failed to fetch/,
  run: async (page, fail, base) => {
    await page.locator(".blank").waitFor();
    await fetch(`${base}/v1/graph/follow`, { method: "POST", headers: { "Content-Type": "application/json" },
      body: JSON.stringify({ account: "ann", target: "bob" }) });
    await page.reload();
    await page.locator(".tile").first().waitFor();
    await settled(page);
    await server.end();
    await shows(page, "does not answer");
    await shows(page, "as it was at");
    for (const hash of ["catalog", "index", "query", "graph"]) {
      await page.goto(`${base}/#/${hash}`).catch(() => {});
      await page.getByRole("button", { name: "Try again" }).waitFor();
      await shows(page, "The server does not answer");
    }
    await server.again();
    await page.getByRole("button", { name: "Try again" }).click();
    await shows(page, "2 accounts");
    await page.goto(`${base}/#/`);
    await page.locator(".tile").first().waitFor();
  } }];

/** A server that is late is said to be. */
export const lateSteps = [{ page: "#/audience?index=people", title: "late", run: async (page) => {
  await page.reload();
  await page.getByText("Asking the server").waitFor();
  await page.locator('[aria-label="Size"] .big').waitFor();
} }];
