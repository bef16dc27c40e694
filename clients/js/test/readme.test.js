// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

// The code of README.md compiles, and prints what its comments say.

import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { inspect, promisify } from 'node:util';
import { build, serve } from './site.js';

const run = promisify(execFile);
const folder = fileURLToPath(new URL('../', import.meta.url));

test('README.md and types.ts', async (t) => {
  const blocks = [...(await readFile(join(folder, 'README.md'), 'utf8')).matchAll(/^```ts\n(.*?)^```$/gms)];
  assert.equal(blocks.length, 5);
  const code = blocks.map(([, block]) => block).join('\n');
  const want = [...code.matchAll(/^ *console\.log\(.*\); \/\/ (.*)$/gm)].flatMap(([, said]) =>
    said.replaceAll('\\n', '\n').split(', then '),
  );
  const built = await build();
  t.after(built.remove);
  const site = await serve(built.program);
  t.after(() => site.close());
  const out = await mkdtemp(join(folder, 'test/.out-')); // in the package, which finds itself by its name
  t.after(() => rm(out, { recursive: true }));
  const address = "'http://127.0.0.1:7070'";
  assert.ok(code.includes(address));
  await writeFile(join(out, 'readme.ts'), code.replace(address, `'${site.url}', { token: '${site.token.write}' }`));
  await run(
    'npx',
    [
      'tsc',
      '--strict',
      '--noUnusedLocals',
      '--target',
      'es2022',
      '--module',
      'nodenext',
      '--lib',
      'es2022,dom,dom.asynciterable',
      '--types',
      'node',
      '--rootDir',
      join(folder, 'test'),
      '--outDir',
      out,
      join(out, 'readme.ts'),
      join(folder, 'test/types.ts'),
    ],
    { cwd: folder },
  ).catch((error) => {
    throw new Error(error.stdout);
  });

  const got = [];
  t.mock.method(console, 'log', (...values) =>
    got.push(values.map((x) => (typeof x === 'string' ? x : inspect(x))).join(' ')),
  );
  await import(join(out, basename(out), 'readme.js'));
  assert.deepEqual(got, want);
});
