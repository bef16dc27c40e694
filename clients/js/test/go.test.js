// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

// The package has what the Go packages client and api have, and the server's document.

import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readdir, readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { readers } from '../dist/asker.js';
import * as uproar from '../dist/index.js';

const root = new URL('../../../', import.meta.url);
const read = (path) => readFile(new URL(path, root), 'utf8');

/** Go's name in JavaScript: Keys → keys, IDs → ids, LookupIDs → lookupIDs, OpenAPI → openAPI. */
const lower = (name) => name.replace(/^(IDs|[A-Z])/, (first) => first.toLowerCase());

/** What Go has and this package lacks, and why. */
const without = { 'Client.close': 'fetch has no connections to close' };

/** The files of Go's client. */
async function goFiles() {
  const files = await readdir(new URL('client/', root));
  return files.filter((name) => name.endsWith('.go') && !name.endsWith('_test.go'));
}

test('methods', async () => {
  let found = 0;
  for (const file of await goFiles()) {
    for (const [, type, method] of (await read(`client/${file}`)).matchAll(
      /^func \(\w+ \*?([A-Z]\w*)\) ([A-Z]\w*)\(/gm,
    )) {
      const name = `${type}.${lower(method)}`;
      if (type === 'Error' || without[name]) {
        continue;
      }
      found++;
      assert.equal(
        typeof uproar[type]?.prototype[lower(method)],
        'function',
        `client.${type} of Go has ${method}: no ${name}`,
      );
    }
  }
  assert.ok(found > 60, `found ${found} methods of Go`);
  assert.equal(typeof uproar.Client.prototype.stream, 'function', 'client.Stream of Go is a function');
});

test('which calls write', async () => {
  const found = new Set();
  for (const file of await goFiles()) {
    const posts = (await read(`client/${file}`)).matchAll(/\.post\(ctx, "(\/v1\/[^"]+)",[^;]*?\b(true|false)\)/g);
    for (const [, path, writes] of posts) {
      found.add(path);
      assert.equal(
        readers.has(path),
        writes === 'false',
        `${path}: Go's client says that it ${writes === 'true' ? 'writes' : 'reads'}`,
      );
    }
  }
  assert.ok(found.size > 18, `found ${found.size} calls by POST of Go`);
});

test('src/document.ts', async () => {
  const types = fileURLToPath(new URL('../scripts/types.mjs', import.meta.url));
  await promisify(execFile)(process.execPath, [types, '--check']).catch((error) => assert.fail(error.stderr));
});

test('codes', async () => {
  const text = await read('api/error.go');
  const names = Object.fromEntries(
    [...text.matchAll(/^\s+Code(\w+)\s+Code = "(\w+)"/gm)].map(([, name, code]) => [name, code]),
  );
  const statuses = [...text.matchAll(/^\s+Code(\w+):\s+(\d+),/gm)];
  assert.ok(statuses.length > 25, `found ${statuses.length} codes of Go`);
  const want = Object.fromEntries(statuses.map(([, name, status]) => [names[name], Number(status)]));
  assert.deepEqual(Object.fromEntries([...uproar.byCode].map(([code, [, status]]) => [code, status])), want);
});

test('reasons', async () => {
  const reasons = [...(await read('api/error.go')).matchAll(/^\s+Reason\w+\s+Reason = "(\w+)"/gm)].map(
    ([, reason]) => reason,
  );
  assert.ok(reasons.length > 8, `found ${reasons.length} reasons of Go`);
  assert.deepEqual([...uproar.byReason.keys()].sort(), reasons.sort());
});

test('classes', () => {
  for (const [code, [Class, status]] of uproar.byCode) {
    const error = uproar.errorOf({ code, message: 'words' });
    assert.deepEqual(
      [error.constructor, error.status, error.message, error.name],
      [Class, status, 'words', Class.name],
    );
  }
  const full = uproar.errorOf({ code: 'unavailable', reason: 'full', message: 'm' }, 503, 1000);
  assert.deepEqual(
    [full instanceof uproar.FullError, full instanceof uproar.UnavailableError, full.retryAfter],
    [true, true, 1000],
  );
  assert.equal(
    uproar.errorOf({ code: 'unknown_index', reason: 'full', message: 'm' }).constructor,
    uproar.UnknownIndexError,
  );
  assert.equal(uproar.errorOf({ code: 'of a later version', message: 'm' }, 418).constructor, uproar.ServerError);
});
