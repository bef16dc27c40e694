// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

// Charts: tables whose cells are drawn, and SVG. Colours and sizes are classes of app.css, because
// the policy of the pages allows no style in them.

import { html, svg, nothing, count, cut, percent } from "./dom.js";
import { cloud } from "./vendor/d3-cloud.js";

/** A bar of a share of the width. */
const bar = (share, kind = "") => html`<svg class="bar ${kind}" aria-hidden="true"><rect height="100%" rx="3"
  width="${(100 * Math.max(share, share > 0 ? 0.004 : 0)).toFixed(2)}%"></rect></svg>`;

/**
 * Bars, one a row.
 * @param {string} label what the rows are, for screen readers
 * @param {{key: string, count: number, note?: string, kind?: string}[]} rows
 * @param {(key: string) => void} [pick] makes each name a button
 * @param {string[]} [heads] the headings of the columns, if not the usual ones
 * @param {number} [scale] the least that a whole bar stands for
 */
export function bars(label, rows, pick, heads = ["Value", "Records"], scale = 1e-9) {
  const most = Math.max(...rows.map((r) => r.count), scale);
  const notes = rows.some((r) => r.note !== undefined);
  return html`<table class="bars"><caption class="hidden">${label}</caption>
    <colgroup><col class="name"><col><col class="figure">${notes ? html`<col class="figure">` : nothing}</colgroup>
    <thead class="hidden"><tr><th scope="col">${heads[0]}</th><th scope="col">Bar</th><th scope="col">${heads[1]}</th>
      ${notes ? html`<th scope="col">Note</th>` : nothing}</tr></thead>
    <tbody>${rows.map((r) => html`<tr><th scope="row" title=${r.key}>${pick
      ? html`<button type="button" class="plain" @click=${() => pick(r.key)}>${r.key || "(empty)"}</button>`
      : r.key || "(empty)"}</th>
      <td class="drawn">${bar(r.count / most, r.kind)}</td><td class="number">${r.text ?? count(r.count)}</td>
      ${notes ? html`<td class="number faint">${r.note}</td>` : nothing}</tr>`)}</tbody></table>`;
}

/**
 * A histogram of bands in ascending order.
 * @param {{from?: any, below?: any, count: number}[]} bands
 */
export function histogram(label, bands) {
  const most = Math.max(...bands.map((b) => b.count), 1);
  const width = 100 / Math.max(bands.length, 1);
  const gap = Math.min(width * 0.12, 0.4);
  const top = bands.reduce((best, b) => (b.count > best.count ? b : best), bands[0] ?? { count: 0 });
  const name = (b) => [b.from ?? "below", b.below === undefined ? "and above" : `to ${b.below}`].join(" ");
  return html`<figure class="histogram">
    <svg viewBox="0 0 100 40" preserveAspectRatio="none" role="img"
      aria-label="${label}: ${bands.length} bands, most records (${count(top.count)}) from ${top.from ?? ""}">
      ${bands.map((b, i) => svg`<g><title>${name(b)}: ${count(b.count)}</title>
        <rect class="back" x=${i * width} y="0" width=${width} height="40"></rect>
        <rect x=${i * width + gap} width=${width - 2 * gap} y=${40 - 39 * (b.count / most)}
          height=${39 * (b.count / most)}></rect></g>`)}
    </svg>
    <figcaption><span>${bands[0]?.from ?? ""}</span><span>${bands[Math.floor(bands.length / 2)]?.from ?? ""}</span>
      <span>${bands.at(-1)?.below ?? bands.at(-1)?.from ?? ""}</span></figcaption></figure>`;
}

/** A width of bands that makes about 24 of them of the numbers from min to max. */
export function bandWidth(min, max, scale = 0) {
  const rough = (max - min) / 24;
  const power = 10 ** Math.floor(Math.log10(rough || 1));
  const nice = [1, 2, 5, 10].map((n) => n * power).find((n) => n >= rough) ?? power;
  return Math.max(nice, 10 ** -scale).toFixed(scale).replace(/\.?0+$/, (zeros) => (scale ? "" : zeros));
}

/** The band of days or times between two texts. */
export function bandUnit(min, max, clock) {
  const days = (new Date(max) - new Date(min)) / 864e5;
  if (clock && days < 3) return "hour";
  return days < 60 ? "day" : days < 400 ? "week" : days < 1500 ? "month" : days < 6000 ? "quarter" : "year";
}

/**
 * Rows by columns, the more records the darker.
 * @param {[string, string]} fields what the rows and the columns are values of
 * @param {[string[], string[]]} keys of the rows and of the columns
 * @param {number[][]} cells the records of each row in each column
 */
export function heat(label, fields, [rows, columns], cells) {
  const most = Math.max(...cells.flat(), 1);
  return html`<div class="scroll" tabindex="0" role="region" aria-label=${label}><table class="heat">
    <caption class="hidden">${label}</caption>
    <thead><tr><th scope="col">${fields[0]} by ${fields[1]}</th>${columns.map((c) =>
      html`<th scope="col" title=${c}>${c}</th>`)}</tr></thead>
    <tbody>${rows.map((r, i) => html`<tr><th scope="row" title=${r}>${r}</th>${columns.map((c, j) =>
      html`<td class="number h${Math.ceil(8 * Math.sqrt(cells[i][j] / most))}" title="${r}, ${c}">${
        count(cells[i][j])}</td>`)}</tr>`)}</tbody></table></div>`;
}

/**
 * Words, the larger the more weight. They are laid out in a picture of 800 by 300; the place of each
 * is the same each time.
 * @param {{key: string, weight: number, note: string}[]} words
 * @param {(key: string) => void} pick
 */
export async function wordCloud(label, words, pick) {
  const most = Math.max(...words.map((w) => w.weight), 1e-9);
  let state = 7; // of a random number that is the same each time
  const random = () => (state = (state * 16807) % 2147483647) / 2147483647;
  const placed = await new Promise((done) => cloud().size([800, 300]).padding(3).rotate(0).random(random)
    .font("system-ui, sans-serif").fontWeight(600).fontSize((w) => w.size).on("end", done)
    .words(words.map((w, i) => ({ ...w, i, text: cut(w.key, 28),
      size: 13 + 35 * Math.sqrt(w.weight / most) }))).start());
  return html`<svg class="cloud" viewBox="-400 -150 800 300" role="group" @keydown=${rove}
    aria-label="${label}; arrow keys go from one to the next">
    ${placed.map((w, i) => svg`<text class="w${w.i % 4}" font-size=${w.size} text-anchor="middle" tabindex=${i ? -1 : 0}
      role="button"
      transform="translate(${w.x} ${w.y})" @click=${() => pick(w.key)}
      @keydown=${(e) => isPress(e) && pick(w.key)}><title>${w.key}: ${w.note}</title>${w.text}</text>`)}</svg>`;
}

/** Moves the focus among the buttons of a picture by arrow keys: the tab key stops at one of them only. */
export function rove(e) {
  const list = [...e.currentTarget.querySelectorAll('[role="button"]')];
  const at = list.indexOf(e.target);
  const to = { ArrowRight: at + 1, ArrowDown: at + 1, ArrowLeft: at - 1, ArrowUp: at - 1, Home: 0, End: -1 }[e.key];
  if (at < 0 || to === undefined) return;
  e.preventDefault();
  e.target.setAttribute("tabindex", -1);
  const next = list.at(to % list.length);
  next.setAttribute("tabindex", 0);
  next.focus();
}

/** Whether a key presses a button; a space then scrolls no page. */
export function isPress(e) {
  if (e.key !== "Enter" && e.key !== " ") return false;
  e.preventDefault();
  return true;
}

/** A line of the last values of a figure. */
export function spark(label, values) {
  const most = Math.max(...values, 1e-9);
  const points = values.map((v, i) => `${(100 * i) / Math.max(values.length - 1, 1)},${24 - 22 * (v / most)}`);
  return html`<svg class="spark" viewBox="0 0 100 25" preserveAspectRatio="none" role="img" aria-label=${label}>
    ${points.length > 1 ? svg`<polyline points=${points.join(" ")} vector-effect="non-scaling-stroke"></polyline>`
      : nothing}</svg>`;
}

/** A share as a bar with its text. */
export const meter = (share, text, kind) => html`<div class="meter">${bar(Math.min(share, 1), kind)}
  <span>${text ?? percent(share)}</span></div>`;

/** How many of each two of several sets are in both. */
export function matrix(label, names, sizes) {
  return html`<div class="scroll" tabindex="0" role="region" aria-label=${label}><table class="heat">
    <caption class="hidden">${label}</caption>
    <thead><tr><td></td>${names.map((n) => html`<th scope="col" title=${n}>${n}</th>`)}</tr></thead>
    <tbody>${sizes.map((row, i) => html`<tr><th scope="row" title=${names[i]}>${names[i]}</th>${row.map((n, j) => {
      const share = sizes[i][i] ? n / sizes[i][i] : 0;
      return html`<td class="number h${Math.ceil(8 * share)}" title="${names[i]} and ${names[j]}">${count(n)}
        <small>${i === j ? "" : percent(share)}</small></td>`;
    })}</tr>`)}</tbody></table></div>`;
}
