// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

import type { Asker } from './asker.js';
import type { Integer } from './json.js';
import type { Schemas } from './types.js';

/**
 * Asks about the records of an index that a query matches. It is a value that nothing was asked
 * about yet.
 */
export class Audience {
  constructor(
    private readonly asker: Asker,
    readonly index: string,
    readonly q: string,
  ) {}

  /** Returns how many records the audience has, and which share that is. */
  size(): Promise<Schemas['SizeReply']> {
    return this.asker.get('/v1/audience/size', this.of({}));
  }

  /** Returns the most frequent and the most typical values of a field. */
  words(request: Schemas['WordsRequest']): Promise<Schemas['WordsReply']> {
    return this.asker.get('/v1/audience/words', this.of(request));
  }

  /** Returns the values of a field, page by page. */
  values(request: Schemas['ValuesRequest']): Promise<Schemas['ValuesReply']> {
    return this.asker.get('/v1/audience/values', this.of(request) as never);
  }

  /** Returns how the values of fields are spread over the audience, alone and in cross-tabs. */
  demographics(request: Schemas['DemographicsRequest']): Promise<Schemas['DemographicsReply']> {
    const { fields, crosses, limit } = request;
    return this.asker.get(
      '/v1/audience/demographics',
      this.of({ field: fields, cross: crosses?.map((list) => list.join(',')), limit }) as never,
    );
  }

  /** Returns how the audience of another query differs. */
  async compare(request: Schemas['CompareRequest']): Promise<Schemas['CompareReply']> {
    return (await this.report({ compare: request })).compare!;
  }

  /** Returns several answers about the audience, which is evaluated once. */
  report(request: Omit<Schemas['ReportRequest'], 'index' | 'q'>): Promise<Schemas['ReportReply']> {
    return this.asker.post('/v1/audience/report', this.of(request));
  }

  /**
   * Saves the audience under a name: its records as they are now, or, if it follows the data, its
   * query. Returns how many records it has.
   */
  async save(name: string, follows = false): Promise<Integer> {
    return (await this.asker.post('/v1/audience/save', this.of({ name, follows }))).count;
  }

  private of<T>(request: T): T & { index: string; q: string } {
    return { ...request, index: this.index, q: this.q };
  }
}
