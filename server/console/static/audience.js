// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

// Audience: build one by clicking; its size, words, demographics and cross-tabs; another beside it.

import { answers, get, indexes, post } from "./api.js";
import { html, render, nothing, card, choice, chosenOf, clip, count, percent, times, failure, go, empty, here,
  indexChoice, leftOut, plural, switches, written } from "./dom.js";
import { bars, heat, histogram, matrix, meter, wordCloud } from "./charts.js";
import { builder, builtWith, conditionOn, queriesOf, queryOf, readConditions, toggled } from "./conditions.js";
import { partOf, turner } from "./parts.js";
import { banded, isNumber, isRelation, shownFields } from "./values.js";

const built = 24; // fields that conditions are built with at a time
const described = 9; // fields whose demographics are shown
const words = 60;
const values = 7; // that are shown of a field
const crossed = 12; // rows of a cross-tab, and columns
const overlapped = 8; // audiences

/** The index of a name, or else the largest that is a table: no graph, no catalog. */
function choose(list, name, odd) {
  const tables = list.filter((x) => !x.application && x.records && shownFields(x).some((f) => !isRelation(f)) &&
    x.index !== "audiences");
  return { tables, index: chosenOf(tables, name, (x) => [x.index, ...x.aliases], odd) ??
    tables.toSorted((a, b) => b.records - a.records)[0] };
}

let last; // what was shown before, which stays until the new one is there

/** Opens the page. */
export async function open(root, params, signal) {
  const odd = [];
  const { tables, index } = choose(await indexes(signal), params.index, odd);
  if (!index) return render(blank(), root);
  const all = shownFields(index).filter((f) => !isRelation(f));
  const conditions = readConditions(params.a, odd);
  const looked = { find: params.find, from: params.from };
  const fields = builtWith(conditions, all, partOf(all, looked, built).part);
  const of = await about(index, fields, signal);
  const named = all.filter((f) => !isNumber(f));
  const near = named.filter((f) => fields.includes(f));
  const size = (f) => of.found.get(f.name)?.rows?.length ?? 0;
  const field = (name) => chosenOf(named, name, (f) => [f.name], odd);
  const state = { root, tables, index, odd, all, fields, named, near, looked, ...of, conditions,
    other: params.b && !["rest", "none"].includes(params.b) ? readConditions(params.b, odd) : undefined,
    wordField: field(params.w) ?? near.find((f) => f.type === "set") ?? near.toSorted((a, b) => size(b) - size(a))[0],
    by: (chosenOf(measures, params.by, (m) => [m[0]], odd) ?? measures[0])[0] };
  // A cross-tab is best of a field with many values and one with few; one with a condition has fewest. That of a
  // set counts each value of each record, which takes longest.
  const free = near.filter((f) => !conditionOn(conditions, f.name) && size(f) > 1)
    .toSorted((a, b) => (a.type === "set") - (b.type === "set") || size(b) - size(a));
  const few = free.findLast((f) => f.type !== "set" && f !== free[0]) ?? free[1];
  Object.assign(state, { x: (field(params.x) ?? free[0])?.name, y: (field(params.y) ?? few)?.name });
  if (last?.root === root && last.index.index === index.index) {
    const { report, cloud, bands, cross, second, sets, unseen } = last;
    Object.assign(state, { report, cloud, bands, cross, second, sets, unseen, busy: true });
  }
  last = state;
  state.q = queryOf(state.conditions);
  state.b = params.b ?? (state.q === "all" ? "none" : "rest");
  state.draw = () => signal.aborted || render(view(state), root);
  state.to = (change, turned) => go("audience", { index: index.index, a: params.a, b: params.b, w: params.w,
    by: params.by, x: params.x, y: params.y, ...looked, ...change }, turned);
  state.build = (conditions) => state.to({ a: Object.keys(conditions).length ? JSON.stringify(conditions)
    : undefined });
  state.save = (event) => save(state, event, signal);
  state.forget = (name) => forget(state, name, signal);
  state.draw();
  await fill(state, signal).catch((error) => {
    if (signal.aborted) return;
    Object.assign(state, { problem: error, report: undefined });
  });
  state.busy = false;
  state.draw();
}

const measures = [["count", "Frequent"], ["lift", "Typical"]];
const cached = new Map(); // index → what its fields hold, for as long as its commits are the same

/** What the fields of an index hold, and its saved audiences. */
async function about({ index, sequence }, fields, signal) {
  if (cached.get(index)?.sequence !== sequence) cached.set(index, { sequence, found: new Map() });
  const { found } = cached.get(index);
  const missing = fields.filter((f) => !found.has(f.name)).map((f) => (isNumber(f)
    ? { name: f.name, answer: "numbers", field: f.name, quantiles: [0.5] }
    : { name: f.name, answer: "top", field: f.name, limit: 10 }));
  const [{ audiences }, reply] = await Promise.all([get("/v1/audience/saved", { index }, signal),
    missing.length ? answers(index, "all", missing, signal) : { answers: [] }]);
  for (const a of reply.answers) found.set(a.name, a.rows ? { rows: a.rows, more: a.cursor !== undefined }
    : { figures: a });
  return { saved: audiences, found };
}

/** The other audience that an address names: its name, and its query. */
function otherOf({ b, q, other }) {
  if (b === "none") return undefined;
  return b === "rest" ? { name: "all others", q: `not (${q})` } : { name: queryOf(other), q: queryOf(other) };
}

/** Asks for what is shown about the audience: in one report, and then for pictures of numbers and the cross-tab. */
async function fill(state, signal) {
  const { index, q, wordField, fields, near, saved } = state;
  const second = otherOf(state);
  const parts = queriesOf(state.conditions);
  const sets = [["this", q], ...(second ? [[second.name, second.q]] : []),
    ...(parts.length > 1 ? parts.map((p) => [p, p]) : []),
    ...saved.filter((s) => !s.error).map((s) => [s.name, queryOf({ "": { in: [s.name] } })])];
  const unseen = sets.splice(overlapped).map(([name]) => name);
  const shown = fields.filter((f) => f !== wordField).slice(0, described).map((f) => f.name);
  const { report } = Object.assign(state, { report: await post("/v1/audience/report", { index: index.index, q,
    words: wordField ? [{ field: wordField.name, limit: words }] : [],
    demographics: shown.length ? { fields: shown, limit: values } : undefined,
    compare: second && { with: second.q, fields: near.slice(0, 6).map((f) => f.name), limit: 3 },
    overlap: sets.slice(1).map(([, one]) => one) }, signal) });
  Object.assign(state, { second, sets, unseen, busy: false });
  if (wordField) state.cloud = await drawCloud(state, report.words[0]);
  state.draw();
  await Promise.all([countBands(state, shown, signal), countCross(state, signal)]);
}

/** Counts the two fields of the cross-tab: first their most frequent values, then each two of these. */
async function countCross(state, signal) {
  const { index: { index }, q, x, y } = state;
  state.cross = undefined;
  if (!x || !y || x === y) return;
  const { demographics: { fields } } = await post("/v1/audience/report", { index, q,
    demographics: { fields: [x, y], limit: crossed } }, signal);
  const keys = fields.map((f) => f.values.map((v) => v.key));
  const one = (field, key) => `${written(field)} = ${written(key)}`;
  const { overlap } = await post("/v1/audience/report", { index, q,
    overlap: [...keys[0].map((key) => `(${q}) and ${one(x, key)}`), ...keys[1].map((key) => one(y, key))] }, signal);
  state.cross = { fields: [x, y], keys, more: [x, y].filter((_, i) => fields[i].more),
    cells: keys[0].map((_, i) => overlap[1 + i].slice(1 + keys[0].length)) };
  state.draw();
}

/** The cross-tab, and what it leaves out. */
const crossTab = ({ fields, keys, more, cells }) => html`${heat(fields.join(" by "), fields, keys, cells)}
  ${more.length ? html`<small>Of ${more.join(" and of ")} the ${crossed} most frequent values.</small>` : nothing}`;

/** Counts the bands of the integers that are shown. */
async function countBands(state, shown, signal) {
  const { index, q, fields } = state;
  const numbers = fields.filter((f) => isNumber(f) && shown.includes(f.name)).filter((f) => {
    const { min, max } = state.found.get(f.name).figures;
    return String(min) !== String(max);
  });
  state.bands = undefined;
  if (!numbers.length) return;
  const reply = await answers(index.index, q, numbers.map((f) => {
    const { min, max } = state.found.get(f.name).figures;
    return { name: f.name, answer: "histogram", field: banded(f, min, max) };
  }), signal);
  state.bands = new Map(reply.answers.map((a) => [a.name, a.bands]));
  state.draw();
}

function drawCloud(state, { common, typical }) {
  const list = (state.by === "lift" ? typical : common).map((v) => ({ key: v.key,
    note: `${count(v.count)}, lift ${times(v.lift)}`,
    weight: state.by === "lift" ? v.lift : v.count }));
  if (!list.length) return html`<p class="faint">${common.length ? "No value is more frequent here than among all."
    : "Nobody has a value."}</p>`;
  return wordCloud(`Values of ${state.wordField.name}`, list, (key) => state.build(toggled(state.conditions,
    state.wordField.name, key)));
}

const blank = () => html`<h1>Audience</h1>${empty("There is no table of people yet",
  "An audience is a part of a table: who likes tea and is older than 35? Load a table, and build it by clicking:", [
    `printf 'id,likes,age\\nann,tea,30\\nbob,coffee,40\\n' > people.csv`,
    `uproar import audience --to ${here()} --yes people.csv`,
    `curl '${here()}/v1/audience/size?index=people&q=likes=tea'`])}`;

function view(state) {
  const { tables, index, odd, all, fields, found, saved, report, conditions, looked, q, problem, busy } = state;
  const parts = queriesOf(conditions);
  return html`<div class="row"><h1 class="grow">Audience</h1>
    ${indexChoice(tables, index.index, "audience")}</div>
  ${leftOut(odd, "audience")}
  <div class="side">
    ${card("Who", html`<small>Click a value to want it, again to refuse it.</small>
      ${turner("fields", all, looked, built, (next) => state.to(next, true))}
      ${builder(conditions, fields, found, saved, state.build)}`,
    parts.length ? html`<button type="button" @click=${() => state.build({})}>All</button>` : nothing)}
    <div class="stack" aria-busy=${busy ? "true" : "false"}>
      <section class="card" aria-label="Size"><div class="row middle">
        <p class="grow" aria-live="polite">${report && !busy
          ? html`<span class="big">${count(report.size.records)}</span>
          of ${plural(report.size.of, "record")}` : "…"}</p>
        <a href=${`#/query?${new URLSearchParams({ index: index.index, q })}`}>As a query</a></div>
        ${report ? meter(report.size.share) : nothing}<code class="wrap">${q}</code>${failure(problem)}</section>
      ${report ? results(state) : nothing}</div></div>`;
}

function results(state) {
  const { report, named, wordField, by, x, y, cross, second, sets, unseen, to } = state;
  const names = named.map((f) => [f.name, clip(f.name)]);
  return html`
    ${wordField ? card("Words", state.cloud ?? nothing, html`<div class="row">
      ${choice("Field", names, wordField.name, (w) => to({ w }))}
      ${switches("Size by", measures, by, (v) => to({ by: v }))}</div>`)
        : nothing}
    <div class="cards">${(report.demographics?.fields ?? []).map((d) => distribution(state, d))}</div>
    ${named.length > 1 ? card("Cross-tab", cross ? crossTab(cross)
      : html`<p class="faint">${x && y && x !== y ? "Counting … Of many values for each record it takes a while."
        : "Choose two fields."}</p>`, html`<div class="row">
      ${choice("Rows", names, x, (v) => to({ x: v }))}
      ${choice("Columns", names, y, (v) => to({ y: v }))}</div>`) : nothing}
    ${comparison(state, second)}
    ${sets.length > 1 ? card("Overlap", html`<small>How many are in both,
      and which share of the row's audience that is.</small>
      ${matrix("Overlap", sets.map(([name]) => name), report.overlap)}
      ${unseen.length ? html`<small>Without ${clip(unseen.join(", "), 400)}: it has room for ${overlapped}.</small>`
        : nothing}`) : nothing}
    ${saving(state)}`;
}

function distribution(state, d) {
  const bands = state.bands?.get(d.field);
  const field = state.fields.find((f) => f.name === d.field);
  if (!d.values) {
    const f = d.figures;
    return card(d.field, f ? html`${bands?.length ? histogram(`The audience by ${d.field}`, bands) : nothing}
      <p class="faint">median ${f.quartiles[1]} · half from ${f.quartiles[0]} to ${f.quartiles[2]}</p>`
      : html`<p class="faint">Nobody has a value.</p>`);
  }
  return card(d.field, d.values.length ? bars(`The audience by ${d.field}`, d.values.slice(0, values).map((v) => ({
    key: v.key,
    count: v.count,
    text: percent(v.share), note: times(v.lift) })), (key) => state.build(toggled(state.conditions, field.name, key)),
  ["Value", "Share"]) : html`<p class="faint">Nobody has a value.</p>`);
}

function comparison(state, second) {
  const { saved, b, to, report: { compare } } = state;
  const pinned = !["rest", "none"].includes(b) && !saved.some((s) => b === savedAs(s))
    ? [[b, clip(second?.name ?? "")]] : [];
  const options = [["none", "nobody"], ["rest", "all others"],
    ...saved.filter((s) => !s.error).map((s) => [savedAs(s), clip(s.name)]), ...pinned];
  return card("Beside another", html`
    ${compare ? html`<p>${count(compare.records)} here, ${count(compare.other)} there,
      ${count(compare.both)} in both.</p>
      <div class="cards">${(compare.fields ?? []).filter((f) => f.more.length + f.less.length).map((f) => html`<div>
        <h3>${f.field}</h3>${bars(`How ${f.field} differs`, [...f.more.map((d) => ({ ...d, kind: "" })),
          ...f.less.toReversed().map((d) => ({ ...d, kind: "second" }))].map((d) => ({ key: d.key, kind: d.kind,
          count: Math.abs(Math.log2(d.ratio || 1 / 64)), text: times(d.ratio),
          note: `${percent(d.share)} / ${percent(d.other_share)}` })), undefined,
          ["Value", "Times as frequent"], 1)}</div>`)}</div>`
      : html`<p class="faint">Choose whom to compare with, or keep this audience and build another one.</p>`}`,
  html`<div class="row">${choice("Compare with", options, b, (v) => to({ b: v }))}
    <button type="button"
      @click=${() => to({ b: JSON.stringify(state.conditions) })}>Keep this one there</button></div>`,
  "wide");
}

const savedAs = (s) => JSON.stringify({ "": { in: [s.name] } });

function saving(state) {
  return card("Save", html`<form class="row" @submit=${state.save}>
    <label class="field grow"><span>Name</span><input name="name" required maxlength="200" autocomplete="off"></label>
    <label class="check"><input type="checkbox" name="follows"> it follows the data</label>
    <button class="main" type="submit">Save</button></form>
    <span class="done" aria-live="polite">${state.done ?? ""}</span>
    ${state.saved.length ? html`<ul class="past">${state.saved.map((s) => html`<li><span><bdi>${s.name}</bdi>
      <small>${s.error ?? `${count(s.records)}${s.follows ? ", follows" : ""}`}</small></span>
      <button type="button" aria-label="Forget ${s.name}"
        @click=${() => state.forget(s.name)}>Forget</button></li>`)}</ul>`
        : nothing}`);
}

async function save(state, event, signal) {
  event.preventDefault();
  const form = new FormData(event.target);
  await write(state, "/v1/audience/save", { index: state.index.index, name: form.get("name"), q: state.q,
    follows: form.has("follows") }, `${form.get("name")} is saved.`, signal);
}

const forget = (state, name, signal) =>
  write(state, "/v1/audience/forget", { index: state.index.index, name }, `${name} is forgotten.`, signal);

async function write(state, path, body, done, signal) {
  state.problem = undefined;
  try {
    await post(path, body, signal);
    state.saved = (await get("/v1/audience/saved", { index: state.index.index }, signal)).audiences;
    state.done = done;
    await fill(state, signal);
  } catch (error) {
    if (signal.aborted) return;
    state.problem = error;
  }
  state.draw();
}
