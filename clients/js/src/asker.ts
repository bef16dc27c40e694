// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

import { multipart, type Part } from './body.js';
import { stringify } from './json.js';
import type { Call, Parameters, Site } from './site.js';
import type { BodyOf, ParametersOf, PathsOf, ReplyOf } from './types.js';

/** The calls by POST that only read. All others by POST write. */
export const readers: ReadonlySet<string> = new Set<PathsOf<'post'>>([
  '/v1/answers',
  '/v1/audience/report',
  '/v1/backup',
  '/v1/batch',
  '/v1/catalog/facets',
  '/v1/catalog/search',
  '/v1/catalog/sorted',
  '/v1/graph/edges',
  '/v1/graph/lookup',
  '/v1/handover',
  '/v1/likes/lookup',
  '/v1/query',
  '/v1/records/find',
  '/v1/records/get',
]);

/** Asks any call of the document by its path. Requests and replies have the document's types. */
export class Asker {
  constructor(
    readonly site: Site,
    readonly signal?: AbortSignal,
  ) {}

  /** Asks a call by GET. */
  async get<P extends PathsOf<'get'>>(path: P, query?: ParametersOf<P>): Promise<ReplyOf<P, 'get'>> {
    return (await this.site.json(this.call('GET', path, query as Parameters))) as ReplyOf<P, 'get'>;
  }

  /** Asks a call by POST. */
  async post<P extends PathsOf<'post'>>(path: P, body: BodyOf<P>): Promise<ReplyOf<P, 'post'>> {
    return (await this.site.json(this.json(path, body))) as ReplyOf<P, 'post'>;
  }

  /** Sends parts of a body to a call that writes. It is never sent again by itself. */
  async upload<P extends PathsOf<'post'>>(path: P, query: Parameters, parts: Part[]): Promise<ReplyOf<P, 'post'>> {
    const body = await multipart(parts, this.signal);
    const call: Call = { method: 'POST', path, query, body, writes: true, signal: this.signal };
    return (await this.site.json(call)) as ReplyOf<P, 'post'>;
  }

  /** Asks for a text. */
  text(path: PathsOf<'get'>): Promise<string> {
    return this.site.ask(this.call('GET', path));
  }

  call(method: 'GET', path: PathsOf<'get'>, query?: Parameters): Call {
    return { method, path, query, signal: this.signal };
  }

  json(path: PathsOf<'post'>, body: unknown): Call {
    return {
      method: 'POST',
      path,
      body: { contentType: 'application/json', content: stringify(body ?? {}) },
      writes: !readers.has(path),
      signal: this.signal,
    };
  }
}
