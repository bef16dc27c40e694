// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

// Asks a server with the client that openapi-generator makes for TypeScript: node use.js URL

import { Configuration, DatabaseApi, GraphApi, ServerApi } from './client/index';

declare const process: { argv: string[]; exit(code: number): void };

const config = new Configuration({ basePath: process.argv[2] });
const graph = new GraphApi(config), database = new DatabaseApi(config), server = new ServerApi(config);

function equal(got: unknown, want: unknown) {
  if (JSON.stringify(got) !== JSON.stringify(want)) {
    throw new Error(`got ${JSON.stringify(got)}, want ${JSON.stringify(want)}`);
  }
}

async function main() {
  equal((await server.getHealthz()).status, 'ok');
  const follows = [{ account: 'ann', target: 'bob' }, { account: 'cid', target: 'bob' }];
  await graph.postGraphFollow({ followRequest: { follows } });
  const answers = [{ name: 'all', answer: 'count' }];
  equal((await database.postAnswers({ answersRequest: { index: 'accounts', q: 'followers(bob)' as any, answers } })).records, 2);
  equal((await graph.postGraphImport({ body: new Blob(['dee,bob\n']) })).follows, 1);
  equal((await server.getMetrics()).includes('uproar_'), true); // no backup: fetch says that it is a browser
}

main().catch((e) => { console.error(e); process.exit(1); });
