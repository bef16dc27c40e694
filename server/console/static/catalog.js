// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

// Catalog: a form of what is wanted, the record that counts, why several do, and ambiguous rules.

import { get, indexes, post, Failure } from "./api.js";
import { html, render, nothing, repeat, card, choice, chosenOf, clip, count, plural, failure, go, empty, here,
  indexChoice, leftOut } from "./dom.js";
import { conditionOn, readConditions } from "./conditions.js";
import { focusOn } from "./focus.js";
import { recordTable } from "./values.js";

const offered = 14; // values of an attribute that are shown
const pageSize = 20;

/** The name that a catalog is asked by: an import makes an index of its own, and an alias of the name. */
const nameOf = (index) => index.aliases[0] ?? index.index;

/** Opens the page. */
export async function open(root, params, signal) {
  const catalogs = (await indexes(signal)).filter((x) => x.application === "catalog");
  const odd = [];
  const index = chosenOf(catalogs, params.name, (x) => [x.index, ...x.aliases], odd) ?? catalogs[0];
  if (!index) return render(blank(), root);
  const state = { catalogs, index, odd, catalog: nameOf(index), where: readConditions(params.where, odd, true) };
  state.draw = () => signal.aborted || render(view(state), root);
  state.to = (change) => go("catalog", { name: state.catalog, where: params.where, by: params.by, ...change });
  state.want = (attribute, value) => {
    const where = new Map(Object.entries(state.where));
    if (value) where.set(attribute, value);
    else where.delete(attribute);
    state.to({ where: where.size ? JSON.stringify(Object.fromEntries(where)) : undefined });
    focusOn(value ? `[data-wanted=${CSS.escape(attribute)}]` : `[data-facet=${CSS.escape(attribute)}]`);
  };
  state.check = () => check(state, signal);
  state.page = (from) => list(state, from, signal).catch((error) => {
    state.problem = error;
  }).then(state.draw);
  try {
    const { attributes } = await get("/v1/catalog/schema", { catalog: state.catalog }, signal);
    Object.assign(state, { all: attributes.map((a) => a.name),
      sorts: attributes.filter((a) => !a.rule).map((a) => a.name) });
    state.by = chosenOf(state.sorts, params.by, (n) => [n], odd);
    state.draw();
    await fill(state, signal);
  } catch (error) {
    if (signal.aborted || !(error instanceof Failure) || error.status === 401) throw error;
    state.problem = error;
  }
  state.draw();
}

/** Asks what is possible, what counts, and what fits. */
async function fill(state, signal) {
  const { catalog, where, all } = state;
  const [facets, found] = await Promise.all([
    post("/v1/catalog/facets", { catalog, where, limit: offered }, signal),
    Object.keys(where).length ? post("/v1/catalog/search", { catalog, searches: [where], limit: 10, show: all }, signal)
      : undefined,
    list(state, 0, signal)]);
  Object.assign(state, { facets: facets.facets, fits: facets.count, found: found?.answers[0] });
}

/** Asks for a page of the records that fit. */
async function list(state, from, signal) {
  const { catalog, where, by, all } = state;
  const reply = await post("/v1/catalog/sorted", { catalog, where, from, limit: pageSize, show: all,
    ...(by ? { by } : {}) }, signal);
  state.listed = { ...reply, from };
}

const blank = () => html`<h1>Catalog</h1>${empty("There is no catalog yet",
  "A catalog finds the record that counts under some conditions: a price, a discount. Load one, and search it:", [
    `printf 'id,article,customer,percent\\nlist,tea,,0\\ntrade,tea,trade|staff,10\\n' > discounts.csv`,
    `echo '{"key":"id","attributes":[{"name":"article"},{"name":"customer","rule":true},{"name":"percent","type":"number","info":true}]}' > discounts.json`,
    `uproar import catalog --to ${here()} --name discounts --schema discounts.json discounts.csv`])}`;

function view(state) {
  const { catalogs, catalog, index, odd, where, problem } = state;
  const wanted = Object.entries(where);
  return html`<div class="row"><h1 class="grow">Catalog</h1>
    ${indexChoice(catalogs, catalog, "catalog", nameOf, "name", "Catalog")}</div>
  ${leftOut(odd, "catalog")}${failure(problem)}
  ${index.records ? nothing : html`<p class="faint">This catalog has no records.</p>`}
  <div class="side">
    ${card("What is wanted", html`${wanted.length ? html`<div class="wanted">${repeat(wanted, ([name]) => name,
        ([name, value]) => html`<span><span class="faint">${name}</span> <bdi>${said(value)}</bdi></span>
        <button type="button" aria-label="Take back ${name}" data-wanted=${name}
          @click=${() => state.want(name)}>×</button>`)}</div>`
      : html`<small>Choose a value of any attribute. What is not named may be anything.</small>`}
      ${form(state)}`, wanted.length ? html`<button type="button"
        @click=${() => state.to({ where: undefined })}>All</button>`
      : nothing)}
    <div class="stack">${answer(state)}${fitting(state)}${faults(state)}</div></div>`;
}

const said = (value) => (typeof value === "string" ? value : JSON.stringify(value));

function form({ facets, want, where }) {
  const typed = (f) => (f.min !== undefined || f.ranges || f.more || !f.values?.length
    ? html`<input aria-label=${f.attribute} autocomplete="off"
      placeholder=${f.min === undefined ? "a value" : `${f.min} … ${f.max ?? ""}`}
      @change=${(e) => e.target.value.trim() && want(f.attribute, e.target.value.trim())}>` : nothing);
  const open = (facets ?? []).filter((f) => conditionOn(where, f.attribute) === undefined);
  return html`<div class="builder">${repeat(open, (f) => f.attribute, (f, i) => html`
    <details ?open=${innerWidth > 860 || i < 2}><summary data-facet=${f.attribute}>${f.attribute}</summary>
      ${f.values?.length ? html`<div class="chips" role="group" aria-label=${f.attribute}>${f.values.map((v) =>
        html`<button type="button" class="chip" title=${v.value}
          @click=${() => want(f.attribute, v.value)}><bdi>${v.value
          || "(empty)"}</bdi> <small>${count(v.count)}</small></button>`)}
        ${f.more ? html`<small>and others</small>` : nothing}</div>` : nothing}${typed(f)}
      ${f.any ? html`<small>${plural(f.any, "record")} for any value</small>` : nothing}</details>`)}</div>`;
}

/** The record that counts, or why there is none, or several. */
function answer({ found, where, fits, facets }) {
  if (!facets) return nothing;
  const number = html`<small aria-live="polite">${plural(fits, "record")} ${fits === 1 ? "fits" : "fit"}</small>`;
  if (!found) return card("What counts", html`<p class="faint">Say what is wanted,
    and the record that counts is here.</p>`, number);
  if (found.error) return card("What counts", failure(found.error), number);
  const record = (r, differ = []) => html`<dl class="record">
    <dt>key</dt><dd>${r.key}</dd>${Object.entries(r.values ?? {})
    .map(([name, value]) => html`<dt>${name}</dt><dd class=${conditionOn(where, name) !== undefined ? "met"
      : differ.includes(name) ? "warn"
      : ""}>${value}</dd>`)}</dl>`;
  if (found.found === "one") {
    return card("One counts", html`${record(found.records[0])}
      <small>Of those that fit, it has conditions on most of the attributes that are named,
        or the highest priority.</small>`, number);
  }
  if (found.found === "nothing") {
    return card("Nothing counts", html`<p>${found.unknown
      ? html`No record ever had this value of <strong>${found.unknown}</strong>.`
      : "No record fits all of this."}</p>`, number);
  }
  const differ = found.deciding ?? [];
  return card("Several count", html`<p>None of these counts more than another. ${differ.length
    ? html`They differ in ${differ.map((d, i) => html`${i ? ", " : ""}<strong>${d}</strong>`)},
      of which nothing was said.`
    : "They differ in nothing that could be said."}</p>
    <div class="cards">${found.records.slice(0, 6).map((r) => record(r, differ))}</div>
    ${found.more ? html`<small>and others</small>` : nothing}`, number);
}

function fitting({ listed, all, sorts, by, to, page }) {
  if (!listed) return nothing;
  const { from, records, count: n } = listed;
  const button = (text, at, off) => html`<button type="button" ?disabled=${off}
    @click=${() => page(at)}>${text}</button>`;
  return card("All that fit", records.length ? html`${recordTable("Records that fit", records, all)}
    <div class="row middle">${button("Before", Math.max(0, from - pageSize), from === 0)}
      <small aria-live="polite">${count(from + 1)} to ${count(from + records.length)} of ${count(n)}</small>
      ${button("After", from + pageSize, from + pageSize >= n)}</div>` : html`<p class="faint">No record.</p>`,
  choice("Sorted by", [["", "first writing"], ...sorts.map((n) => [n, clip(n)])], by ?? "", (v) => to({ by: v })));
}

function faults({ faults: found, more, check: run, checking }) {
  return card("Ambiguous rules", html`<p class="faint">Records that fit the same search, of which neither counts more,
    and
    records that no search finds. All records are read: seconds for a large catalog.</p>
    ${found?.length ? html`<ul>${found.map((f) => html`<li>${f.message}</li>`)}</ul>` : nothing}
    <p class="done" aria-live="polite">${found ? (found.length ? `${count(found.length)}${more ? " and others"
      : ""} found.`
      : "None: each search has one answer.") : ""}</p>`,
  html`<button type="button" ?disabled=${checking} @click=${run}>${checking ? "Checking …" : "Check"}</button>`);
}

async function check(state, signal) {
  Object.assign(state, { checking: true, problem: undefined });
  state.draw();
  try {
    Object.assign(state, await get("/v1/catalog/check", { catalog: state.catalog, limit: 50 }, signal));
  } catch (error) {
    state.problem = error;
  }
  state.checking = false;
  state.draw();
}
