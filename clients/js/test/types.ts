// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

// What a compiler must take, and what it must refuse. Nobody runs this.

import { Client, type Integer, type Schemas } from 'uproar-db';

declare const db: Client;

export async function taken(): Promise<Integer> {
  const { count } = (await db.get('/v1/graph/followers', { account: 'a', count: true })) as Schemas['CountReply'];
  const reply: Schemas['RecordsGetReply'] = await db.post('/v1/records/get', { index: 'i', keys: ['a'] });
  const commit: Schemas['Commit'] | undefined = (await db.changes('i', 2n ** 60n).next()).value;
  await db.get('/healthz');
  await db.keys('i', { field: 'city', '=': 'Bern' });
  return BigInt(count) + BigInt(reply.sequence) + BigInt(commit?.sequence ?? 0);
}

export async function refused(): Promise<void> {
  // @ts-expect-error there is no such call
  await db.get('/v1/nothing');
  // @ts-expect-error it is asked by POST
  await db.get('/v1/records/get');
  // @ts-expect-error it needs an index
  await db.get('/v1/changes', { after: 0 });
  // @ts-expect-error it has no such member
  await db.post('/v1/records/get', { index: 'i', keys: [], key: 'a' });
  // @ts-expect-error it has no such form
  await db.stream('text/html', '/v1/query', { index: 'i', q: 'all' });
  // @ts-expect-error it may be a bigint
  const count: number = await db.count('i', 'all');
  // @ts-expect-error a field has a name
  await db.indexes().create('i', { type: 'set' }, { count });
}
