// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

// The shell: which page the address names, the navigation, the token.

import { token, Failure } from "./api.js";
import { html, render, clip, failure } from "./dom.js";
import { keepFocus } from "./focus.js";

/** The pages, in the order of the navigation. Each is a module with open(root, params, signal). */
const pages = {
  "": "Overview",
  index: "Index",
  query: "Query",
  audience: "Audience",
  graph: "Graph",
  catalog: "Catalog",
};

const modules = { "": "overview", index: "fields" };
const main = document.querySelector("main");
const nav = document.querySelector("nav");
const slow = 400; // milliseconds without an answer, after which the page says that it waits
let running = new AbortController(); // what the page that is shown has begun
let shown; // its name
let root; // where it draws

/** Makes an empty place to draw in. */
function stage(kind) {
  root = document.createElement("div");
  root.className = `page ${kind}`;
  main.replaceChildren(root);
  return root;
}

/** The page and the parameters that an address names. */
function parse(hash) {
  const [path, query] = hash.replace(/^#\/?/, "").split(/\?(.*)/s);
  return [path, Object.fromEntries(new URLSearchParams(query ?? ""))];
}

function drawNav(page) {
  render(Object.entries(pages).map(([name, title]) => html`<a href="#/${name}"
    aria-current=${name === page ? "page" : "false"}>${title}</a>`), nav);
  nav.querySelector('[aria-current="page"]')?.scrollIntoView({ block: "nearest", inline: "nearest" });
}

/** Shows the page of the address. What the last one has begun ends. */
async function open() {
  const [page, params] = parse(location.hash);
  running.abort();
  running = new AbortController();
  const { signal } = running;
  drawNav(page);
  if (!Object.hasOwn(pages, page)) return showFailure({ message: `There is no page ${clip(page)}.` }, "No such page",
    html`<a href="#/">Overview</a>`);
  document.title = `${pages[page]} · Uproar`;
  if (page !== shown) {
    stage(page || "overview");
    if (shown !== undefined) {
      main.focus();
      scrollTo(0, 0);
    }
    shown = page;
  }
  const place = root;
  setTimeout(() => {
    if (signal.aborted || place.hasChildNodes()) return;
    render(html`<p class="faint" role="status">Asking the server …</p>`, place);
  }, slow);
  try {
    await (await load(page)).open(root, params, signal);
  } catch (error) {
    if (!signal.aborted && !(error instanceof Failure && error.status === 401)) showFailure(error);
  }
}

/** The module of a page. */
const load = (page) => import(`./${modules[page] ?? page}.js`).catch((error) => {
  throw error instanceof TypeError ? new Failure({ message: "The server does not answer." }, 0) : error;
});

function showFailure(error, title = "That did not work", on = html`<button type="button"
  @click=${open}>Try again</button>`) {
  shown = undefined;
  document.title = `${title} · Uproar`;
  render(html`<h1>${title}</h1>${failure(error)}<p>${on}</p>`, stage("failed"));
}

/** Asks for a token, and shows the page again with it. */
function askToken(message) {
  running.abort();
  shown = undefined;
  const submit = (e) => {
    e.preventDefault();
    token.set(new FormData(e.target).get("token").trim());
    open();
  };
  render(html`<section class="card sign-in"><h1>This server wants a token</h1>
    <p>It is kept in this tab, and sent to this server only. ${token.get() ? message : ""}</p>
    <form @submit=${submit}><label class="field"><span>Token</span>
      <input name="token" type="password" autocomplete="off" required autofocus></label>
      <button class="main" type="submit">Go on</button></form></section>`, stage("asking"));
  main.querySelector("input").focus();
}

addEventListener("hashchange", open);
addEventListener("token-wanted", (e) => askToken(e.detail));
keepFocus(main);
document.querySelector(".skip").addEventListener("click", () => main.focus());
await open();
for (const page of Object.keys(pages)) load(page).catch(() => {}); // so that it is there when the server is not
