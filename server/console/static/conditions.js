// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

// Conditions that are clicked together: field → {in, not, from, to}; the field "" is of saved
// audiences. As JSON they stand in the address of a page.

import { html, nothing, count, written } from "./dom.js";
import { isNumber } from "./values.js";

/** Reads conditions from an address; what is no JSON object has none. */
export function readConditions(text) {
  try {
    const read = JSON.parse(text);
    return read && typeof read === "object" && !Array.isArray(read) ? read : {};
  } catch {
    return {};
  }
}

/** The conditions, each as a query. */
export function queriesOf(conditions) {
  return Object.entries(conditions).flatMap(([field, { in: has = [], not = [], from, to }]) => {
    if (field === "") return [...has.map((v) => `saved(${written(v)})`),
      ...not.map((v) => `not saved(${written(v)})`)];
    const name = written(field);
    const list = [];
    if (has.length) list.push(has.length === 1 ? `${name} = ${written(has[0])}`
      : `${name} in (${has.map(written).join(", ")})`);
    if (not.length) list.push(not.length === 1 ? `${name} != ${written(not[0])}`
      : `not ${name} in (${not.map(written).join(", ")})`);
    if (from && to) list.push(`${name} between ${written(from)} and ${written(to)}`);
    else if (from) list.push(`${name} >= ${written(from)}`);
    else if (to) list.push(`${name} <= ${written(to)}`);
    return list;
  });
}

/** All conditions as one query. */
export const queryOf = (conditions) => queriesOf(conditions).join(" and ") || "all";

/** The conditions with one of them changed; without it, if nothing of it is left. */
export function changed(conditions, field, change) {
  const next = { ...conditions, [field]: { ...conditions[field], ...change } };
  const { in: has, not, from, to } = next[field];
  if (!has?.length && !not?.length && !from && !to) delete next[field];
  return next;
}

/** Whether a value is wanted (true), refused ("mixed") or neither. */
const stateOf = (condition, value) =>
  condition?.in?.includes(value) ? "true" : condition?.not?.includes(value) ? "mixed" : "false";

/** The conditions after a click on a value: wanted, refused, neither, wanted. */
export function toggled(conditions, field, value) {
  const { in: has = [], not = [] } = conditions[field] ?? {};
  const without = (list) => list.filter((v) => v !== value);
  const state = stateOf(conditions[field], value);
  return changed(conditions, field, { in: state === "false" ? [...has, value] : without(has),
    not: state === "true" ? [...not, value] : without(not) });
}

/** Values as buttons: one click wants a value, the second refuses it, the third takes it back. */
function chips(condition, values, click) {
  const extra = [...(condition?.in ?? []), ...(condition?.not ?? [])].filter((v) => !values.some((r) => r.key === v));
  return html`<div class="chips">${[...values, ...extra.map((key) => ({ key }))].map((v) => html`<button type="button"
    class="chip" aria-pressed=${stateOf(condition, v.key)} title=${v.key} @click=${() => click(v.key)}>${v.key
      || "(empty)"}${
    v.count === undefined ? nothing : html`<small>${count(v.count)}</small>`}</button>`)}</div>`;
}

/**
 * What conditions are built with.
 * @param {object} conditions
 * @param {object[]} fields
 * @param {Map<string, {rows?: object[], figures?: object, more?: boolean}>} found values of the fields
 * @param {{name: string, records: number}[]} saved
 * @param {(conditions: object) => void} change
 */
export function builder(conditions, fields, found, saved, change) {
  const group = (title, field, body) => html`<details ?open=${field in conditions || innerWidth > 860 &&
    fields.findIndex((f) => f.name === field) < 4}><summary>${title}</summary>${body}</details>`;
  const span = (field, end, text) => html`<label class="field"><span>${text}</span><input autocomplete="off"
    inputmode=${field.format === "date" || field.format === "time" ? "text" : "decimal"}
    placeholder=${found.get(field.name)?.figures?.[end === "from" ? "min" : "max"] ?? ""}
    .value=${conditions[field.name]?.[end] ?? ""}
    @change=${(e) => change(changed(conditions, field.name, { [end]: e.target.value.trim() }))}></label>`;
  const other = (field) => html`<label class="field other"><span class="hidden">Another value of ${field.name}</span>
    <input placeholder="Another value" autocomplete="off" @change=${(e) => {
      const value = e.target.value.trim();
      e.target.value = "";
      if (value) change(toggled(conditions, field.name, value));
    }}></label>`;
  return html`<div class="builder">
    ${fields.map((f) => group(f.name, f.name, isNumber(f)
      ? html`<div class="span">${span(f, "from", "from")}${span(f, "to", "to")}</div>`
      : html`${chips(conditions[f.name], found.get(f.name)?.rows ?? [], 
        (v) => change(toggled(conditions, f.name, v)))}
        ${found.get(f.name)?.more ? other(f) : nothing}`))}
    ${saved.length ? group("Saved audiences", "", chips(conditions[""], saved.map((s) => ({ key: s.name,
      count: s.records })),
      (v) => change(toggled(conditions, "", v)))) : nothing}</div>`;
}
