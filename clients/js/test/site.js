// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

// Builds and runs a server.

import { spawn, execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const root = fileURLToPath(new URL('../../../', import.meta.url));

/** Builds uproar, unless the environment variable UPROAR names one. */
export async function build() {
  if (process.env.UPROAR) {
    return { program: process.env.UPROAR, remove: async () => undefined };
  }
  const dir = await mkdtemp(join(tmpdir(), 'uproar-js-'));
  const program = join(dir, 'uproar');
  await promisify(execFile)('go', ['build', '-o', program, './cmd/uproar'], { cwd: root });
  return { program, remove: () => rm(dir, { recursive: true }) };
}

export const token = { write: 'a-token-that-may-write', read: 'a-token-that-may-read' };

/** Starts a server in a folder of its own. */
export async function serve(program, ...flags) {
  const dir = await mkdtemp(join(tmpdir(), 'uproar-js-'));
  const tokens = join(dir, 'tokens');
  await writeFile(tokens, `write writer ${token.write}\nread reader ${token.read}\n`);
  let address = '127.0.0.1:0'; // a free one, and from then on the same
  let child, exited;
  const start = async () => {
    const given = ['--dir', join(dir, 'data'), '--addr', address, '--tokens', tokens, ...flags];
    child = spawn(program, ['serve', '--log-format', 'json', '--remote-backups', ...given], {
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    exited = new Promise((resolve) => child.once('exit', resolve));
    let log = '';
    await new Promise((resolve, reject) => {
      child.stderr.on('data', (chunk) => {
        log += chunk;
        const url = /"msg":"serving","url":"http:\/\/([^"]+)"/.exec(log);
        if (url !== null) {
          address = url[1];
          resolve();
        }
      });
      exited.then(() => reject(new Error(`the server does not serve: ${log}`)));
    });
  };
  const stop = async () => {
    child.kill('SIGTERM');
    await exited;
  };
  await start();
  return {
    url: `http://${address}`,
    token,
    async restart() {
      await stop();
      await start();
    },
    async close() {
      await stop();
      await rm(dir, { recursive: true });
    },
  };
}
