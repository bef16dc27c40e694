// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

import type { components } from './document.js';
import { ConnectionError, errorOf, refusalIn, UproarError } from './error.js';
import { parse, type Integer } from './json.js';
import { again, pause, sleep } from './retry.js';
import type { Call, Parameters, Site } from './site.js';

/** A server sends a comment every 15 s: without one for so long, the connection is lost. */
const longestSilence = 45_000;

/** What is followed: a call that answers with events, and where each of them stands. */
export interface Followed<T> {
  path: string;
  query: Parameters;
  positionOf: (event: T) => Integer;
}

/**
 * Yields the events of a call behind a position as they come, until signal ends it with its reason.
 * When the connection is lost later on, or the server is away, it asks again from where it was.
 */
export async function* follow<T>(
  site: Site,
  of: Followed<T>,
  after: Integer,
  signal?: AbortSignal,
): AsyncGenerator<T> {
  let met = false;
  for (let tried = 0; ; tried++) {
    let wait: number | undefined = pause(tried);
    try {
      const call: Call = { method: 'GET', path: of.path, query: { ...of.query, after }, accept: 'text/event-stream' };
      for await (const event of events(site, call, signal)) {
        met = true;
        tried = 0;
        if (event !== undefined) {
          after = of.positionOf(event as T);
          yield event as T;
        }
      }
    } catch (error) {
      wait = again(error, false, tried);
      if (wait === undefined || (!met && tried >= site.retries)) {
        throw error;
      }
    }
    await sleep(wait, signal);
    site.next();
  }
}

/** Yields undefined when a stream begins, and then the data of its events, until it ends. */
async function* events(site: Site, call: Call, signal?: AbortSignal): AsyncGenerator<unknown> {
  const silence = new AbortController();
  const stop = () => silence.abort(signal!.reason);
  signal?.throwIfAborted();
  signal?.addEventListener('abort', stop, { once: true });
  let timer: ReturnType<typeof setTimeout> | undefined;
  const heard = () => {
    clearTimeout(timer);
    timer = setTimeout(() => silence.abort(new ConnectionError(`${call.path} is silent`, undefined)), longestSilence);
  };
  try {
    heard();
    call = { ...call, signal: silence.signal };
    const response = await site.send(call);
    if (!response.headers.get('Content-Type')?.startsWith('text/event-stream')) {
      await response.body?.cancel();
      throw new UproarError(`${call.path} is not answered with events: a newer server may do so`);
    }
    yield undefined;
    const parser = new Parser(site.maxReply);
    for await (const chunk of site.chunks(call, response)) {
      heard();
      for (const { name, data } of parser.add(chunk)) {
        const reply = parse(data);
        const refusal = name === 'error' ? (refusalIn(reply) as components['schemas']['Error']) : undefined;
        if (refusal !== undefined) {
          throw errorOf(refusal);
        }
        yield reply;
      }
    }
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', stop);
  }
}

/** Reads server-sent events (https://html.spec.whatwg.org/multipage/server-sent-events.html). */
class Parser {
  private readonly decoder = new TextDecoder();
  private unread = '';
  private name = '';
  private data: string[] = [];
  private size = 0;

  constructor(private readonly longest: number) {}

  /** Takes bytes, and yields the events that end in them. */
  *add(chunk: Uint8Array): Generator<{ name: string; data: string }> {
    const text = this.decoder.decode(chunk, { stream: true });
    const lines = text.split('\n');
    lines[0] = this.unread + lines[0];
    this.unread = lines.pop()!;
    this.size += chunk.length;
    if (this.size > this.longest) {
      throw new UproarError(`an event has more than ${this.longest} bytes`);
    }
    for (let line of lines) {
      line = line.replace(/\r$/, '');
      if (line !== '') {
        this.field(line);
        continue;
      }
      const event = { name: this.name, data: this.data.join('\n') };
      const some = this.data.length > 0;
      this.name = '';
      this.data = [];
      this.size = 0;
      if (some) {
        yield event;
      }
    }
  }

  private field(line: string): void {
    const [, name, value = ''] = /^([^:]*)(?:: ?(.*))?$/s.exec(line)!;
    if (name === 'event') {
      this.name = value;
    } else if (name === 'data') {
      this.data.push(value);
    }
  }
}
