// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

// Asks a real server, from Node and from a browser.

import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { promisify } from 'node:util';
import { Client } from '../dist/index.js';
import { missing, openPage, servePages } from './browser.js';
import { startCopies } from './copies.js';
import { noting } from './noting.js';
import { build, serve, token } from './site.js';
import { tests } from './suite.js';

let built, copies;
before(async () => {
  built = await build();
  copies = await startCopies();
});
after(async () => {
  copies?.close();
  await built?.remove();
});

/** Every call of the document was asked. */
async function everyCall(asked) {
  const { paths } = JSON.parse(await readFile(new URL('../../../server/openapi.json', import.meta.url), 'utf8'));
  const calls = Object.entries(paths).flatMap(([path, operations]) =>
    Object.keys(operations).map((method) => `${method.toUpperCase()} ${path}`),
  );
  assert.ok(calls.length > 60, `openapi.json has ${calls.length} calls`);
  assert.deepEqual(
    calls.filter((call) => !asked.has(call)),
    [],
    'no method asks these, or the suite does not call it',
  );
}

test('Node', async (t) => {
  const site = await serve(built.program);
  t.after(() => site.close());
  const asked = new Set();
  const db = new Client(site.url, { token: site.token.write, fetch: noting(asked) });
  for (const [name, run] of Object.entries(tests)) {
    await t.test(name, () => run({ ...site, Client, db, copies }));
  }
  await t.test('every call', () => everyCall(asked));
});

test('a browser', { skip: missing }, async (t) => {
  const pages = await servePages();
  t.after(() => pages.close());
  const site = await serve(built.program, '--cors', pages.origin);
  t.after(() => site.close());
  const page = await openPage(pages.origin, site, copies);
  t.after(() => page.close());
  for (const name of await page.names()) {
    await t.test(name, async () => assert.equal(await page.run(name), undefined));
  }
  await t.test('every call', async () => everyCall(new Set(await page.calls())));
});

test('copies of a database', async (t) => {
  const log = await mkdtemp(join(tmpdir(), 'uproar-js-'));
  t.after(() => rm(log, { recursive: true }));
  await promisify(execFile)(built.program, ['check-storage', `file://${log}`]);
  const leader = await serve(built.program, '--log', `file://${log}`);
  t.after(() => leader.close());
  const follower = await serve(built.program, '--log', `file://${log}`);
  t.after(() => follower.close());
  const asked = [];
  const fetch = (url, init) => {
    asked.push(`${new URL(url).pathname} of the ${url.startsWith(leader.url) ? 'leader' : 'follower'}`);
    return globalThis.fetch(url, init);
  };
  const db = new Client(follower.url, { token: token.write, readYourWrites: true, fetch });
  assert.equal((await db.cluster().copy()).writerUrl, leader.url);
  let nodes = [];
  for (let i = 0; i < 300 && nodes.length < 2; i++) {
    // a copy tells of itself a little later
    await new Promise((resolve) => setTimeout(resolve, 100));
    ({ nodes } = await db.cluster().nodes());
  }
  assert.deepEqual(nodes.map((n) => n.leads).sort(), [false, true]);
  asked.length = 0;
  await db.indexes().create('x', { name: 'n', type: 'integer' });
  for (let n = 1; n <= 5; n++) {
    await db.writeRecords({ index: 'x', puts: [{ key: `k${n}`, values: { n } }] });
    assert.equal(await db.count('x', 'all'), n);
  }
  const reads = asked.filter((call) => call.startsWith('/v1/query'));
  assert.deepEqual(new Set(reads), new Set(['/v1/query of the follower'])); // again, if it is late
  assert.deepEqual(
    asked.filter((call) => !reads.includes(call)),
    [
      '/v1/indexes/create of the follower',
      '/v1/indexes/create of the leader',
      ...Array(5).fill('/v1/records/write of the leader'),
    ],
  );
  async function* table() {
    yield 'id,n\nk6,6\n';
  }
  assert.equal((await db.import('x', table())).records, 1);
  assert.equal(await db.count('x', 'all'), 6);
});
