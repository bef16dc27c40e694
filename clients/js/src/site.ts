// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

import { chunksOf, type Body } from './body.js';
import type { components } from './document.js';
import { ConnectionError, refused, UproarError } from './error.js';
import { parse } from './json.js';
import { again, sleep } from './retry.js';

/** Sets up a client. */
export interface Options {
  /** Sent with every request, to a server that has tokens. */
  token?: string;
  /**
   * Addresses of servers with other copies of the database. When a request is sent again, it goes
   * to the next of all, and those after it too.
   */
  others?: string[];
  /**
   * Has the client remember how far its writes have come, and ask copies of the database to answer
   * once they have come so far. A copy that does not within its time answers with a StaleError.
   */
  readYourWrites?: boolean;
  /** How many times more a request is sent that may be. Default 2. */
  retries?: number;
  /**
   * Bounds the bytes of a reply; a longer one is an error. Streams are not bounded. Default 256
   * MiB.
   */
  maxReply?: number;
  /** Sends the requests. Default: that of the runtime. */
  fetch?: (url: string, init: RequestInit) => Promise<Response>;
}

/** The parameters of a call. A list is a parameter that is repeated; undefined is left out. */
export type Parameters = { [name: string]: unknown };

/** One call, which may be sent several times. */
export interface Call {
  method: 'GET' | 'POST';
  path: string;
  query?: Parameters;
  /** Media type of the reply; '': that of the call. */
  accept?: string;
  body?: Body;
  /** It changes the database. */
  writes?: boolean;
  signal?: AbortSignal;
}

/** Bounds how often one request is sent on to the copy that takes writes. */
const mostHops = 3;

/** Bounds what is read of an answer that is no reply. */
const longestRefusal = 1 << 20;

/**
 * The servers of a client. Of a database of several copies it remembers which one takes the writes,
 * and how far they have come.
 */
export class Site {
  readonly retries: number;
  readonly maxReply: number;
  private readonly bases: string[];
  private readonly fetch: (url: string, init: RequestInit) => Promise<Response>;
  private turn = 0;
  private writer: string | undefined;
  private written = 0n;

  constructor(
    address: string,
    private readonly options: Options,
  ) {
    this.bases = [address, ...(options.others ?? [])].map(baseOf);
    this.retries = Math.max(0, options.retries ?? 2);
    this.maxReply = options.maxReply ?? 256 * 2 ** 20;
    this.fetch = options.fetch ?? ((url, init) => globalThis.fetch(url, init));
  }

  /** The address that is asked now. */
  private get base(): string {
    return this.bases[this.turn % this.bases.length]!;
  }

  /** Turns to the next copy. */
  next(): void {
    this.turn++;
  }

  /** Sends a call, again if need be, and returns the text of its reply. */
  async ask(call: Call): Promise<string> {
    try {
      return await this.askAgain(call);
    } finally {
      call.body?.leave?.();
    }
  }

  private async askAgain(call: Call): Promise<string> {
    for (let tried = 0; ; tried++) {
      try {
        return await this.read(call, await this.send(call), this.maxReply);
      } catch (error) {
        const wait = call.body?.once ? undefined : again(error, call.writes === true, tried);
        if (wait === undefined || tried >= this.retries) {
          throw error;
        }
        await sleep(wait, call.signal);
        this.next();
      }
    }
  }

  /** Sends a call, again if need be, and returns its reply, a JSON object. */
  async json(call: Call): Promise<unknown> {
    const text = await this.ask(call);
    try {
      return parse(text);
    } catch (cause) {
      throw new UproarError(`the reply to ${call.path} is not what it should be`, { cause });
    }
  }

  /**
   * Sends a call once, to the copy that takes writes if it is one and that copy is known. The
   * answer is one of status 200.
   */
  async send(call: Call): Promise<Response> {
    if (call.body?.once) {
      await this.findWriter(call.signal); // a copy that follows would send it back
    }
    let base = call.writes && this.writer !== undefined ? this.writer : this.base;
    for (let hops = 0; ; hops++) {
      let response: Response;
      try {
        response = await this.sendTo(base, call);
      } catch (cause) {
        if (this.writer === base) {
          this.writer = undefined;
        }
        throw this.unanswered(call, base, cause);
      }
      if (response.status === 200) {
        this.notePosition(call, response);
        return response;
      }
      const next = call.body?.once || hops === mostHops ? undefined : await this.writerOf(response, base, call);
      if (next === undefined) {
        const error = refused(response, await this.read(call, response, longestRefusal));
        if (error.reason === 'no_writer') {
          this.writer = undefined;
        }
        throw error;
      }
      await response.body?.cancel();
      base = this.writer = next;
    }
  }

  /** Reads a body to its end. */
  async read(call: Call, response: Response, most: number): Promise<string> {
    const decoder = new TextDecoder();
    let text = '',
      bytes = 0;
    for await (const chunk of this.chunks(call, response)) {
      bytes += chunk.length;
      if (bytes > most) {
        throw new UproarError(`the reply to ${call.path} has more than ${most} bytes`);
      }
      text += decoder.decode(chunk, { stream: true });
    }
    return text + decoder.decode();
  }

  /** Reads a body as it comes. One that breaks off is a ConnectionError. */
  async *chunks(call: Call, response: Response): AsyncGenerator<Uint8Array> {
    if (response.body === null) {
      return;
    }
    const chunks = chunksOf(response.body);
    try {
      for (;;) {
        let next: IteratorResult<Uint8Array>;
        try {
          next = await chunks.next();
        } catch (cause) {
          throw this.unanswered(call, urlOf(response.url)?.origin ?? this.base, cause);
        }
        if (next.done) {
          return;
        }
        yield next.value;
      }
    } finally {
      await chunks.return(undefined);
    }
  }

  private sendTo(base: string, call: Call): Promise<Response> {
    const headers = new Headers();
    if (call.body !== undefined) {
      headers.set('Content-Type', call.body.contentType);
    }
    if (call.accept) {
      headers.set('Accept', call.accept);
    }
    if (this.options.token) {
      headers.set('Authorization', `Bearer ${this.options.token}`);
    }
    if (this.options.readYourWrites && this.written > 0n && !call.writes) {
      headers.set('Uproar-At-Least', String(this.written));
    }
    const init: RequestInit & { duplex?: 'half' } = {
      method: call.method,
      headers,
      redirect: 'manual',
      cache: 'no-store',
      credentials: 'omit',
      signal: call.signal ?? null,
    };
    if (call.body !== undefined) {
      init.body = call.body.content;
    }
    if (call.body?.content instanceof ReadableStream) {
      init.duplex = 'half';
    }
    return this.fetch(base + call.path + search(call.query), init);
  }

  private notePosition(call: Call, response: Response): void {
    const position = response.headers.get('Uproar-Position') ?? '';
    if (call.writes && /^\d{1,20}$/.test(position) && BigInt(position) > this.written) {
      this.written = BigInt(position);
    }
  }

  /**
   * Returns the address of the copy that an answer sends a request on to; undefined if it does not.
   * It is asked for the same call, and encrypted if the first is: a token goes to no host in the
   * clear that has not asked for it so.
   */
  private async writerOf(response: Response, base: string, call: Call): Promise<string | undefined> {
    if (response.type === 'opaqueredirect') {
      // a browser does not show where to
      return this.copyOf(base, call.signal);
    }
    const location = response.headers.get('Location');
    const to = response.status === 307 && location !== null ? urlOf(location, base) : undefined;
    return to?.pathname === call.path && mayBeAsked(to.origin, base) ? to.origin : undefined;
  }

  /** Finds out which copy takes the writes, for a body that is sent only once. */
  private async findWriter(signal?: AbortSignal): Promise<void> {
    this.writer ??= await this.copyOf(this.base, signal);
  }

  /** Asks the copy at an address for that of the one that takes the writes. */
  private async copyOf(base: string, signal?: AbortSignal): Promise<string | undefined> {
    const call: Call = { method: 'GET', path: '/healthz', signal };
    try {
      const response = await this.sendTo(base, call);
      const { copy } = parse(await this.read(call, response, longestRefusal)) as components['schemas']['HealthReply'];
      if (copy === undefined || copy.leads || copy.forward !== 'redirect' || !copy.writerUrl) {
        return undefined;
      }
      const to = new URL(copy.writerUrl).origin;
      return mayBeAsked(to, base) ? to : undefined;
    } catch {
      signal?.throwIfAborted();
      return undefined;
    }
  }

  private unanswered(call: Call, base: string, cause: unknown): unknown {
    if (call.signal?.aborted) {
      return call.signal.reason;
    }
    if (call.body?.broken !== undefined) {
      return call.body.broken.error;
    }
    return new ConnectionError(`asking ${base}${call.path}: ${messageOf(cause)}`, cause);
  }
}

function messageOf(cause: unknown): string {
  if (!(cause instanceof Error)) {
    return String(cause);
  }
  return cause.cause instanceof Error && cause.cause.message !== ''
    ? `${cause.message}: ${cause.cause.message}`
    : cause.message;
}

/** Whether a request may be sent on from one address to another. */
function mayBeAsked(to: string, from: string): boolean {
  return to !== from && new URL(to).protocol === new URL(from).protocol;
}

/** Parses an address; undefined if it is none. */
function urlOf(text: string, base?: string): URL | undefined {
  try {
    return new URL(text, base);
  } catch {
    return undefined;
  }
}

/** Returns the address of a server without a slash at its end. */
function baseOf(address: string): string {
  const u = urlOf(address);
  if (
    u === undefined ||
    (u.protocol !== 'http:' && u.protocol !== 'https:') ||
    u.pathname !== '/' ||
    u.search !== '' ||
    u.hash !== '' ||
    u.username !== '' ||
    u.password !== ''
  ) {
    throw new TypeError(
      `${JSON.stringify(address)} is no address of a server, want one such as http://127.0.0.1:7070`,
    );
  }
  return u.origin;
}

/** Writes parameters as they stand in an address. */
function search(query: Parameters = {}): string {
  const list = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    for (const x of Array.isArray(value) ? value : [value]) {
      if (x !== undefined) {
        list.append(name, String(x));
      }
    }
  }
  const text = list.toString();
  return text === '' ? '' : `?${text}`;
}
