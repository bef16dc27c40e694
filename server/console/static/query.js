// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

// Query: an editor that counts while one types; the records, a chart of a field, the plan.

import { batch, file, indexes, post, Failure } from "./api.js";
import { html, render, nothing, card, choice, chosenOf, clip, count, percent, failure, go, href, empty, here,
  indexChoice, leftOut, plural, quietly, switches, took, written } from "./dom.js";
import { meter } from "./charts.js";
import { editor } from "./editor.js";
import { partOf, turner } from "./parts.js";
import { drawValues, isNumber, isRelation, recordTable, shownFields, since, valuesOf } from "./values.js";

const pageSize = 50;
const columns = 12; // fields of the records that are shown at a time
const pastKey = "uproar.queries";
const views = [["records", "Records"], ["chart", "Chart"], ["plan", "Plan"]];

/** What was asked in this browser, the newest first. */
const past = {
  list: () => {
    try {
      return [JSON.parse(localStorage.getItem(pastKey)) ?? []].flat().filter((p) => typeof p?.q === "string");
    } catch {
      return []; // something else wrote there
    }
  },
  add: (index, q) => localStorage.setItem(pastKey, JSON.stringify([{ index, q },
    ...past.list().filter((p) => p.index !== index || p.q !== q)].slice(0, 30))),
  clear: () => localStorage.removeItem(pastKey),
};

/** Opens the page. */
export async function open(root, params, signal) {
  const list = await indexes(signal);
  if (!list.length) return render(blank(), root);
  const odd = [];
  const index = chosenOf(list, params.index, (x) => [x.index, ...x.aliases], odd) ??
    list.reduce((most, x) => (x.records > most.records ? x : most));
  const fields = shownFields(index);
  const state = { list, index, odd, fields, q: params.q ?? "", looked: {},
    shown: (chosenOf(views, params.show, (v) => [v[0]], odd) ?? views[0])[0],
    field: (chosenOf(fields, params.field, (f) => [f.name], odd) ?? fields.find((f) => !isRelation(f)) ??
      fields[0])?.name };
  // The fields of which the query speaks are the first columns.
  const said = new Set(state.q.split(/[^\p{L}\p{N}_]+/u));
  const spoken = (f) => (said.has(f.name) || /[^\p{L}\p{N}_]/u.test(f.name) && state.q.includes(f.name) ? 0 : 1);
  state.columns = fields.filter((f) => !isRelation(f)).sort((a, b) => spoken(a) - spoken(b));
  const draw = () => signal.aborted || render(view(state), root);
  const guard = (run) => run().catch((error) => {
    if (signal.aborted) return;
    if (!(error instanceof Failure)) throw error;
    state.problem = error;
    draw();
  });
  const counted = async (asked) => {
    const start = performance.now();
    const [reply] = await batch([["/v1/query", { index: index.index, q: asked, answer: "count" }]], signal);
    const problem = reply instanceof Failure ? reply : undefined;
    if (asked === inEditor(state)) { // not typed on meanwhile
      Object.assign(state, { problem, count: reply.count, took: since(start), unknown: reply.unknown });
      draw();
    }
    return !problem;
  };
  const soon = quietly(() => guard(() => counted(inEditor(state))));
  const q = state.asked = inEditor(state);
  const typed = () => {
    state.copied = undefined;
    draw();
    soon();
  };
  state.uses = { index: index.index, fields, signal, draw, typed, run: () => run() };
  const run = (change = {}) => {
    const next = { index: index.index, q: state.q.trim(), show: state.shown, field: state.field, ...change };
    if (href("query", next) === location.hash) guard(show);
    else go("query", next);
  };
  state.run = run;
  state.more = () => guard(async () => {
    const names = partOf(state.columns, state.looked, columns).part.map((f) => f.name);
    const reply = await post("/v1/records/find", { index: index.index, q, limit: pageSize, fields: names,
      cursor: state.cursor }, signal);
    Object.assign(state, { names, records: [...(state.records ?? []), ...reply.records], cursor: reply.cursor });
    draw();
  });
  state.look = (looked) => {
    state.looked = looked;
    state.draw();
    guard(async () => {
      const names = partOf(state.columns, looked, columns).part.map((f) => f.name);
      const keys = state.records.map((r) => r.key);
      const { records } = await post("/v1/records/get", { index: index.index, keys, fields: names }, signal);
      if (state.looked === looked) Object.assign(state, { names, records });
      draw();
    });
  };
  state.draw = draw;
  state.export = (type, end) => guard(async () => {
    const link = document.createElement("a");
    link.href = URL.createObjectURL(await file("/v1/records/find", { index: index.index, q: inEditor(state) },
      type));
    link.download = `${index.index}.${end}`;
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
  });
  const show = async () => {
    state.records = state.cursor = state.found = state.plan = undefined;
    if (!(await counted(q))) return;
    if (params.q?.trim()) past.add(index.index, params.q.trim());
    if (state.shown === "records") return state.more();
    if (state.shown === "plan") {
      state.plan = (await post("/v1/query", { index: index.index, q, answer: "explain" }, signal)).plan;
    } else if (state.field) {
      state.found = await valuesOf(index.index, q, fields.find((f) => f.name === state.field), 20, signal);
    }
    draw();
  };
  draw();
  await guard(show);
}

/** The query that is written in the editor. */
const inEditor = (state) => state.q.trim() || "all";

const blank = () => html`<h1>Query</h1>${empty("There is nothing to ask yet",
  "A query finds the records of an index. Load a table, and ask it here or from the command line:", [
    `uproar import audience --to ${here()} --yes people.csv`,
    `uproar query --url ${here()} --index people 'age > 30'`,
    `curl --get --data-urlencode 'q=age > 30' '${here()}/v1/query?index=people&answer=count'`])}`;

function view(state) {
  const { list, index, odd, fields, shown, run, problem } = state;
  const copy = () => {
    const link = new URL(href("query", { index: index.index, q: state.q.trim(), show: shown, field: state.field }),
      location.href).href;
    return (navigator.clipboard?.writeText(link) ?? Promise.reject()).then(() => "Copied.",
      () => html`Copy this: <a href=${link}>${link}</a>`).then((said) => {
      state.copied = said; // a page that is not encrypted has no clipboard
      state.draw();
    });
  };
  const wrong = problem?.status === 400;
  const download = (text, type) => html`<button type="button" ?disabled=${wrong}
    @click=${() => state.export(type, text.toLowerCase())}>${text}</button>`;
  return html`<div class="row"><h1 class="grow">Query</h1>
    ${indexChoice(list, index.index, "query")}</div>
  ${leftOut(odd, "query")}
  <section class="card" aria-label="Question">
    ${editor(state, state.uses)}
    <div class="row middle"><button class="main" type="button" @click=${() => run()}>Ask</button>
      <span id="count" class="grow" aria-live="polite">${counter(state)}</span>
      <small id="keys">Tab completes, Escape closes, Enter asks</small></div>
    ${failure(state.problem)}
    ${state.unknown ? html`<p class="warn">Not in this index: ${state.unknown.join(", ")}</p>` : nothing}
  </section>
  <section class="card" aria-label="Answer">
    <div class="head">${switches("Show", views, shown, (v) => run({ show: v }))}
      ${shown === "chart" ? choice("Field", fields.map((f) => [f.name, clip(f.name)]), state.field,
        (f) => run({ field: f }))
        : nothing}
      <div class="row middle">${download("CSV", "text/csv")} ${download("Parquet", "application/vnd.apache.parquet")}
        <button type="button" @click=${copy}>Copy link</button>
        <span class="done" aria-live="polite">${state.copied ?? nothing}</span></div></div>
    ${wrong ? html`<p class="faint">The query has to be mended first.</p>` : answer(state)}
  </section>
  ${history(state)}`;
}

function counter({ count: n, index, took: time, problem }) {
  if (problem) return html`<span class="faint">not a query yet</span>`;
  if (n === undefined) return "…";
  return html`<span class="big">${count(n)}</span> of ${plural(index.records, "record")}
    <span class="faint">${index.records ? percent(n / index.records) : ""} · ${time}</span>`;
}

function answer(state) {
  if (state.asked !== inEditor(state)) return html`<p class="faint">Ask for what is written now to see it here.</p>`;
  if (state.shown === "plan") return state.plan ? planTree(state.plan) : nothing;
  if (state.shown === "chart") {
    const field = state.fields.find((f) => f.name === state.field);
    if (!field) return html`<p class="faint">The index has no field.</p>`;
    const narrow = (key) => state.run({ q: `${state.q.trim() ? `(${state.q.trim()}) and ` : ""}${isRelation(field)
      ? `${written(field.name)}(${written(key)})` : `${written(field.name)} = ${written(key)}`}` });
    return drawValues(field, state.found, isNumber(field) ? undefined : narrow);
  }
  if (!state.records) return nothing;
  if (!state.records.length) return html`<p class="faint">No record matches.</p>`;
  return html`${turner("columns", state.columns, state.looked, columns, state.look)}
    ${recordTable("Records", state.records, state.names)}
    ${state.cursor ? html`<p><button type="button" @click=${state.more}>More</button>
      <small>${count(state.records.length)} of ${count(state.count)}</small></p>` : nothing}`;
}

const planTree = (plan) => html`<div class="step names" aria-hidden="true"><span>Step</span><span
  class="number">Records</span>
  <span class="number">Time</span><span>Share, and estimate</span></div>
  <ul class="plan" aria-label="Steps, each with its records and time">${step(plan, plan.took)}</ul>`;

/** A step of a plan, and the steps that it is made of. */
function step(plan, whole) {
  return html`<li><div class="step"><span><strong>${plan.does}</strong> <code>${plan.query}</code></span>
    <span class="number">${plan.records === undefined ? "–" : count(plan.records)}</span>
    <span class="number">${plan.took === undefined ? "–" : took(plan.took)}</span>
    ${meter((plan.took ?? 0) / (whole || 1), `about ${count(plan.estimated)}`)}</div>
    ${plan.steps?.length ? html`<ul>${plan.steps.map((s) => step(s, whole))}</ul>` : nothing}</li>`;
}

function history(state) {
  const list = past.list();
  if (!list.length) return nothing;
  const clear = () => {
    past.clear();
    state.uses.draw();
  };
  return card("Asked before", html`<ul class="past">${list.slice(0, 10).map((p) => html`<li>
    <a href=${href("query", { index: p.index,
      q: p.q })}><code>${p.q}</code></a><small>${p.index}</small></li>`)}</ul>`,
  html`<button type="button" @click=${clear}>Forget them</button>`);
}
