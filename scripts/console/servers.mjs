// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

// The servers that the console is checked on: the demo, an empty one, one with tokens, and one whose
// names and values would be markup if anything took them for it.

import { execFile, execFileSync, spawn } from "node:child_process";
import { createServer } from "node:http";
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join, resolve } from "node:path";

const started = [];
const folder = mkdtempSync(join(tmpdir(), "uproar-console-"));

/** Starts a program, and returns its address when it says that it serves. */
function start(program, args, says) {
  const child = spawn(program, args, { stdio: ["ignore", "pipe", "pipe"] });
  started.push(child);
  child.name = args.join(" ");
  return new Promise((done, fail) => {
    let text = "";
    const read = (part) => {
      text += part;
      const found = says.exec(text);
      if (found) done(found[1]);
    };
    child.stdout.on("data", read);
    child.stderr.on("data", read);
    child.on("exit", (code) => fail(new Error(`${program} ${args.join(" ")} ended with ${code}:\n${text}`)));
  });
}

/** Ends what was started, and removes what it wrote. */
export async function stopAll() {
  await Promise.all(started.map((child) => child.exitCode !== null || child.signalCode || new Promise((done) => {
    child.removeAllListeners("exit");
    child.on("exit", done);
    child.kill("SIGTERM");
  })));
  rmSync(folder, { recursive: true, force: true });
}

const serving = /(http:\/\/127\.0\.0\.1:\d+)/;

export const demo = (program) => start(program, ["demo", "--addr", "127.0.0.1:0"],
  /Serving (http:\/\/127\.0\.0\.1:\d+) until/);

export const emptyServer = (program) => start(program, ["serve", "--store", "memory", "--addr", "127.0.0.1:0"], serving);

export const token = "writer-writer-writer";
export const readerToken = "reader-reader-reader";

export function tokenServer(program) {
  const file = join(folder, "tokens");
  writeFileSync(file, `write console ${token}\nread looks ${readerToken}\n`, { mode: 0o600 });
  return start(program, ["serve", "--store", "memory", "--addr", "127.0.0.1:0", "--tokens", file], serving);
}

/** A server that can be ended and started again at the same address. */
export async function mortalServer(program) {
  const args = (addr) => ["serve", "--dir", join(folder, "mortal"), "--addr", addr];
  const base = await start(program, args("127.0.0.1:0"), serving);
  return { base,
    end: () => new Promise((done) => {
      const child = started.findLast((c) => c.name.includes("mortal"));
      child.removeAllListeners("exit");
      child.on("exit", done);
      child.kill("SIGKILL");
    }),
    again: () => start(program, args(new URL(base).host), serving) };
}

/** Two copies of a database: one that leads, and one that follows and redirects writes to it. */
export async function copies(program) {
  execFileSync(program, ["check-storage", `file://${join(folder, "log")}`], { stdio: "ignore" });
  const serve = (name, ...more) => start(program, ["serve", "--dir", join(folder, name), "--log",
    `file://${join(folder, "log")}`, "--addr", "127.0.0.1:0", ...more], serving);
  const leads = await serve("leads");
  await ask(leads, "/v1/graph/follow", { account: "ann", target: "bob" });
  const follows = await serve("follows", "--role", "reader");
  for (let i = 0; i < 50 && !(await (await fetch(`${follows}/v1/indexes`)).json()).indexes.length; i++) {
    await new Promise((done) => setTimeout(done, 100));
  }
  return { leads, follows };
}

/** A server that answers another one's calls late. */
export function lateServer(base, delay) {
  const server = createServer(async (request, response) => {
    const parts = [];
    for await (const part of request) parts.push(part);
    if (request.url.startsWith("/v1/")) await new Promise((done) => setTimeout(done, delay));
    const r = await fetch(base + request.url, { method: request.method, body: parts.length ? Buffer.concat(parts) : undefined,
      headers: { "content-type": request.headers["content-type"] ?? "text/plain" } });
    response.writeHead(r.status, { "content-type": r.headers.get("content-type"),
      "content-security-policy": r.headers.get("content-security-policy") ?? "" });
    response.end(Buffer.from(await r.arrayBuffer()));
  });
  server.unref();
  return new Promise((done) => server.listen(0, "127.0.0.1", () => done(`http://127.0.0.1:${server.address().port}`)));
}

/** A server with an index of a thousand fields. */
export async function wideServer(program) {
  const base = await emptyServer(program);
  const fields = [...Array(1000)].map((_, i) => ({ name: `f${i}`, type: i % 10 === 3 ? "integer" : i % 10 === 5 ? "set" : "single" }));
  await ask(base, "/v1/indexes/create", { index: "wide", fields: fields.slice(0, 200) });
  for (let i = 200; i < fields.length; i += 200) await ask(base, "/v1/fields", { index: "wide", add: fields.slice(i, i + 200) });
  await ask(base, "/v1/records/write", { index: "wide", puts: [...Array(60)].map((_, i) => ({ key: `r${i}`,
    values: Object.fromEntries(fields.map((f, at) => [f.name, f.type === "integer" ? i % 50 : f.type === "set"
      ? [`a${i % 7}`, `b${at % 5}`] : `v${i % 9}`])) })) });
  return base;
}

/** Names that a page may find hard: what writes from the right, what is no letter, what is long, what is markup. */
export const odd = ["\u05e9\u05dc\u05d5\u05dd \u05e2\u05d5\u05dc\u05dd (7)", "\u0645\u0631\u062d\u0628\u0627", "\u{1F469}\u200d\u{1F680}\u{1F680} party",
  `it's "quoted" \\ and \`so\``, "constructor", "__proto__", "toString", "a b  c", "\u6771\u4eac", "<b>bold</b>", "not", `x${"y".repeat(998)}z`];

/** A server with a hundred indexes, and with odd names wherever names can be. */
export async function oddServer(program) {
  const base = await emptyServer(program);
  const attempt = (...args) => ask(base, ...args).catch(() => {}); // some names are refused somewhere
  for (let i = 0; i < 100; i++) await ask(base, "/v1/indexes/create", { index: `index${i}`, fields: [{ name: "a", type: "set" }] });
  await ask(base, "/v1/indexes/create", { index: "people", fields: [{ name: "name", type: "single" }, { name: "likes", type: "set" },
    { name: "constructor", type: "single" }, { name: "toString", type: "set" }, { name: "age", type: "integer" }] });
  await ask(base, "/v1/records/write", { index: "people", puts: odd.flatMap((name, i) => [0, 1].map((n) => ({
    key: `${name.slice(0, 500)}${n}`, values: { name, likes: odd.slice(i % 5), constructor: odd[(i + 1) % odd.length],
      toString: [name, odd[(i + 3) % odd.length]], age: i + n } }))) });
  for (const name of odd) {
    await attempt("/v1/indexes/create", { index: name, fields: [{ name: "a", type: "set" }] });
    await attempt("/v1/fields", { index: "people", add: [{ name, type: "single" }] });
    await attempt("/v1/audience/save", { index: "people", name, q: "age > 3" });
    await attempt("/v1/graph/follow", { follows: odd.map((target) => ({ account: name.slice(0, 500),
      target: target.slice(0, 500) })).filter((f) => f.target !== f.account) });
  }
  await importCatalog(base, "odd", { key: "id", attributes: odd.slice(0, 11).map((name, i) => ({ name, field: `c${i}`, rule: i % 3 === 1 })) },
    "text/csv", `id,${odd.slice(0, 11).map((name) => `"${name.replaceAll('"', '""')}"`).join(",")}\n`);
  await attempt("/v1/catalog/write", { catalog: "odd", put: odd.map((name, i) => ({ key: name.slice(0, 500),
    has: { [odd[0]]: name, [odd[1]]: i % 2 ? name : "other", [odd[4]]: "one", [odd[6]]: odd[11] } })) });
  await importCatalog(base, "bare", { key: "id", attributes: [{ name: "Term" }, { name: "due on", type: "date" },
    { name: "price", type: "number", scale: 2, info: true }] }, "text/csv", "id,Term,due on,price\n", "&empty=true");
  return base;
}

/** Imports a table as a catalog. */
async function importCatalog(base, name, schema, media, table, more = "&empty=true") {
  const boundary = "part-of-the-import";
  const parts = [["application/json", JSON.stringify(schema)], [media, table]];
  await ask(base, `/v1/catalog/import?catalog=${name}${more}`, `${parts.map(([type, text]) =>
    `--${boundary}\r\nContent-Type: ${type}\r\n\r\n${text}\r\n`).join("")}--${boundary}--\r\n`,
  { "Content-Type": `multipart/mixed; boundary=${boundary}` });
}

/** Asks a server by POST. */
export async function ask(base, path, body, headers = {}) {
  const type = typeof body === "string" ? "application/octet-stream" : "application/json";
  const r = await fetch(base + path, { method: "POST", headers: { "Content-Type": type, ...headers },
    body: typeof body === "string" ? body : JSON.stringify(body) });
  if (!r.ok) throw new Error(`POST ${path}: ${r.status} ${await r.text()}`);
  return r.json();
}

/** Runs lines in a shell, beside tables to import. Returns what went wrong, if anything did. */
export function runCommands(program, lines) {
  const work = mkdtempSync(join(folder, "commands-"));
  writeFileSync(join(work, "people.csv"), "id,city,age\nann,Oslo,30\nbob,Rome,40\n");
  writeFileSync(join(work, "follows.csv"), "actor,target\nalice,bob\nbob,carol\n");
  symlinkSync(resolve(program), join(work, "uproar"));
  return new Promise((done) => execFile("sh", ["-ec", lines.replace(/\bcurl\b/g, "curl --fail-with-body --silent --show-error")], {
    cwd: work, env: { ...process.env, PATH: work + delimiter + process.env.PATH },
  }, (error, out, err) => done(error && `${lines}\n${out}${err}`)));
}

/** What would run a script if a page took it for markup. */
export const hostile = `<img src=x onerror="window.taken=1">'"\`\${window.taken=1}`;

/** A server of which every key, value and name that may be hostile is. */
export async function hostileServer(program) {
  const base = await emptyServer(program);
  await ask(base, "/v1/indexes/create", { index: "people", fields: [{ name: "city", type: "single" },
    { name: "likes", type: "set" }, { name: "sex", type: "single" }, { name: "age", type: "integer" }] });
  await ask(base, "/v1/records/write", { index: "people", puts: [...Array(20)].map((_, i) => ({ key: `${hostile}${i}`,
    values: { city: `${hostile}${i % 3}`, likes: [hostile, `b${hostile}${i % 5}`], sex: i % 2 ? hostile : "m", age: 20 + i } })) });
  for (const follows of [false, true]) {
    await ask(base, "/v1/audience/save", { index: "people", name: `${hostile}${follows}`, q: "age > 25", follows });
  }
  await ask(base, "/v1/graph/follow", { follows: [...Array(8)].flatMap((_, i) => [
    { account: hostile, target: `${hostile}${i}` }, { account: `${hostile}${i}`, target: i % 2 ? hostile : `${hostile}0` }]) });
  const schema = { key: "id", attributes: [{ name: "article" }, { name: "customer", rule: true }] };
  await importCatalog(base, "shop", schema, "text/csv", "id,article,customer\nplain,tea,trade\n", "");
  await ask(base, "/v1/catalog/write", { catalog: "shop", put: [
    { key: hostile, has: { article: hostile } }, { key: `${hostile}2`, has: { article: hostile, customer: hostile } },
    { key: `${hostile}3`, has: { article: hostile, customer: `${hostile}3` } }] });
  return base;
}
