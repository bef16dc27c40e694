// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

// The accounts around one, drawn: who follows whom among them. Forces place them once, before the
// picture is shown.

import { batch } from "./api.js";
import { isPress, rove } from "./charts.js";
import { html, svg, nothing, cut } from "./dom.js";
import { forceSimulation, forceManyBody, forceLink, forceCollide, forceX, forceY } from "./vendor/d3-force.js";

/** The picture, and the room that is left for names at its edges. */
const size = () => (innerWidth < 700 ? { width: 400, height: 420 } : { width: 900, height: 460 });
const edge = 34;
const atOnce = 300; // questions in one request, whose accounts may have long names

/**
 * The follows among an account and those around it: each two are asked, both ways.
 * @returns {Promise<{nodes: {id: string, kind: string}[],
 *   links: {source: string, target: string, both: boolean, own: boolean}[]}>}
 */
export async function edgesOf(account, around, signal) {
  const names = [...new Set([account, ...around])];
  const pairs = names.flatMap((one, i) => names.slice(i + 1).map((other) => [one, other]));
  const asked = pairs.flatMap(([one, other]) => [[one, other], [other, one]])
    .map(([one, other]) => ["/v1/graph/follows", { account: one, target: other }]);
  const parts = [];
  for (let i = 0; i < asked.length; i += atOnce) parts.push(batch(asked.slice(i, i + atOnce), signal));
  const replies = (await Promise.all(parts)).flat();
  const links = pairs.flatMap(([one, other], i) => {
    const [there, back] = [replies[2 * i].follows, replies[2 * i + 1].follows];
    if (!there && !back) return [];
    const [source, target] = there ? [one, other] : [other, one];
    return [{ source, target, both: Boolean(there && back), own: one === account }];
  });
  const own = new Map(links.filter((l) => l.own).map((l) => (l.source === account
    ? [l.target, l.both ? "mutual" : "following"] : [l.source, "follower"])));
  return { nodes: names.map((id) => ({ id, kind: id === account ? "self" : own.get(id) })), links };
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
    <defs>${["own", "other"].map((kind) => svg`<marker id="arrow-${kind}" class=${kind} viewBox="0 0 8 8" refX="8"
      refY="4" markerWidth="8" markerHeight="8" markerUnits="userSpaceOnUse" orient="auto-start-reverse"><path
      d="M0 0 8 4 0 8z"></path></marker>`)}</defs>
    ${lines.map((l) => arrow(l, radius))}
    ${placed.map((n) => (n.kind === "self" ? svg`<g class="self">${dot(n, radius(n), shown(n.id))}</g>`
      : svg`<g class=${n.kind} role="button" tabindex=${n === first ? 0 : -1} @click=${() => pick(n.id)}
        @keydown=${(e) => isPress(e) && pick(n.id)}>${dot(n, radius(n), shown(n.id))}</g>`))}</svg>`;
}

/** A line from one circle's edge to another's, with a head where somebody is followed. */
function arrow({ source, target, both, own }, radius) {
  const [dx, dy] = [target.x - source.x, target.y - source.y];
  const share = (n) => (radius(n) + 1) / Math.max(Math.hypot(dx, dy), 1);
  const [from, to] = [share(source), 1 - share(target)];
  const head = `url(#arrow-${own ? "own" : "other"})`;
  return svg`<line class=${own ? "own" : ""} x1=${source.x + from * dx} y1=${source.y + from * dy}
    x2=${source.x + to * dx} y2=${source.y + to * dy} marker-end=${head}
    marker-start=${both ? head : nothing}><title>${source.id} ${both ? "and" : "follows"} ${target.id}${both
      ? " follow each other" : ""}</title></line>`;
}

const dot = (n, r, text) => svg`<title>${n.id}</title><circle cx=${n.x} cy=${n.y} r=${r}></circle>
  <text x=${n.x} y=${n.y + r + 11} text-anchor="middle">${text}</text>`;
