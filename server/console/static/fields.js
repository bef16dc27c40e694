// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

// Index: its fields, what is in them, some of its records, and a new one.

import { answers, get, indexes, post } from "./api.js";
import { html, render, nothing, live, repeat, card, chosenOf, count, plural, bytes, failure, go, href, empty, here,
  indexChoice, leftOut, written } from "./dom.js";
import { partOf, turner } from "./parts.js";
import { drawValues, isNumber, isRelation, kindOf, recordTable, shownFields, valuesOf } from "./values.js";

const topValues = 8;
const shown = 12; // fields whose values are shown at a time, and fields of the form
const columns = 24; // fields of the records that are shown
const sampled = 6;

/** Opens the page. */
export async function open(root, params, signal) {
  const list = await indexes(signal);
  if (!list.length) return render(blank(), root);
  const odd = [];
  const index = chosenOf(list, params.name, (x) => [x.index, ...x.aliases], odd) ??
    list.reduce((most, x) => (x.records > most.records ? x : most));
  const state = { list, index, odd, fields: shownFields(index), found: new Map(), records: [], seed: 1, looked: {},
    form: {}, typed: new Map() };
  state.draw = () => signal.aborted || render(view(state), root);
  const fill = async () => { // the fields that are shown, one after the other
    const { looked } = state;
    for (const field of partOf(state.fields, looked, shown).part) {
      if (state.found.has(field.name)) continue;
      state.found.set(field.name, await valuesOf(index.index, "all", field, topValues, signal));
      if (state.looked !== looked) return;
      state.draw();
    }
  };
  state.guard = (run) => run().catch((error) => {
    if (signal.aborted) return;
    state.failed = error;
    state.draw();
  });
  state.look = (looked) => {
    state.looked = looked;
    state.draw();
    if (index.records) state.guard(fill);
  };
  state.sample = async () => {
    const drawn = await answers(index.index, "all",
      [{ name: "some", answer: "sample", limit: sampled, seed: state.seed++ }], signal);
    const keys = drawn.answers[0].keys ?? [];
    const names = state.fields.filter((f) => !isRelation(f)).slice(0, columns).map((f) => f.name);
    state.names = names;
    state.records = keys.length ? (await post("/v1/records/get", { index: index.index, keys, fields: names },
      signal)).records
      : [];
    state.draw();
  };
  state.add = (event) => add(state, event, signal);
  state.draw();
  state.stats = (await get("/v1/stats", { index: index.index }, signal)).indexes[0];
  state.draw();
  if (!index.records) return;
  await state.guard(state.sample);
  await state.guard(fill);
}

const blank = () => html`<h1>Index</h1>${empty("There is no index",
  "An index has records, and fields with their values. Make one, and write a record:", [
    `curl --json '{"index":"people","fields":[{"name":"city","type":"single"},{"name":"age","type":"integer"}]}' \\`,
    `  ${here()}/v1/indexes/create`,
    `curl --json '{"index":"people","puts":[{"key":"ann","values":{"city":"Oslo","age":30}}]}' \\`,
    `  ${here()}/v1/records/write`])}`;

function view(state) {
  const { list, index, odd, fields, stats, found, looked, failed } = state;
  const sizes = new Map();
  for (const f of stats?.fields ?? []) {
    const name = f.name.replace(/\.(forward|keys|hashes)$/, "");
    sizes.set(name, { ...f, ...sizes.get(name), bytes: (sizes.get(name)?.bytes ?? 0) + f.bytes });
  }
  return html`<div class="row"><h1 class="grow">${index.index}</h1>
    ${indexChoice(list, index.index, "index", undefined, "name")}
    <a href=${href("query", { index: index.index })}>Ask it</a></div>
  <p class="faint" aria-live="polite">${plural(index.records, "record")}, ${bytes(index.bytes)},
    ${plural(fields.length, "field")}, ${plural(index.commits, "commit")}${index.aliases.length
      ? `, also called ${index.aliases.join(", ")}` : ""}</p>
  ${leftOut(odd, "index")}${failure(failed)}
  ${turner("fields", fields, looked, shown, state.look)}
  <div class="cards">${repeat(partOf(fields, looked, shown).part, (f) => f.name,
    (f) => fieldCard(state, f, sizes.get(f.name), found.get(f.name)))}</div>
  ${state.records.length ? card("Some records", html`${recordTable("Some records", state.records, state.names)}
    ${fields.length > columns ? html`<small>The first ${columns} fields; <a href=${href("query",
      { index: index.index })}>a query</a> shows others.</small>` : nothing}`,
  html`<button type="button" @click=${() => state.guard(state.sample)}>Others</button>`) : nothing}
  ${index.application ? nothing : card("Add a record", recordForm(state))}`;
}

function fieldCard(state, field, size, found) {
  const { index } = state;
  const ask = isNumber(field) ? undefined : (key) => go("query", { index: index.index, q: isRelation(field)
    ? `${written(field.name)}(${written(key)})` : `${written(field.name)} = ${written(key)}` });
  return card(field.name, drawValues(field, index.records ? found : { rows: [] }, ask),
  html`<small>${kindOf(field)}${size ? ` · ${isNumber(field) ? ""
    : `${count(size.rows)} different · `}${bytes(size.bytes)}`
    : ""}</small>`);
}

function recordForm(state) {
  const { fields, add, added, problem, form, typed, draw } = state;
  const look = (next) => {
    state.form = next;
    draw();
  };
  return html`<form class="stack" @submit=${add}>
    ${turner("fields of the new record", fields, form, shown, look)}
    <div class="cards"><label class="field"><span>Key</span><input name="key" required maxlength="512"
      autocomplete="off"></label>
      ${repeat(partOf(fields, form, shown).part, (f) => f.name, (f) => html`<label class="field"><span>${f.name}
        (${kindOf(f)}${f.type === "set" || isRelation(f) ? "; several with |" : ""})</span><input autocomplete="off"
        .value=${live(typed.get(f.name) ?? "")} @input=${(e) => typed.set(f.name, e.target.value)}></label>`)}</div>
    <div class="row middle"><button class="main" type="submit">Write it</button>
      <span aria-live="polite" class="done">${added ?? ""}</span></div>${failure(problem)}</form>`;
}

/** The values of a form, as a record has them. A number stays the text that it is: one of JavaScript may be another. */
function valueOf(field, text) {
  return isNumber(field) || field.type === "single" ? text : text.split("|").map((one) => one.trim()).filter(Boolean);
}

/** Writes the record of the form: what a field had before, and the form leaves empty, stays. */
async function add(state, event, signal) {
  event.preventDefault();
  const values = Object.fromEntries(state.fields.flatMap((f) => {
    const text = state.typed.get(f.name)?.trim();
    return text ? [[f.name, valueOf(f, text)]] : [];
  }));
  const key = new FormData(event.target).get("key");
  state.problem = state.added = undefined;
  try {
    await post("/v1/records/write", { index: state.index.index, merges: [{ key, values }] }, signal);
    state.added = `${key} is written.`;
    state.typed.clear();
    event.target.reset();
  } catch (error) {
    state.problem = error;
  }
  state.draw();
}
