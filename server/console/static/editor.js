// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

// The editor of queries: a text, what may come next, and what is wrong in it, underlined.

import { html, nothing, live } from "./dom.js";
import { complete } from "./complete.js";

/** The place of a byte of a text, in characters of JavaScript. */
export function placeOf(text, offset) {
  let bytes = 0;
  let at = 0;
  for (const c of text) {
    if (bytes >= offset) break;
    bytes += new TextEncoder().encode(c).length;
    at += c.length;
  }
  return at;
}

/** What of a text an error is about: from, to. */
export function faulty(text, error) {
  let from = error.offset === undefined ? -1 : placeOf(text, error.offset);
  if (from < 0) {
    const named = /(?:field|got) "([^"]+)"/.exec(error.message)?.[1];
    from = named ? text.indexOf(named) : -1;
  }
  if (from < 0) return undefined;
  const [word] = /^(?:"(?:[^"\\]|\\.)*"?|[^\s(),=<>!"']+|.)/su.exec(text.slice(from)) ?? [""];
  return { from, to: from + word.length };
}

/**
 * An editor. It keeps its text in state.q, and its list of words in state.offers.
 * @param {{q: string, problem?: Error, offers?: string[], chosen?: number, from?: number}} state
 * @param {{index: string, fields: object[],
 *   typed: () => void, run: () => void, draw: () => void, signal: AbortSignal}} use
 */
export function editor(state, use) {
  const { offers = [], chosen = 0 } = state;
  const close = () => {
    state.offers = undefined;
    use.draw();
  };
  const accept = (area, offer) => {
    const end = area.selectionStart;
    const put = state.q.slice(0, state.from) + offer;
    state.q = put + state.q.slice(end);
    close();
    area.focus();
    area.setSelectionRange(put.length, put.length);
    use.typed();
  };
  const typed = async (e) => {
    const area = e.target;
    state.q = area.value;
    use.typed();
    const before = area.value.slice(0, area.selectionStart);
    const found = await complete(use.index, use.fields, before, use.signal).catch(() => ({ offers: [] }));
    if (use.signal.aborted || before !== area.value.slice(0, area.selectionStart)) return; // typed on meanwhile
    Object.assign(state, { offers: found.offers, from: found.from, chosen: 0, moved: false });
    use.draw();
  };
  const key = (e) => {
    const move = { ArrowDown: 1, ArrowUp: -1 }[e.key];
    if (offers.length && move) {
      Object.assign(state, { chosen: (chosen + move + offers.length) % offers.length, moved: true });
    } else if (offers.length && e.key === "Enter" && state.moved) accept(e.target, offers[chosen]);
    else if (offers.length && e.key === "Tab" && !e.shiftKey) accept(e.target, offers[chosen]);
    else if (offers.length && e.key === "Escape") close();
    else if (e.key === "Enter" && !e.shiftKey) {
      state.offers = undefined;
      use.run();
    } else return;
    e.preventDefault();
    use.draw();
    e.target.closest(".editor").querySelector('[aria-selected="true"]')?.scrollIntoView({ block: "nearest" });
  };
  return html`<div class="editor"><pre aria-hidden="true">${underlined(state.q, state.problem)}</pre>
    <textarea class="code" role="combobox" aria-label="Query" rows="2" spellcheck="false" autocapitalize="off"
      autocomplete="off" aria-autocomplete="list" aria-haspopup="listbox" aria-controls="offers"
      aria-expanded=${offers.length ? "true" : "false"} aria-describedby="count keys"
      aria-activedescendant=${offers.length ? `offer-${chosen}` : nothing} aria-invalid=${state.problem ? "true"
        : "false"}
      placeholder="all" .value=${live(state.q)} @input=${typed} @keydown=${key}
      @blur=${() => setTimeout(close, 150)}></textarea>
    ${offers.length ? html`<ul class="offers" id="offers" role="listbox" aria-label="What may come next">
      ${offers.map((o, i) => html`<li id=${`offer-${i}`} role="option" aria-selected=${i === chosen}
        title=${o} @mousedown=${(e) => {
          e.preventDefault();
          accept(e.target.closest(".editor").querySelector("textarea"), o);
        }}>${o}</li>`)}</ul>` : html`<ul id="offers" role="listbox"
          aria-label="What may come next" hidden></ul>`}</div>`;
}

function underlined(text, problem) {
  const place = problem && faulty(text, problem);
  if (!place) return `${text}\n`;
  return html`${text.slice(0, place.from)}<mark>${text.slice(place.from, place.to) || "\u00a0\u00a0"}</mark>${
    text.slice(place.to)}\n`;
}
