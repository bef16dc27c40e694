// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

import { Asker } from './asker.js';
import { Audience } from './audience.js';
import { streamOf, type Part, type Source } from './body.js';
import { Catalog } from './catalog.js';
import { Cluster } from './cluster.js';
import { errorOf, refusalIn, UproarError, type ServerError } from './error.js';
import { follow } from './events.js';
import { Graph } from './graph.js';
import { Indexes } from './indexes.js';
import { parse, stringify, type Integer } from './json.js';
import { share } from './share.js';
import { Site, type Options } from './site.js';
import { Standing } from './standing.js';
import { behind, pages } from './paging.js';
import type { BodyOf, Page, ParametersOf, PathsOf, Query, ReplyOf, Schemas } from './types.js';

/** Says how a table is read. Without options the server finds out. */
export interface TableImportOptions {
  /** Not given: that of the index, or of a new one by the first rows of the table. */
  schema?: Schemas['TableSchema'];
  /** Column of the keys; not given: found out, or that of the schema. */
  key?: string;
  /** Texts that stand for no value, beside the empty one; with a schema it has them. */
  null?: string[];
  format?: 'csv' | 'tsv' | 'ndjson';
  separator?: 'comma' | 'semicolon' | 'tab' | 'pipe';
  /** Two rows of the same key end the import, as they do if the key was found out. */
  unique?: boolean;
  /** Columns that are no fields of the index are left out. */
  ignore?: boolean;
  /** The first bad value or line ends the import. */
  strict?: boolean;
  /** Share of lines and values that may be bad, and are left out: from 0, none, to 1. */
  maxBad?: number;
  /** Everything is read and checked, and nothing is imported. */
  check?: boolean;
}

/** The media types of tables and lines. */
export type Media =
  | 'text/csv'
  | 'text/tab-separated-values'
  | 'application/x-ndjson'
  | 'application/vnd.apache.parquet'
  | 'application/vnd.apache.arrow.stream';

/** The calls that answer with tables and lines. */
export type Listed = '/v1/query' | '/v1/answers' | '/v1/records/find' | '/v1/records/get';

/** What one call of a batch was answered with: a reply, or an error. */
export type Answered = { reply: unknown; error?: undefined } | { reply?: undefined; error: ServerError };

/**
 * Asks a server. Its methods have the names of the Go client's. What only reads is asked again, up
 * to Options.retries times, when the server has too much to do or cannot be reached. A write is
 * sent again only when nothing can have been done.
 */
export class Client {
  private readonly asker: Asker;

  /**
   * Returns a client of the server at an address such as "https://db.example:7070". It does not
   * connect.
   */
  constructor(address: string, options: Options = {}) {
    this.asker = new Asker(new Site(address, options));
  }

  /**
   * Returns the client with a signal for all of its calls: `db.with({ signal:
   * AbortSignal.timeout(5000) })`. A call that it ends throws the reason of the signal.
   */
  with(call: { signal?: AbortSignal }): Client {
    const client = Object.create(Client.prototype) as { asker: Asker };
    client.asker = new Asker(this.asker.site, call.signal);
    return client as unknown as Client;
  }

  /** Asks a call by GET, by its path: `db.get('/v1/stats', { kinds: true })`. */
  get<P extends PathsOf<'get'>>(path: P, query?: ParametersOf<P>): Promise<ReplyOf<P, 'get'>> {
    return this.asker.get(path, query);
  }

  /** Asks a call by POST, by its path. */
  post<P extends PathsOf<'post'>>(path: P, body: BodyOf<P>): Promise<ReplyOf<P, 'post'>> {
    return this.asker.post(path, body);
  }

  /** Returns the graph of accounts. */
  graph(): Graph {
    return new Graph(this.asker);
  }

  /**
   * Returns the records of an index that a query matches. In the query saved(name) may be an
   * audience.
   */
  audience(index: string, q: string): Audience {
    return new Audience(this.asker, index, q);
  }

  /** Returns the catalog of a name. */
  catalog(name: string): Catalog {
    return new Catalog(this.asker, name);
  }

  /** Returns the calls about the copies of the database. */
  cluster(): Cluster {
    return new Cluster(this.asker);
  }

  /** Returns the calls about indexes. */
  indexes(): Indexes {
    return new Indexes(this.asker);
  }

  /** Returns the calls about the standing queries of an index. */
  standing(index: string): Standing {
    return new Standing(this.asker, index);
  }

  /** Returns a page of the keys of the records that a query matches, by ascending record ID. */
  async keys(index: string, q: Query, page: Page = {}): Promise<Schemas['KeysReply']> {
    return (await this.asker.post('/v1/query', { index, q, answer: 'keys', ...page })) as Schemas['KeysReply'];
  }

  /** Returns a page of the IDs of the records that a query matches, ascending. */
  async ids(index: string, q: Query, page: Page = {}): Promise<Schemas['IDsReply']> {
    return (await this.asker.post('/v1/query', { index, q, answer: 'ids', ...page })) as Schemas['IDsReply'];
  }

  /** Returns a page of the records that a query matches, by ID and key, by ascending ID. */
  async identified(index: string, q: Query, page: Page = {}): Promise<Schemas['IdentifiedReply']> {
    return (await this.asker.post('/v1/query', {
      index,
      q,
      answer: 'records',
      ...page,
    })) as Schemas['IdentifiedReply'];
  }

  /**
   * Yields the keys of all records that a query matches. It asks for them page by page, each in the
   * state of its time.
   */
  allKeys(index: string, q: Query): AsyncGenerator<string> {
    return pages(async (page) => {
      const { keys, cursor } = await this.keys(index, q, page);
      return { entries: keys, cursor };
    });
  }

  /** Returns how many records a query matches. */
  async count(index: string, q: Query): Promise<Integer> {
    const reply = await this.asker.post('/v1/query', { index, q, answer: 'count' });
    return (reply as Schemas['CountReply']).count;
  }

  /** Returns the plan of a query, an object whose members may change from version to version. */
  async explain(index: string, q: Query): Promise<unknown> {
    const reply = await this.asker.post('/v1/query', { index, q, answer: 'explain' });
    return (reply as Schemas['PlanReply']).plan;
  }

  /** Returns several answers about the records of one query, in one state of the database. */
  answers(request: Schemas['AnswersRequest']): Promise<Schemas['AnswersReply']> {
    return this.asker.post('/v1/answers', request);
  }

  /** Stores the records of a query under a name, and returns how many they are. */
  async save(index: string, name: string, q: Query): Promise<Integer> {
    return (await this.asker.post('/v1/save', { index, name, q })).count;
  }

  /**
   * Asks up to 1 000 calls by GET at once. Each is a path with parameters. The answers are in their
   * order.
   */
  async batch(...calls: string[]): Promise<Answered[]> {
    const { answers } = await this.asker.post('/v1/batch', { calls });
    if (answers.length !== calls.length) {
      throw new UproarError(`got ${answers.length} answers to ${calls.length} calls`);
    }
    return answers.map((reply): Answered => {
      const refusal = refusalIn(reply);
      return refusal === undefined ? { reply } : { error: errorOf(refusal) };
    });
  }

  /**
   * Asks for a list of any length as a table or lines of JSON, by their media type: the records of
   * a query, with values or without, or the answer to one question. Without a limit it is all of
   * it. A list that breaks off ends with a ConnectionError. It is not asked for again by itself.
   */
  async stream<P extends Listed>(media: Media, path: P, request: BodyOf<P>): Promise<ReadableStream<Uint8Array>> {
    const call = { ...this.asker.json(path, request), accept: media };
    const response = await this.asker.site.send(call);
    const got = response.headers.get('Content-Type')?.split(';')[0]?.trim();
    if (got !== media) {
      await response.body?.cancel();
      throw new UproarError(`${path} is answered as ${got}, want ${media}: a newer server may have that`);
    }
    return streamOf(this.asker.site.chunks(call, response));
  }

  /** Yields the entries of a list of any length, which it reads as lines of JSON. */
  async *lines<P extends Listed>(path: P, request: BodyOf<P>): AsyncGenerator<unknown> {
    const call = { ...this.asker.json(path, request), accept: 'application/x-ndjson' };
    const response = await this.asker.site.send(call);
    const decoder = new TextDecoder();
    let unread = '';
    for await (const chunk of this.asker.site.chunks(call, response)) {
      const lines = decoder.decode(chunk, { stream: true }).split('\n');
      lines[0] = unread + lines[0];
      unread = lines.pop()!;
      for (const line of lines) {
        yield parse(line);
      }
    }
    if (unread !== '') {
      throw new UproarError(`the last line of the reply to ${path} has no end`);
    }
  }

  /**
   * Puts the records of a table into an index, all of them or none, or makes the index. The table
   * is plain or compressed with gzip, zstd or bzip2. It is never sent again. After an error nothing
   * was imported, unless the error is that the answer got lost.
   */
  async import(index: string, table: Source, options: TableImportOptions = {}): Promise<Schemas['TableImportReply']> {
    const { schema, maxBad, ...query } = options;
    const parts: Part[] = [];
    if (schema !== undefined) {
      parts.push({ media: 'application/json', source: stringify(schema) });
    }
    parts.push({ media: '', source: table });
    return this.asker.upload('/v1/import', { index, ...query, bad: share(maxBad) }, parts);
  }

  /**
   * Writes records of an index, all of it or nothing, and returns the number of the commit. If a
   * requirement does not hold, the error is a ConditionFailedError, and nothing is written.
   */
  async writeRecords(request: Schemas['RecordsWriteRequest']): Promise<Integer> {
    return (await this.asker.post('/v1/records/write', request)).sequence;
  }

  /** Returns records by their keys, in the same order. No fields means all. */
  async records(index: string, keys: string[], ...fields: string[]): Promise<Schemas['Record'][]> {
    return (await this.asker.post('/v1/records/get', { index, keys, ...(fields.length > 0 && { fields }) })).records;
  }

  /** Returns a page of the records that a query matches, in an order. */
  findRecords(request: Schemas['RecordsFindRequest']): Promise<Schemas['RecordsFindReply']> {
    return this.asker.post('/v1/records/find', request);
  }

  /**
   * Yields all records that a query matches, in an order. It asks for them page by page, each in
   * the state of its time.
   */
  allRecords(request: Schemas['RecordsFindRequest']): AsyncGenerator<Schemas['Record']> {
    return pages(async (page) => {
      const { records, cursor } = await this.findRecords({ ...request, ...page, limit: request.limit ?? page.limit });
      return { entries: records, cursor };
    }, request.cursor);
  }

  /** Returns the fields of an index, as they are declared. */
  async fields(index: string): Promise<Schemas['Field'][]> {
    return (await this.asker.get('/v1/fields', { index })).fields;
  }

  /** Drops fields of an index with all their values, then adds others, all of it or nothing. */
  async changeFields(request: Schemas['FieldsRequest']): Promise<Schemas['Field'][]> {
    return (await this.asker.post('/v1/fields', request)).fields;
  }

  /**
   * Yields the commits of an index after the one numbered after, in order, up to the last one. To
   * miss nothing and get nothing twice, keep the sequence of the last commit that you have applied,
   * and go on from there.
   */
  changes(index: string, after: Integer): AsyncGenerator<Schemas['Commit']> {
    return behind(after, async (after) => {
      const { commits, last } = await this.asker.get('/v1/changes', { index, after });
      return { entries: commits, last };
    });
  }

  /**
   * Is changes that waits for more when there is none, until the signal of the client. When the
   * connection is lost later on, or the server is away, it asks again from where it was.
   */
  follow(index: string, after: Integer): AsyncGenerator<Schemas['Commit']> {
    const of = { path: '/v1/changes', query: { index }, positionOf: (commit: Schemas['Commit']) => commit.sequence };
    return follow(this.asker.site, of, after, this.asker.signal);
  }

  /**
   * Returns a backup of the database as it comes: of what is newer than another backup, whose head
   * since is; of all of it without. One that breaks off ends with a ConnectionError, and is no
   * backup.
   */
  async backup(since?: Uint8Array): Promise<ReadableStream<Uint8Array>> {
    const { site, signal } = this.asker;
    const content = since && new Blob([since as BlobPart]);
    const call =
      content === undefined
        ? this.asker.call('GET', '/v1/backup')
        : {
            method: 'POST' as const,
            path: '/v1/backup',
            body: { contentType: 'application/octet-stream', content },
            signal,
          };
    return streamOf(site.chunks(call, await site.send(call)));
  }

  /**
   * Says what the database consists of, and what it takes. With kinds the server reads every page
   * of lists.
   */
  stats(request: ParametersOf<'/v1/stats'> = {}): Promise<Schemas['StatsReply']> {
    return this.asker.get('/v1/stats', request);
  }

  /** Returns the last requests that took long, with their questions. */
  slow(): Promise<Schemas['SlowReply']> {
    return this.asker.get('/v1/slow');
  }

  /** Returns what each two of 2 to 16 audiences have in common. */
  async overlap(index: string, ...queries: string[]): Promise<Integer[][]> {
    return (await this.asker.get('/v1/audience/overlap', { index, q: queries })).matrix;
  }

  /** Returns the saved audiences of an index, by name. */
  async savedAudiences(index: string): Promise<Schemas['SavedAudience'][]> {
    return (await this.asker.get('/v1/audience/saved', { index })).audiences;
  }

  /** Deletes a saved audience. */
  async forgetAudience(index: string, name: string): Promise<void> {
    await this.asker.post('/v1/audience/forget', { index, name });
  }

  /** Returns when the server answers and its database can be read. */
  async health(): Promise<void> {
    await this.asker.get('/healthz');
  }

  /** Returns when the server can read and, unless it only reads, write. */
  async ready(): Promise<void> {
    await this.asker.get('/readyz');
  }

  /** Returns the server's figures, in the text format of Prometheus. */
  metrics(): Promise<string> {
    return this.asker.text('/metrics');
  }

  /** Returns the document that describes the server's calls, in JSON. */
  openAPI(): Promise<string> {
    return this.asker.text('/v1/openapi.json');
  }
}
