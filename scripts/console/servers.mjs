// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

// The servers that the console is checked on: the demo, an empty one, one with tokens, and one whose
// names and values would be markup if anything took them for it.

import { execFile, spawn } from "node:child_process";
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join, resolve } from "node:path";

const started = [];
const folder = mkdtempSync(join(tmpdir(), "uproar-console-"));

/** Starts a program, and returns its address when it says that it serves. */
function start(program, args, says) {
  const child = spawn(program, args, { stdio: ["ignore", "pipe", "pipe"] });
  started.push(child);
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
  await Promise.all(started.map((child) => child.exitCode !== null || new Promise((done) => {
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

export const token = "reader-reader-reader";

export function tokenServer(program) {
  const file = join(folder, "tokens");
  writeFileSync(file, `write console ${token}\n`, { mode: 0o600 });
  return start(program, ["serve", "--store", "memory", "--addr", "127.0.0.1:0", "--tokens", file], serving);
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
  const boundary = "part-of-the-import";
  const parts = [["application/json", JSON.stringify(schema)], ["text/csv", "id,article,customer\nplain,tea,trade\n"]];
  await ask(base, "/v1/catalog/import?catalog=shop", `${parts.map(([type, text]) =>
    `--${boundary}\r\nContent-Type: ${type}\r\n\r\n${text}\r\n`).join("")}--${boundary}--\r\n`,
  { "Content-Type": `multipart/mixed; boundary=${boundary}` });
  await ask(base, "/v1/catalog/write", { catalog: "shop", put: [
    { key: hostile, has: { article: hostile } }, { key: `${hostile}2`, has: { article: hostile, customer: hostile } },
    { key: `${hostile}3`, has: { article: hostile, customer: `${hostile}3` } }] });
  return base;
}
