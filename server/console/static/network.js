// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

// The accounts around one, drawn: who follows whom among them. Forces place them once, before the
// picture is shown.

import { batch } from "./api.js";
import { isPress, rove } from "./charts.js";
import { html, svg, cut, written } from "./dom.js";
import { forceSimulation, forceManyBody, forceLink, forceCollide, forceX, forceY } from "./vendor/d3-force.js";

/** The picture, and the room that is left for names at its edges. */
const size = () => (innerWidth < 700 ? { width: 400, height: 420 } : { width: 900, height: 460 });
const edge = 34;

/**
 * The follows among an account and those around it, asked in one request.
 * @param {Record<string, string[]>} around kind → accounts, the strongest kind first
 * @returns {Promise<{nodes: {id: string, kind: string}[], links: {source: string, target: string, own: boolean}[]}>}
 */
export async function edgesOf(index, account, around, signal) {
  const kinds = new Map();
  for (const [kind, list] of Object.entries(around)) {
    for (const one of list) if (one !== account && !kinds.has(one)) kinds.set(one, kind);
  }
  const names = [...kinds.keys()];
  const links = names.map((id) => ({ source: account, target: id, own: true }));
  if (names.length > 1) { // whom each follows; only those around the account can be among the drawn ones
    const replies = await batch(names.map((id) => ["/v1/query", { index, limit: 1000,
      q: `follows(${written(id)}) and (follows(${written(account)}) or followers(${written(account)}))` }]), signal);
    replies.forEach((reply, i) => {
      for (const key of reply.keys ?? []) if (kinds.has(key)) links.push({ source: names[i], target: key,
        own: false });
    });
  }
  return { nodes: [{ id: account, kind: "self" }, ...names.map((id) => ({ id, kind: kinds.get(id) }))], links };
}

/** Draws accounts and the follows among them. */
export function network(account, { nodes, links }, pick) {
  const degree = new Map();
  for (const l of links) for (const end of [l.source, l.target]) degree.set(end, (degree.get(end) ?? 0) + 1);
  const radius = (n) => (n.kind === "self" ? 14 : 5 + 1.2 * Math.sqrt(degree.get(n.id) ?? 0));
  const placed = nodes.map((n) => ({ ...n, ...(n.kind === "self" ? { fx: 0, fy: 0 } : {}) }));
  const lines = links.map((l) => ({ ...l }));
  forceSimulation(placed).force("charge", forceManyBody().strength(-260))
    .force("link", forceLink(lines).id((n) => n.id).distance((l) => (l.own ? 130 : 90)).strength((l) => (l.own ? 0.3
      : 0.05)))
    .force("collide", forceCollide(26)).force("x", forceX().strength(0.04)).force("y", forceY().strength(0.12))
    .stop().tick(180);
  const { width, height } = size();
  const reach = (axis) => Math.max(...placed.map((n) => Math.abs(n[axis])), 1);
  const [wide, high] = [(width / 2 - edge) / reach("x"), (height / 2 - edge) / reach("y")];
  for (const n of placed) Object.assign(n, { x: n.x * wide, y: n.y * high });
  const shown = (id) => cut(id, 16);
  const first = placed.find((n) => n.kind !== "self");
  return html`<svg class="network" viewBox="${-width / 2} ${-height / 2} ${width} ${height}" role="group"
    aria-label="${account} and ${nodes.length - 1} accounts around it; arrow keys go from one to the next"
    @keydown=${rove}>
    ${lines.map((l) => svg`<line class=${l.own ? "own" : ""} x1=${l.source.x} y1=${l.source.y} x2=${l.target.x}
      y2=${l.target.y}></line>`)}
    ${placed.map((n) => (n.kind === "self" ? svg`<g class="self">${dot(n, radius(n), shown(n.id))}</g>`
      : svg`<g class=${n.kind} role="button" tabindex=${n === first ? 0 : -1} @click=${() => pick(n.id)}
        @keydown=${(e) => isPress(e) && pick(n.id)}>${dot(n, radius(n), shown(n.id))}</g>`))}</svg>`;
}

const dot = (n, r, text) => svg`<title>${n.id}</title><circle cx=${n.x} cy=${n.y} r=${r}></circle>
  <text x=${n.x} y=${n.y + r + 11} text-anchor="middle">${text}</text>`;
