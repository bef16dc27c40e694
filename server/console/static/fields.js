// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

// Index: its fields, what is in them, some of its records, and a new one.

import { answers, get, indexes, post } from "./api.js";
import { html, render, nothing, card, choice, count, plural, bytes, failure, go, href, empty, here,
  written } from "./dom.js";
import { drawValues, isNumber, isRelation, kindOf, recordTable, shownFields, valuesOf } from "./values.js";

const topValues = 8;
const atFirst = 12; // fields whose values are shown without being asked for
const sampled = 6;

/** Opens the page. */
export async function open(root, params, signal) {
  const list = await indexes(signal);
  if (!list.length) return render(blank(), root);
  const index = list.find((x) => x.index === params.name || x.aliases.includes(params.name)) ??
    list.reduce((most, x) => (x.records > most.records ? x : most));
  const state = { list, index, fields: shownFields(index), found: new Map(), records: [], seed: 1 };
  state.draw = () => signal.aborted || render(view(state), root);
  state.more = async (field) => {
    state.found.set(field.name, await valuesOf(index.index, "all", field, topValues, signal));
    state.draw();
  };
  state.sample = async () => {
    const drawn = await answers(index.index, "all",
      [{ name: "some", answer: "sample", limit: sampled, seed: state.seed++ }], signal);
    const keys = drawn.answers[0].keys ?? [];
    const names = state.fields.filter((f) => !isRelation(f)).map((f) => f.name);
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
  await state.sample();
  for (const field of state.fields.slice(0, atFirst)) await state.more(field);
}

const blank = () => html`<h1>Index</h1>${empty("There is no index",
  "An index has records, and fields with their values. Make one, and write a record:", [
    `curl --json '{"index":"people","fields":[{"name":"city","type":"single"},{"name":"age","type":"integer"}]}' \\`,
    `  ${here()}/v1/indexes/create`,
    `curl --json '{"index":"people","puts":[{"key":"ann","values":{"city":"Oslo","age":30}}]}' \\`,
    `  ${here()}/v1/records/write`])}`;

function view(state) {
  const { list, index, fields, stats, found } = state;
  const sizes = new Map();
  for (const f of stats?.fields ?? []) {
    const name = f.name.replace(/\.(forward|keys|hashes)$/, "");
    sizes.set(name, { ...f, ...sizes.get(name), bytes: (sizes.get(name)?.bytes ?? 0) + f.bytes });
  }
  return html`<div class="row"><h1 class="grow">${index.index}</h1>
    ${choice("Index", list.map((x) => [x.index, `${x.index} (${count(x.records)})`]), index.index,
      (name) => go("index", { name }))}
    <a href=${href("query", { index: index.index })}>Ask it</a></div>
  <p class="faint" aria-live="polite">${plural(index.records, "record")}, ${bytes(index.bytes)},
    ${plural(fields.length, "field")}, ${plural(index.sequence, "commit")}${index.aliases.length
      ? `, also called ${index.aliases.join(", ")}` : ""}</p>
  <div class="cards">${fields.map((f) => fieldCard(state, f, sizes.get(f.name), found.get(f.name)))}</div>
  ${state.records.length ? card("Some records", recordTable("Some records", state.records, state.names),
    html`<button type="button" @click=${state.sample}>Others</button>`) : nothing}
  ${index.application ? nothing : card("Add a record", recordForm(state))}`;
}

function fieldCard(state, field, size, found) {
  const { index } = state;
  const ask = isNumber(field) ? undefined : (key) => go("query", { index: index.index, q: isRelation(field)
    ? `${written(field.name)}(${written(key)})` : `${written(field.name)} = ${written(key)}` });
  const waits = !found && state.fields.indexOf(field) >= atFirst && index.records > 0;
  return card(field.name, waits ? html`<p><button type="button"
    @click=${() => state.more(field)}>Show its values</button></p>`
    : drawValues(field, index.records ? found : { rows: [] }, ask),
  html`<small>${kindOf(field)}${size ? ` · ${isNumber(field) ? ""
    : `${count(size.rows)} different · `}${bytes(size.bytes)}`
    : ""}</small>`);
}

function recordForm({ fields, add, added, problem }) {
  return html`<form class="stack" @submit=${add}>
    <div class="cards"><label class="field"><span>Key</span><input name="key" required maxlength="512"
      autocomplete="off"></label>
      ${fields.map((f) => html`<label class="field"><span>${f.name} (${kindOf(f)}${f.type === "set" || isRelation(f)
        ? "; several with |" : ""})</span><input name=${`f.${f.name}`} autocomplete="off"></label>`)}</div>
    <div class="row middle"><button class="main" type="submit">Write it</button>
      <span aria-live="polite" class="done">${added ?? ""}</span></div>${failure(problem)}</form>`;
}

/** The values of a form, as a record has them. */
function valueOf(field, text) {
  if (isNumber(field)) return /^-?\d+(\.\d+)?$/.test(text) && Number.isSafeInteger(Math.trunc(Number(text)))
    ? Number(text) : text;
  return field.type === "single" ? text : text.split("|").map((one) => one.trim()).filter(Boolean);
}

/** Writes the record of the form: what a field had before, and the form leaves empty, stays. */
async function add(state, event, signal) {
  event.preventDefault();
  const form = new FormData(event.target);
  const values = {};
  for (const f of state.fields) {
    const text = form.get(`f.${f.name}`).trim();
    if (text) values[f.name] = valueOf(f, text);
  }
  const key = form.get("key");
  state.problem = state.added = undefined;
  try {
    const { sequence } = await post("/v1/records/write", { index: state.index.index, merges: [{ key, values }] },
      signal);
    state.added = `${key} is written, with commit ${count(sequence)}.`;
    event.target.reset();
  } catch (error) {
    state.problem = error;
  }
  state.draw();
}
