// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

// What all pages draw with: templates, numbers, the language's quotes, small parts.

import { html, svg, render, nothing, live, repeat } from "./vendor/lit-html.js";

export { html, svg, render, nothing, live, repeat };

const grouped = new Intl.NumberFormat("en", { maximumFractionDigits: 2 });
const short = new Intl.NumberFormat("en", { maximumSignificantDigits: 3 });

/** A number with thin spaces between thousands, as the commands print it. */
export const count = (n) => (typeof n === "number" ? grouped.format(n).replaceAll(",", "\u202f") : String(n ?? ""));

/** One thing or several: "1 record", "2 records". */
export const plural = (n, what) => `${count(n)} ${what}${n === 1 ? "" : /(x|sh)$/.test(what) ? "es" : "s"}`;

/** A share as per cent. */
export const percent = (share) =>
  share > 0 && share < 0.001 ? "<\u00a00.1\u00a0%" : `${(share * 100).toFixed(share < 0.1 ? 1 : 0)}\u00a0%`;

/** How many times as much. */
export const times = (ratio) => `${ratio < 0.01 && ratio > 0 ? "< 0.01" : short.format(Number(ratio.toFixed(2)))}×`;

/** Bytes in the unit that suits them. */
export function bytes(n) {
  const units = ["B", "KiB", "MiB", "GiB", "TiB"];
  const unit = n < 1 ? 0 : Math.min(units.length - 1, Math.floor(Math.log2(n) / 10));
  return `${short.format(n / 2 ** (10 * unit)).replace(",", "\u202f")}\u00a0${units[unit]}`;
}

/** Nanoseconds in the unit that suits them. */
export function took(ns) {
  if (ns < 1e3) return `${Math.round(ns)}\u00a0ns`;
  if (ns < 1e6) return `${short.format(ns / 1e3)}\u00a0µs`;
  return ns < 1e9 ? `${short.format(ns / 1e6)}\u00a0ms` : `${short.format(ns / 1e9)}\u00a0s`;
}

const reserved = new Set(("all and any at between bitmap exactly in least most none not nothing of or prefix saved " +
  "xor").split(" "));

/** A name, key or value as the query language writes it: bare, or in quotes. */
export function written(value) {
  const text = String(value);
  if (/^[A-Za-z0-9_\-.:@/#\p{L}\p{M}\p{Nd}]+$/u.test(text) && !reserved.has(text.toLowerCase())) return text;
  const escaped = text.replace(/[\\"]/g, "\\$&").replace(/[\u0000-\u001f\u007f]/g,
    (c) => `\\x${c.charCodeAt(0).toString(16).padStart(2, "0")}`);
  return `"${escaped}"`;
}

/** The address of a page of the console. */
export function href(page, params = {}) {
  const query = new URLSearchParams(Object.entries(params).filter(([, v]) => v !== undefined && v !== ""));
  return `#/${page}${query.size ? `?${query}` : ""}`;
}

/** Goes to a page; back to where one was before this one, if it is only turned. */
export function go(page, params, turned = false) {
  if (turned) location.replace(href(page, params));
  else location.hash = href(page, params).slice(1);
}

/** A text of at most so many letters. */
export const cut = (text, most) => (text.length > most && [...text].length > most
  ? `${[...text].slice(0, most - 1).join("")}…` : text);

/** The same between other texts, whose direction of writing it does not change. */
export const clip = (text, most = 60) => `\u2068${cut(String(text), most)}\u2069`;

/** The choice of an index, by its name and the number of its records. */
export const indexChoice = (list, chosen, page, name = (x) => x.index, parameter = "index", label = "Index") =>
  choice(label, list.map((x) => [name(x), `${clip(name(x))} (${count(x.records)})`]), chosen,
    (one) => go(page, { [parameter]: one }));

/** The one of a list that an address names; the first, and a note about it, if there is none. */
export function chosenOf(list, name, of, odd) {
  const found = list.find((x) => of(x).includes(name));
  if (!found && name) odd.push(`There is no ${clip(name)} here.`);
  return found;
}

/** What of an address was left out, and a way on. */
export const leftOut = (odd, page) => (odd.length ? html`<p class="failure" role="status">${[...new Set(odd)].join(" ")}
  <a href=${href(page)}>Begin anew</a></p>` : nothing);

/** Runs a function once its caller has been quiet for a while. */
export function quietly(run, wait = 150) {
  let timer;
  return (...args) => {
    clearTimeout(timer);
    timer = setTimeout(() => run(...args), wait);
  };
}

/** A labelled choice. Options are values, or pairs of value and text. */
export function choice(label, options, chosen, change) {
  return html`<label class="field"><span>${label}</span>
    <select @change=${(e) => change(e.target.value)} .value=${live(String(chosen ?? ""))}>
      ${options.map((o) => [o].flat()).map(([value, text]) =>
        html`<option value=${value} ?selected=${value === chosen}>${text ?? value}</option>`)}
    </select></label>`;
}

/** A group of buttons of which one is pressed. */
export function switches(label, options, chosen, change) {
  return html`<div class="switches" role="group" aria-label=${label}>${options.map(([value, text]) =>
    html`<button type="button" aria-pressed=${value === chosen}
      @click=${() => change(value)}>${text}</button>`)}</div>`;
}

/** What went wrong, for reading and for screen readers. */
export const failure = (error) =>
  error ? html`<p class="failure" role="alert">${error.message}${error.link
    ? html` <a href=${error.link}>${error.link}</a>` : nothing}</p>` : nothing;

/** A page or part without data: what it is for, and the lines that fill it. */
export const empty = (title, about, lines) => html`<section class="card blank">
  <h2>${title}</h2><p>${about}</p>
  <pre tabindex="0" role="region" aria-label="Commands"><code>${lines.join("\n")}</code></pre></section>`;

/** The address of this server, for commands to paste. */
export const here = () => location.origin;

/** A card with a heading. */
export const card = (title, body, aside = nothing, kind = "") => html`<section class="card ${kind}">
  <div class="head"><h2>${title}</h2>${aside}</div>${body}</section>`;
