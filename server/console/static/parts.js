// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

// A long list of fields or indexes, a part at a time: those that a text names, so many.

import { html, nothing, count, quietly } from "./dom.js";

/**
 * The fields that a text names, and the part of them that is shown.
 * @param {{name: string}[]} fields
 * @param {{find?: string, from?: number}} looked what was looked for, and where the part begins
 */
export function partOf(fields, { find = "", from = 0 }, size) {
  const sought = find.trim().toLowerCase();
  const named = sought ? fields.filter((f) => f.name.toLowerCase().includes(sought)) : fields;
  const start = Number(from) > 0 && Number(from) < named.length ? Math.trunc(Number(from)) : 0;
  return { named, from: start, part: named.slice(start, start + size) };
}

/**
 * What looks for fields and turns the pages; nothing where all have room.
 * @param {(looked: {find: string, from: number}) => void} change
 */
export function turner(label, fields, looked, size, change) {
  if (fields.length <= size) return nothing;
  const { named, from } = partOf(fields, looked, size);
  const find = looked.find ?? "";
  const turn = (text, at, off) => html`<button type="button" aria-label="${text}: ${label}" ?disabled=${off}
    @click=${() => change({ find, from: at })}>${text}</button>`;
  const typed = quietly((text) => text.trim() === find || change({ find: text.trim(), from: 0 }), 250);
  return html`<div class="row middle turner"><input type="search" class="grow" aria-label="Find: ${label}"
    placeholder="Find" autocomplete="off" .value=${find} @input=${(e) => typed(e.target.value)}>
    <span class="turn">${turn("Before", Math.max(0, from - size), from === 0)}
    <small aria-live="polite">${named.length ? [count(from + 1), "to",
      count(Math.min(from + size, named.length)), "of", count(named.length)].join(" ") : "none"}</small>
    ${turn("After", from + size, from + size >= named.length)}</span></div>`;
}
