// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

// Conditions that are clicked together: field → {in, not, from, to}; the field "" is of saved
// audiences. As JSON they stand in the address of a page.

import { html, nothing, live, repeat, count, written } from "./dom.js";
import { isNumber } from "./values.js";

const isText = (v) => ["string", "number", "boolean"].includes(typeof v);
const isObject = (v) => v !== null && typeof v === "object" && !Array.isArray(v);

/** What of a condition can be one; undefined if nothing can. */
function readCondition(c, odd) {
  const read = Object.entries(isObject(c) ? c : {}).flatMap(([name, v]) => {
    if (["in", "not"].includes(name) && Array.isArray(v) && v.length && v.every(isText)) return [[name, v.map(String)]];
    if (["from", "to"].includes(name) && isText(v) && v !== "") return [[name, String(v)]];
    odd.push(notRead);
    return [];
  });
  if (!read.length) odd.push(notRead);
  return read.length ? Object.fromEntries(read) : undefined;
}

const notRead = "A part of the address is no condition.";

/**
 * Reads conditions from an address. What cannot be one is left out, and noted in odd.
 * @param {string[]} odd
 * @param {boolean} [plain] a condition may be a text, too
 */
export function readConditions(text, odd, plain = false) {
  if (!text) return {};
  let read;
  try {
    read = JSON.parse(text);
  } catch {
    // as what is no object
  }
  if (!isObject(read)) odd.push(notRead);
  return Object.fromEntries(Object.entries(isObject(read) ? read : {}).flatMap(([field, c]) => {
    const one = plain && isText(c) && c !== "" ? String(c) : readCondition(c, odd);
    return one ? [[field, one]] : [];
  }));
}

/** The condition on a field, if there is one. */
export const conditionOn = (conditions, field) => (Object.hasOwn(conditions, field) ? conditions[field] : undefined);

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
  const { in: has, not, from, to } = { ...conditionOn(conditions, field), ...change };
  const left = Object.entries({ in: has?.length && has, not: not?.length && not, from, to }).filter(([, v]) => v);
  const next = new Map(Object.entries(conditions));
  if (left.length) next.set(field, Object.fromEntries(left));
  else next.delete(field);
  return Object.fromEntries(next);
}

/** What a condition says of a value: wanted, refused, or nothing. */
const stateOf = (condition, value) =>
  condition?.in?.includes(value) ? "wanted" : condition?.not?.includes(value) ? "refused" : "";

/** The conditions after a click on a value: wanted, refused, neither, wanted. */
export function toggled(conditions, field, value) {
  const { in: has = [], not = [] } = conditionOn(conditions, field) ?? {};
  const without = (list) => list.filter((v) => v !== value);
  const state = stateOf(conditionOn(conditions, field), value);
  return changed(conditions, field, { in: state ? without(has) : [...has, value],
    not: state === "wanted" ? [...not, value] : without(not) });
}

/** Values as buttons: one click wants a value, the second refuses it, the third takes it back. */
function chips(label, condition, values, click) {
  const extra = [...(condition?.in ?? []), ...(condition?.not ?? [])].filter((v) => !values.some((r) => r.key === v));
  const chip = ({ key, count: n }) => {
    const state = stateOf(condition, key);
    return html`<button type="button" class="chip ${state}" aria-pressed=${state ? "true" : "false"} title=${key}
      @click=${() => click(key)}>${state ? html`<span class="hidden">${state}: </span>` : nothing}<bdi>${key
        || "(empty)"}</bdi>${n === undefined ? nothing : html` <small>${count(n)}</small>`}</button>`;
  };
  return html`<div class="chips" role="group" aria-label=${label}>
    ${[...values, ...extra.map((key) => ({ key }))].map(chip)}</div>`;
}

/** The fields that a builder shows: a part of all, and those with a condition that are not in it. */
export const builtWith = (conditions, fields, part) =>
  [...fields.filter((f) => conditionOn(conditions, f.name) && !part.includes(f)), ...part];

/**
 * What conditions are built with.
 * @param {object} conditions
 * @param {object[]} fields
 * @param {Map<string, {rows?: object[], figures?: object, more?: boolean}>} found values of the fields
 * @param {{name: string, records: number}[]} saved
 * @param {(conditions: object) => void} change
 */
export function builder(conditions, fields, found, saved, change) {
  const group = (title, field, body) => html`<details ?open=${Boolean(conditionOn(conditions, field)) ||
    innerWidth > 860 && fields.findIndex((f) => f.name === field) < 4}><summary>${title}</summary>${body}</details>`;
  const span = (field, end, text) => html`<label class="field"><span><span class="hidden">${field.name}
    </span>${text}</span><input autocomplete="off"
    inputmode=${field.format === "date" || field.format === "time" ? "text" : "decimal"}
    placeholder=${found.get(field.name)?.figures?.[end === "from" ? "min" : "max"] ?? ""}
    .value=${live(conditionOn(conditions, field.name)?.[end] ?? "")}
    @change=${(e) => change(changed(conditions, field.name, { [end]: e.target.value.trim() }))}></label>`;
  const other = (field) => html`<label class="field other"><span class="hidden">Another value of ${field.name}</span>
    <input placeholder="Another value" autocomplete="off" @change=${(e) => {
      const value = e.target.value.trim();
      e.target.value = "";
      if (value) change(toggled(conditions, field.name, value));
    }}></label>`;
  return html`<div class="builder">
    ${repeat(fields, (f) => f.name, (f) => group(f.name, f.name, isNumber(f)
      ? html`<div class="span">${span(f, "from", "from")}${span(f, "to", "to")}</div>`
      : html`${chips(f.name, conditionOn(conditions, f.name), found.get(f.name)?.rows ?? [],
        (v) => change(toggled(conditions, f.name, v)))}
        ${found.get(f.name)?.more ? other(f) : nothing}`))}
    ${saved.length ? group("Saved audiences", "", chips("Saved audiences", conditionOn(conditions, ""),
      saved.map((s) => ({ key: s.name, count: s.records })),
      (v) => change(toggled(conditions, "", v)))) : nothing}</div>`;
}
