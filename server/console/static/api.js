// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

// Requests to the server, its errors, and the token.

const tokenKey = "uproar.token";

/** An error that the server answered with, or that it did not answer. */
export class Failure extends Error {
  /** @param {{code?: string, message?: string, offset?: number}} error @param {number} status */
  constructor(error, status) {
    super(error.message ?? `the server answered ${status}`);
    this.code = error.code ?? "unreachable";
    this.offset = error.offset; // bytes into the query, if that is wrong
    this.status = status;
    this.link = error.link; // where to go on
  }
}

/** Whether a text is the address of a server. */
export const isAddress = (text) => /^https?:\/\//.test(text ?? "");

/** The error of a write that this copy of a database would send to another server, which the pages must not ask. */
async function elsewhere() {
  const { copy } = await get("/healthz").catch(() => ({}));
  const link = isAddress(copy?.writerUrl) ? `${copy.writerUrl.replace(/\/$/, "")}/${location.hash}` : undefined;
  return new Failure({ code: "follows", link, message: `Nothing was written: this copy follows${link
    ? ", and the one that takes writes is" : "; open the one that takes writes."}` }, 307);
}

/** The token of this tab; it is gone with the tab. */
export const token = {
  get: () => sessionStorage.getItem(tokenKey),
  /** @param {string} text */
  set: (text) => (text ? sessionStorage.setItem(tokenKey, text) : sessionStorage.removeItem(tokenKey)),
};

/** Whether a number of JavaScript is not the one that a text says: a long integer, or a long decimal. */
function isOther(value, source) {
  if (/^-?\d+$/.test(source)) return !Number.isSafeInteger(value);
  const decimal = /^(-?\d+\.\d*?)0*$/.exec(source)?.[1].replace(/\.$/, "");
  return decimal?.length > 15 && Math.abs(value) >= 1e-6 && decimal !== String(value); // below, it has an exponent
}

/** Parses JSON. A number that one of JavaScript cannot hold is its text. */
function parse(text) {
  return JSON.parse(text, (_, value, context) =>
    (typeof value === "number" && isOther(value, context?.source ?? "") ? context.source : value));
}

/** Sends a request. Every answer but an error is returned as it is. */
async function send(path, options = {}) {
  const headers = { ...options.headers };
  if (token.get()) headers.Authorization = `Bearer ${token.get()}`;
  let response;
  try {
    response = await fetch(path, { ...options, headers, cache: "no-store", redirect: "manual" });
  } catch (error) {
    if (error.name === "AbortError") throw error;
    throw new Failure({ message: "The server does not answer." }, 0);
  }
  if (response.ok) return response;
  if (response.type === "opaqueredirect") throw await elsewhere();
  const failed = await response.json().catch(() => ({}));
  if (response.status === 401) dispatchEvent(new CustomEvent("token-wanted", { detail: failed.error?.message }));
  throw new Failure(failed.error ?? {}, response.status);
}

/** The address of a call. A list stands for a parameter that is repeated; undefined for none. */
export function address(path, params = {}) {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(params)) {
    for (const one of [value].flat()) if (one !== undefined && one !== "") query.append(name, one);
  }
  return query.size ? `${path}?${query}` : path;
}

/** Asks a call by GET. */
export async function get(path, params, signal) {
  return parse(await (await send(address(path, params), { signal })).text());
}

/** The text of a call by GET that is not JSON. */
export async function text(path, signal) {
  return (await send(path, { signal })).text();
}

const posted = (body, accept) => ({
  method: "POST", body: JSON.stringify(body), headers: { "Content-Type": "application/json", Accept: accept },
});

/** Asks a call by POST. */
export async function post(path, body, signal) {
  return parse(await (await send(path, { ...posted(body, "application/json"), signal })).text());
}

/** A list as a file of another type, such as text/csv. */
export async function file(path, body, type) {
  return (await send(path, posted(body, type))).blob();
}

/**
 * Asks several calls by GET at once. Each answer is the reply, or a Failure: a wrong question is no
 * failed request, so that it may be asked while it is typed.
 * @param {[path: string, params?: object][]} calls
 */
export async function batch(calls, signal) {
  const reply = await post("/v1/batch", { calls: calls.map(([path, params]) => address(path, params)) }, signal);
  return reply.answers.map((a) => (a.error && typeof a.error === "object" ? new Failure(a.error, 400) : a));
}

/** The indexes of the database. */
export async function indexes(signal) {
  return (await get("/v1/indexes", {}, signal)).indexes;
}

/** Several answers about the records of one query. */
export async function answers(index, q, list, signal) {
  return post("/v1/answers", { index, q, answers: list }, signal);
}
