// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

// Overview: what the database holds, what it takes, and what the server does at the moment.

import { get, indexes, isAddress, text } from "./api.js";
import { html, render, nothing, card, count, plural, bytes, took, href, empty, here } from "./dom.js";
import { bars, meter, spark } from "./charts.js";
import { partOf, turner } from "./parts.js";

const every = 2000; // milliseconds between two looks at the figures
const tabled = 25; // indexes that are shown at a time
const aboutServer = ["console", "metrics", "stats", "healthz", "readyz", "slow", "cluster"]; // no use of it
const slow = 0.1; // seconds; the histogram has a bound at 0.1024

/** Reads the text format of Prometheus: name → [{labels, value}]. */
export function figures(lines) {
  const found = new Map();
  for (const line of lines.split("\n")) {
    const m = /^([a-z_:]+)(?:\{(.*)\})? (\S+)$/.exec(line);
    if (!m) continue;
    const pairs = (m[2] ?? "").matchAll(/(\w+)="((?:[^"\\]|\\.)*)"/g);
    const labels = Object.fromEntries([...pairs].map((l) => [l[1], l[2]]));
    found.set(m[1], [...(found.get(m[1]) ?? []), { labels, value: Number(m[3]) }]);
  }
  return found;
}

const sum = (list, match = () => true) => (list ?? []).filter(match).reduce((n, f) => n + f.value, 0);

/** How often each call was asked, and how long it took, from the figures: the slow ones first. */
function calls(now) {
  const duration = "uproar_http_request_duration_seconds";
  const asked = (now.get(`${duration}_count`) ?? []).filter((f) => f.value && f.labels.endpoint !== "console");
  return asked.map(({ labels: { endpoint }, value }) => {
    const own = (f) => f.labels.endpoint === endpoint;
    const buckets = (now.get(`${duration}_bucket`) ?? []).filter(own);
    const at = buckets.find((f) => f.value >= 0.99 * value)?.labels.le;
    const within = buckets.findLast((f) => Number(f.labels.le) <= slow * 1.03)?.value ?? value;
    return { endpoint, asked: value, mean: sum(now.get(`${duration}_sum`), own) / value, most: at,
      slow: value - within,
      errors: sum(now.get("uproar_http_errors_total"), own) };
  }).sort((a, b) => b.slow - a.slow || b.asked - a.asked);
}

/** How many commits came between two looks at them by index. An index that has fewer is a new one of its name. */
function newCommits(before, now) {
  return [...now].reduce((sum, [name, n]) => sum + (n < (before.get(name) ?? 0) ? n : n - (before.get(name) ?? 0)), 0);
}

/** Opens the page. */
export async function open(root, _params, signal) {
  const state = { indexes: await indexes(signal), rates: [], looked: {}, health: { status: "ok" } };
  if (!state.indexes.length) return render(blank(), root);
  const look = async () => {
    const [metrics, stats, health] = await Promise.all([
      text("/metrics", signal), get("/v1/stats", {}, signal), get("/healthz", {}, signal)]);
    const now = figures(metrics);
    const asked = sum(now.get("uproar_http_requests_total"),
      (f) => !aboutServer.includes(f.labels.endpoint));
    const at = performance.now();
    if (state.at) {
      state.rates = [...state.rates, Math.max(0, asked - state.asked) / ((at - state.at) / 1000)].slice(-60);
    }
    const committed = new Map(stats.indexes.map((x) => [x.name, x.commits]));
    if (state.at) state.writes = newCommits(state.committed, committed) / ((at - state.at) / 1000);
    Object.assign(state, { now, stats, health, at, asked, committed, slow: await get("/v1/slow", {}, signal),
      lost: undefined });
    if (health.copy) state.nodes = (await get("/v1/cluster", {}, signal)).nodes;
    render(view(state), root);
  };
  state.look = (looked) => {
    state.looked = looked;
    render(view(state), root);
  };
  await look();
  const timer = setInterval(() => {
    if (!document.hidden) look().catch((error) => { // the next look may succeed
      if (signal.aborted) return;
      state.lost ??= { error, since: new Date() };
      render(view(state), root);
    });
  }, every);
  signal.addEventListener("abort", () => clearInterval(timer));
}

const blank = () => html`<h1>Overview</h1>${empty("The database is empty",
  "Load something; this page then shows what it holds. Each of these lines is enough:", [
    `uproar import graph --to ${here()} follows.csv`,
    `uproar import audience --to ${here()} --yes people.csv`,
    `curl --json '{"account":"alice","target":"bob"}' ${here()}/v1/graph/follow`])}`;

const tile = (name, value, more) => html`<div class="tile"><dt>${name}</dt><dd>${value}${more}</dd></div>`;

function view({ indexes, now, stats, health, rates, writes, slow, nodes, lost, looked, look }) {
  const records = indexes.reduce((n, x) => n + x.records, 0);
  const { memory, store, cache } = stats;
  const named = indexes.map((x) => ({ ...x, name: [x.index, ...x.aliases].join(" ") }));
  const rate = rates.at(-1);
  const writable = sum(now.get("uproar_writable"));
  const pages = cache.hits + cache.misses;
  return html`<h1>Overview</h1>
    ${lost ? html`<p class="failure" role="status">${lost.error.message} All below is as it was at
      ${lost.since.toLocaleTimeString("sv")}; this page goes on asking.</p>` : nothing}
    <dl class="tiles">
      ${tile("Records", count(records), html`<small>in ${plural(indexes.length, "index")}</small>`)}
      ${tile("On disk", bytes(store.total_bytes), html`<small>${!writable ? "not writable"
        : health.copy && !health.copy.leads ? "written elsewhere" : "writable"}</small>`)}
      ${tile("Memory", bytes(memory.used), meter(memory.used / memory.limit, `of ${bytes(memory.limit)}`))}
      ${tile("Requests a second", rate === undefined ? "…" : count(Math.round(rate * 10) / 10),
        html`${spark("Requests a second, the last two minutes", rates)}<small>without those about the server</small>`)}
      ${tile("Commits a second", writes === undefined ? "…" : count(Math.round(writes * 10) / 10),
        html`<small>${plural(sum(now.get("uproar_index_flushes_total")), "flush")} since the start</small>`)}
      ${tile("Pages from memory", pages ? `${Math.floor((1000 * cache.hits) / pages) / 10} %` : "–",
        html`<small>of ${count(pages)} looked for</small>`)}
      ${tile("Role", health.copy ? (health.copy.leads ? "leads" : "follows") : "alone",
        html`<small>${health.copy ? `behind ${took(health.copy.ageMillis * 1e6)}` : "one node"}</small>`)}
    </dl>
    ${card("Indexes", html`${turner("indexes", named, looked, tabled, look)}
      ${indexTable(partOf(named, looked, tabled).part, stats.indexes)}`)}
    <div class="two">${card("Calls", callTable(calls(now)))}
    ${card("Memory by use", bars("Memory by use", Object.entries(memory)
      .filter(([name]) => !["limit", "used"].includes(name)).map(([key, n]) => ({ key, count: n, text: bytes(n) }))
      .sort((a, b) => b.count - a.count), undefined, ["Use", "Bytes"]))}</div>
    ${slow.requests.length ? card("Slow questions", slowTable(slow), html`<small>the last that took
      ${took(slow.leastMicros * 1000)} or more</small>`) : nothing}
    ${nodes ? card("Nodes", nodeTable(nodes)) : nothing}`;
}

function indexTable(list, stats) {
  const of = new Map(stats.map((s) => [s.name, s]));
  return html`<div class="scroll" tabindex="0" role="region" aria-label="Indexes"><table class="list">
    <thead><tr><th scope="col">Index</th><th scope="col" class="number">Records</th><th scope="col"
      class="number">Bytes</th>
      <th scope="col" class="number">Fields</th><th scope="col" class="number">Commits</th>
      <th scope="col" class="number">Not flushed</th><th scope="col">Last write</th></tr></thead>
    <tbody>${list.map((x) => {
      const s = of.get(x.index);
      return html`<tr><th scope="row"><a href=${href("index", { name: x.index })}>${x.index}</a>
        ${x.application ? html`<span class="badge">${x.application}</span>` : nothing}
        ${x.aliases.map((a) => html`<span class="badge soft">${a}</span>`)}</th>
        <td class="number">${count(x.records)}</td><td class="number">${bytes(x.bytes)}</td>
        <td class="number">${count(x.fields.length)}</td><td class="number">${count(s?.commits ?? x.commits)}</td>
        <td class="number">${s?.delta_edits ? plural(s.delta_edits, "edit") : "–"}</td>
        <td>${s?.newest_log_time ? new Date(s.newest_log_time).toLocaleString("sv") : "–"}</td></tr>`;
    })}</tbody></table></div>`;
}

function callTable(list) {
  return html`<div class="scroll" tabindex="0" role="region" aria-label="Calls"><table class="list">
    <thead><tr><th scope="col">Call</th><th scope="col" class="number">Asked</th><th scope="col"
      class="number">Mean</th>
      <th scope="col" class="number">99 % within</th><th scope="col" class="number">Over 100 ms</th>
      <th scope="col" class="number">Errors</th></tr></thead>
    <tbody>${list.slice(0, 12).map((c) => html`<tr><th scope="row">${c.endpoint}</th><td
      class="number">${count(c.asked)}</td>
      <td class="number">${took(c.mean * 1e9)}</td>
      <td class="number">${c.most === "+Inf" ? "longer" : took(Number(c.most) * 1e9)}</td>
      <td class="number ${c.slow ? "warn" : ""}">${c.slow || "–"}</td>
      <td class="number">${c.errors || "–"}</td></tr>`)}</tbody></table></div>`;
}

/** What a slow request asked: its path, its query, its body. */
const asked = (r) => `${r.path}${r.query ? `?${r.query}` : ""}${r.body ? ` ${r.body}` : ""}`;

function slowTable({ requests }) {
  return html`<div class="scroll" tabindex="0" role="region" aria-label="Slow questions"><table class="list">
    <thead><tr><th scope="col">At</th><th scope="col" class="number">Took</th><th scope="col" class="number">Status</th>
      <th scope="col">Asked</th></tr></thead>
    <tbody>${requests.slice(0, 12).map((r) => html`<tr><td>${new Date(r.time).toLocaleTimeString("sv")}</td>
      <td class="number">${took(r.tookMicros * 1000)}</td><td class="number">${r.status}</td>
      <td><code>${asked(r).slice(0, 300)}</code></td></tr>`)}</tbody></table></div>`;
}

function nodeTable(nodes) {
  return html`<div class="scroll" tabindex="0" role="region" aria-label="Nodes"><table
    class="list"><thead><tr><th scope="col">Node</th><th scope="col">Address</th><th
    scope="col">Role</th>
    <th scope="col" class="number">Position</th><th scope="col" class="number">Age</th></tr></thead>
    <tbody>${nodes.map((n) => html`<tr><th scope="row">${n.node}</th><td>${isAddress(n.url)
      ? html`<a href=${n.url}>${n.url}</a>` : n.url}</td><td>${n.leads ? "leads" : "follows"}</td>
      <td class="number">${count(n.position)}</td><td
        class="number">${took(n.ageMillis * 1e6)}</td></tr>`)}</tbody></table></div>`;
}
