// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

// What pages know of fields: which may be shown, and how their values are counted.

import { answers } from "./api.js";
import { html, clip, count, took } from "./dom.js";
import { bandUnit, bandWidth, bars, histogram } from "./charts.js";

/** Whether a field is one of its application's own, which nobody asks for. */
const inner = (index, field) => index.application === "catalog" && /^combined_\d+$/.test(field.name);

/** The fields of an index that are shown. */
export const shownFields = (index) => index.fields.filter((f) => !inner(index, f));

/** Whether the values of a field are numbers, days or times. */
export const isNumber = (field) => field.type === "integer";

/** Whether they are other records. */
export const isRelation = (field) => field.type === "relation";

/** What the values of a field are, in words. */
export function kindOf(field) {
  if (field.inverse) return `relation, inverse ${field.inverse}`;
  if (field.format && field.format !== "number") return field.format;
  if (field.scale) return `number, ${field.scale} decimals`;
  return { single: "one value", set: "any number of values", integer: "integer" }[field.type] ?? field.type;
}

/** The bands of a field between two numbers, days or times, as a question writes them. */
export function banded(field, min, max) {
  const dated = typeof min === "string" && /^\d{4}-/.test(min);
  const width = dated ? bandUnit(min, max, field.format === "time") : bandWidth(Number(min), Number(max),
    field.scale ?? 0);
  return `${field.name} by ${width}`;
}

/**
 * The values of a field that the records of a query have: bands of numbers, or the most frequent values.
 * @returns {Promise<{figures?: object, bands?: object[], rows?: object[], more?: boolean, records: number}>}
 */
export async function valuesOf(index, q, field, limit, signal) {
  if (!isNumber(field)) {
    const reply = await answers(index, q, [{ name: "top", answer: "top", field: field.name, limit }], signal);
    const [top] = reply.answers;
    return { rows: top.rows, more: top.cursor !== undefined, records: reply.records };
  }
  const reply = await answers(index, q, [{ name: "numbers", answer: "numbers", field: field.name,
    quantiles: [0.25, 0.5, 0.75] }], signal);
  const [figures] = reply.answers;
  if (!figures.count || String(figures.min) === String(figures.max)) return { figures, bands: [],
    records: reply.records };
  const drawn = await answers(index, q, [{ name: "bands", answer: "histogram",
    field: banded(field, figures.min, figures.max) }], signal);
  return { figures, bands: drawn.answers[0].bands, records: reply.records };
}

/** Draws what valuesOf has found. */
export function drawValues(field, found, pick) {
  if (!found) return html`<p class="faint">…</p>`;
  if (found.rows) {
    return found.rows.length ? html`${bars(`Values of ${field.name}`, found.rows, pick)}
      ${found.more ? html`<small>and others</small>` : ""}` : html`<p class="faint">No record has a value.</p>`;
  }
  const { figures, bands } = found;
  if (!figures.count) return html`<p class="faint">No record has a value.</p>`;
  const parts = [["min", figures.min], ["median", figures.quantiles[1]], ["max", figures.max]];
  if (typeof figures.mean === "number") parts.splice(2, 0, ["mean", Math.round(figures.mean * 100) / 100]);
  return html`${bands.length ? histogram(`Records by ${field.name}`, bands) : ""}
    <p class="faint">${parts.map(([name, value]) => `${name} ${count(value)}`).join(" · ")}
      · ${count(figures.count)} with one</p>`;
}

/** Records with their values, as a table. */
export function recordTable(label, records, names) {
  const shown = (value) => (Array.isArray(value)
    ? value.slice(0, 8).map((v) => clip(v, 300)).join(", ")
     + (value.length > 8 ? ` and ${count(value.length - 8)} more` : "")
    : value ?? "");
  return html`<div class="scroll" tabindex="0" role="region" aria-label=${label}><table class="list">
    <thead><tr><th scope="col">Key</th>${names.map((n) => html`<th scope="col">${n}</th>`)}</tr></thead>
    <tbody>${records.map((r) => html`<tr><th scope="row" title=${r.key}>${r.key}</th>${names.map((n) =>
      html`<td title=${shown(r.values?.[n])}>${shown(r.values?.[n])}</td>`)}</tr>`)}</tbody></table></div>`;
}

/** How long something took since a moment of performance.now. */
export const since = (start) => took((performance.now() - start) * 1e6);
