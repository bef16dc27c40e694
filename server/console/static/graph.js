// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

// Graph: an account, whom it follows and who follows it, and what follows from that.

import { answers, batch, indexes, post, Failure } from "./api.js";
import { html, render, nothing, card, clip, count, cut, plural, failure, go, href, empty, here,
  written } from "./dom.js";
import { bars } from "./charts.js";
import { network, edgesOf } from "./network.js";

const listed = 12; // accounts of a list that are shown
const drawn = 10; // accounts of each kind around the one that is drawn
const lists = [["followers", "Followers"], ["following", "Following"], ["mutuals", "Mutuals"]];
const others = [["blocks", "Blocks"], ["blockers", "Blocked by"], ["mutes", "Mutes"], ["muters", "Muted by"],
  ["members", "Members of this list"], ["lists", "On lists"]];

/** Opens the page. */
export async function open(root, params, signal) {
  const index = (await indexes(signal)).find((x) => x.application === "graph");
  if (!index?.records) return render(blank(), root);
  const state = { index, account: params.account, target: params.target };
  state.draw = () => signal.aborted || render(view(state), root);
  state.write = (path, account, target) => write(state, path, account, target, signal);
  state.draw();
  if (!state.account) {
    const reply = await answers(index.index, "all", [
      { name: "followed", answer: "top", field: "followers", limit: listed },
      { name: "follows", answer: "top", field: "follows", limit: listed }], signal);
    [state.followed, state.follows] = reply.answers.map((a) => a.rows);
    return state.draw();
  }
  await fill(state, signal);
}

const blank = () => html`<h1>Graph</h1>${empty("Nobody follows anybody yet",
  "A graph has accounts, and who follows whom. Follow somebody, or load a list of follows:", [
    `curl --json '{"account":"alice","target":"bob"}' ${here()}/v1/graph/follow`,
    `printf 'actor,target\\nalice,carol\\ncarol,bob\\n' > follows.csv`,
    `uproar import graph --to ${here()} follows.csv`])}`;

/** Asks for all that is shown of an account: in one request, and the lines of the picture in others. */
async function fill(state, signal) {
  const { account, target } = state;
  const at = (name, more) => [`/v1/graph/${name}`, { account, ...more }];
  const calls = [...[...lists, ...others].flatMap(([name]) =>
    [at(name, { count: true }), at(name, { limit: listed })]),
    at("suggestions", { limit: listed }), at("similar", { limit: listed }),
    ...(target ? [at("follows", { target }), ["/v1/graph/follows", { account: target, target: account }],
      at("follows-following", { target, limit: listed }), at("follows-following", { target, count: true }),
      at("mutuals-following", { target, limit: listed })] : [])];
  const replies = await batch(calls, signal);
  const pairs = lists.length + others.length;
  state.problem = replies.find((r) => r instanceof Failure);
  state.lists = new Map([...lists, ...others].map(([name], i) =>
    [name, { count: replies[2 * i].count ?? 0, accounts: replies[2 * i + 1].accounts ?? [] }]));
  [state.suggestions, state.similar] = replies.slice(2 * pairs, 2 * pairs + 2).map((r) => r.accounts ?? []);
  const [follows, back, shared, sharedCount, mutual] = replies.slice(2 * pairs + 2);
  state.pair = target && !state.problem ? { follows: follows.follows, back: back.follows, shared: shared.accounts,
    count: sharedCount.count, mutual: mutual.accounts } : undefined;
  state.draw();
  if (state.problem) return;
  const names = (name) => state.lists.get(name).accounts.slice(0, drawn);
  const edges = await edgesOf(account, ["mutuals", "following", "followers"].flatMap(names), signal);
  state.picture = network(account, edges, (one) => go("graph", { account: one }));
  state.draw();
}

function view(state) {
  const { account, target, index } = state;
  const submit = (e) => {
    e.preventDefault();
    const form = new FormData(e.target);
    go("graph", { account: form.get("account").trim(), target: form.get("target")?.trim() });
  };
  return html`<div class="row"><h1 class="grow">${account ? cut(account, 200) : "Graph"}</h1>
    ${account ? html`<a href=${href("graph")}>All accounts</a>
    <a href=${href("query", { index: index.index, q: `follows(${written(account)})` })}>As a query</a>`
      : nothing}</div>
  <section class="card" aria-label="Accounts"><form class="row" @submit=${submit}>
    <label class="field grow"><span>Account</span><input name="account" required autocomplete="off"
      .value=${account ?? ""}></label>
    <label class="field grow"><span>And another one, if you like</span><input name="target" autocomplete="off"
      .value=${target ?? ""}></label>
    <button class="main" type="submit">Show</button></form>
    <p class="faint">${plural(index.records, "account")}. <span class="done"
      aria-live="polite">${state.done ?? ""}</span></p>
    ${failure(state.problem ?? state.refused)}</section>
  ${account ? nothing : beginning(state)}
  ${account && !state.problem && state.lists ? details(state) : nothing}`;
}

function beginning({ followed, follows }) {
  if (!followed) return nothing;
  const show = (account) => go("graph", { account });
  const heads = ["Account", "Accounts"];
  return html`<div class="two even">${card("Most followed", bars("Most followed", followed, show, heads))}
    ${card("Follow most", bars("Follow most", follows, show, heads))}</div>`;
}

const chips = (accounts, more) => (accounts.length ? html`<div class="chips">${accounts.map((a) => html`<a class="chip"
  href=${href("graph", { account: a })} title=${a}>${a}</a>`)}${more ? html`<small>and ${count(more)} more</small>`
    : nothing}
  </div>` : html`<p class="faint">nobody</p>`);

function details(state) {
  const { account, lists: found, suggestions, similar, picture, target, pair } = state;
  const list = ([name, title]) => {
    const { count: n, accounts } = found.get(name);
    return card(title, chips(accounts, n - accounts.length), html`<span class="big">${count(n)}</span>`);
  };
  const ranked = (title, rows, note, head) => card(title, rows.length ? bars(title, rows.map((r) => ({ key: r.account,
    count: r.score, text: note(r) })), (a) => go("graph", { account: a }), ["Account", head])
    : html`<p class="faint">nobody</p>`);
  const more = others.filter(([name]) => found.get(name).count);
  return html`${target && pair ? between(state) : nothing}
    <div class="cards">${lists.map(list)}</div>
    ${card("Around it", html`${picture ?? nothing}<ul class="key">
      <li class="mutual">mutuals</li><li>it follows them</li>
      <li class="follower">they follow it</li></ul>
      <small>An arrow points to who is followed.</small>`)}
    <div class="two even">${ranked("Suggestions, by common friends", suggestions, (r) => count(r.common),
      "Common friends")}
      ${ranked("Similar: they follow the same", similar, (r) => r.score.toFixed(3), "Score")}</div>
    ${more.length ? html`<div class="cards">${more.map(list)}</div>` : nothing}
    ${card("Follow and unfollow", followForm(state, account))}`;
}

/** What two accounts have to do with each other. */
function between({ account, target, pair, write: change }) {
  const [one, other] = [clip(account), clip(target)];
  const said = pair.follows ? (pair.back ? "follow each other" : "follows") : pair.back ? "is followed by"
    : "does not follow";
  return card(`${one} and ${other}`, html`
    <p>${pair.follows && pair.back ? `${one} and ${other} ${said}.`
      : `${one} ${said} ${other}.`}</p>
    <p>${pair.count ? html`<strong>${count(pair.count)}</strong> whom ${one} follows ${pair.count === 1
      ? "follows" : "follow"}
      ${other}:` : `None of those whom ${one} follows follows ${other}.`}</p>
    ${pair.count ? chips(pair.shared, pair.count - pair.shared.length) : nothing}
    ${pair.mutual.length ? html`<div><h3>Mutuals of ${one} among them</h3>${chips(pair.mutual, 0)}</div>`
      : nothing}`,
  html`<button type="button" @click=${() => change(pair.follows ? "unfollow" : "follow", account, target)}>${
    pair.follows ? "Unfollow" : "Follow"}</button>`);
}

function followForm(state, account) {
  const submit = (e) => {
    e.preventDefault();
    state.write(e.submitter.value, account, new FormData(e.target).get("whom").trim());
  };
  return html`<form class="row" @submit=${submit}><label class="field grow"><span>Whom ${clip(account)} is to follow,
    or not any
    more</span><input name="whom" required autocomplete="off"></label>
    <button type="submit" value="follow" class="main">Follow</button>
    <button type="submit" value="unfollow">Unfollow</button></form>`;
}

async function write(state, what, account, target, signal) {
  state.refused = undefined;
  try {
    await post(`/v1/graph/${what}`, { account, target }, signal);
    state.done = what === "follow" ? `${clip(account)} follows ${clip(target)} now.`
      : `${clip(account)} does not follow ${clip(target)} any more.`;
    await fill(state, signal);
  } catch (error) {
    if (signal.aborted) return;
    Object.assign(state, { done: "", refused: error });
    state.draw();
  }
}
