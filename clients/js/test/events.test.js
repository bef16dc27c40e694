// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

// Streams of events, however their bytes arrive.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Client, SequenceTrimmedError, UproarError } from '../dist/index.js';

/**
 * Returns a client whose requests are answered with streams of these texts, cut after `size` bytes,
 * one after the other.
 */
function answered(streams, size, asked = [], type = 'text/event-stream') {
  const fetch = async (url, { signal, headers }) => {
    assert.equal(headers.get('Accept'), 'text/event-stream');
    asked.push(new URL(url).search);
    const text = streams.shift();
    if (text === undefined) {
      throw new RangeError('asked too often');
    }
    const bytes = new TextEncoder().encode(text);
    let at = 0;
    const body = new ReadableStream({
      start: (controller) => signal.addEventListener('abort', () => controller.error(signal.reason)),
      pull(controller) {
        if (at < bytes.length) {
          controller.enqueue(bytes.slice(at, (at += size)));
        } else if (!text.endsWith('silence')) {
          controller.close();
        }
      },
    });
    return new Response(body, { headers: { 'Content-Type': type } });
  };
  return new Client('http://db.example', { fetch, retries: 0, maxReply: 1000 });
}

const commit = (sequence, name = 'commit') =>
  `id: ${sequence}\nevent: ${name}\ndata: {"sequence":${sequence},"time":"ü✓","changes":[]}\n\n`;

/** Reads so many commits. */
async function take(n, commits) {
  const list = [];
  for await (const { sequence, time } of commits) {
    assert.equal(time, 'ü✓');
    list.push(sequence);
    if (list.length === n) {
      break;
    }
  }
  return list;
}

const all = `retry: 1000\n\n: nothing yet\n\n${commit(1)}${commit(2).replaceAll('\n', '\r\n')}data: {"sequence":3,
data:"time":"ü✓",
data\ndata: "changes":[]}\n\nid\n\n${commit(9223372036854775807n)}`;

test('pieces', async () => {
  for (const size of [1, 2, 3, 7, 64, 1000]) {
    assert.deepEqual(await take(4, answered([all], size).follow('i', 0)), [1, 2, 3, 9223372036854775807n]);
  }
});

test('a stream that ends is asked for behind the last event', async () => {
  const asked = [];
  const db = answered([commit(1) + commit(2).slice(0, -1), 'retry: 1000\n\n', commit(2) + commit(3)], 10, asked);
  assert.deepEqual(await take(3, db.follow('i', 0)), [1, 2, 3]);
  assert.deepEqual(asked, ['?index=i&after=0', '?index=i&after=1', '?index=i&after=1']);
});

test('errors in the stream', async () => {
  const failure = (error) => `event: error\ndata: ${JSON.stringify({ error })}\n\n`;
  const trimmed = answered([commit(1) + failure({ code: 'sequence_trimmed', message: 'm', oldest: 7 })], 10);
  await assert.rejects(take(2, trimmed.follow('i', 0)), (e) => e instanceof SequenceTrimmedError && e.oldest === 7);
  const busy = failure({ code: 'overloaded', message: 'm' });
  assert.deepEqual(await take(2, answered([commit(1) + busy, busy, commit(2)], 10).follow('i', 0)), [1, 2]);
  await assert.rejects(take(1, answered([], 10).follow('i', 0)), UproarError);
  await assert.rejects(
    take(1, answered(['{"commits":[]}'], 10, [], 'application/json').follow('i', 0)),
    /not answered with events/,
  );
  await assert.rejects(take(1, answered([`data: ${'x'.repeat(2000)}`], 100).follow('i', 0)), /more than 1000 bytes/);
});

test('a connection that is silent is lost', async (t) => {
  const real = globalThis.setTimeout;
  globalThis.setTimeout = (f, ms) => real(f, ms === 45_000 ? 50 : ms);
  t.after(() => {
    globalThis.setTimeout = real;
  });
  const asked = [];
  assert.deepEqual(await take(2, answered([`${commit(1)}: silence`, commit(2)], 100, asked).follow('i', 0)), [1, 2]);
  assert.deepEqual(asked, ['?index=i&after=0', '?index=i&after=1']);
});

test('who leaves cancels the stream', async () => {
  let cancelled = 0;
  const body = () =>
    new ReadableStream({
      start: (controller) => controller.enqueue(new TextEncoder().encode(commit(1))),
      cancel: () => {
        cancelled++;
      },
    });
  const db = new Client('http://db.example', {
    fetch: async () =>
      new Response(body(), {
        headers: { 'Content-Type': 'text/event-stream' },
      }),
  });
  assert.deepEqual(await take(1, db.follow('i', 0)), [1]);
  assert.equal(cancelled, 1);
});
