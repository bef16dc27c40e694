// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

import type { Asker } from './asker.js';
import type { Part, Source } from './body.js';
import { errorOf } from './error.js';
import type { Integer } from './json.js';
import { share } from './share.js';
import type { Schemas } from './types.js';

/** Conditions by attribute: a text for a value, or an object with in, not, from and to. */
export type Conditions = { [attribute: string]: Schemas['Condition'] };

/** Says how the table of a catalog is read. */
export interface CatalogImportOptions {
  /**
   * JSON, as uproar import catalog takes it; not given: the catalog is there, and keeps its schema.
   */
  schema?: Source;
  separator?: 'comma' | 'semicolon' | 'tab' | 'pipe';
  /** The first bad line ends the import. */
  strict?: boolean;
  /** Share of the lines that may be bad, and are left out: from 0, none, to 1. */
  maxBad?: number;
  /** A table without a record may replace the catalog. */
  empty?: boolean;
  /** Everything is read and checked, and nothing is replaced. */
  check?: boolean;
}

type Of<T> = Omit<T, 'catalog'>;

/** Asks about the records of a catalog. It is a value that nothing was asked about yet. */
export class Catalog {
  constructor(
    private readonly asker: Asker,
    readonly name: string,
  ) {}

  /**
   * Carries out one search: nothing, one or several records count. The error of the answer is
   * thrown.
   */
  async find(where: Conditions, ...show: string[]): Promise<Schemas['SearchAnswer']> {
    const [answer] = await this.search({ searches: [where], ...(show.length > 0 && { show }) });
    if (answer!.error !== undefined) {
      throw errorOf(answer!.error);
    }
    return answer!;
  }

  /**
   * Carries out up to 10 000 searches in one state. Returns their answers in order, each with its
   * own error.
   */
  async search(request: Of<Schemas['SearchRequest']>): Promise<Schemas['SearchAnswer'][]> {
    return (await this.asker.post('/v1/catalog/search', { ...request, catalog: this.name })).answers;
  }

  /** Returns which attributes the records have, in the form that import takes. */
  schema(): Promise<Schemas['CatalogSchema']> {
    return this.asker.get('/v1/catalog/schema', { catalog: this.name });
  }

  /** Returns which values are still possible under conditions, and how many records have each. */
  facets(request: Of<Schemas['FacetsRequest']>): Promise<Schemas['FacetsReply']> {
    return this.asker.post('/v1/catalog/facets', { ...request, catalog: this.name });
  }

  /** Returns a part of the records that fit conditions, in an order. */
  sorted(request: Of<Schemas['SortedRequest']>): Promise<Schemas['SortedReply']> {
    return this.asker.post('/v1/catalog/sorted', { ...request, catalog: this.name });
  }

  /** Deletes and puts records, all or none, in this order. Returns the number of the write. */
  async write(request: Of<Schemas['CatalogWriteRequest']>): Promise<Integer> {
    return (await this.asker.post('/v1/catalog/write', { ...request, catalog: this.name })).sequence;
  }

  /**
   * Returns what is wrong with the records: those that fit the same searches, and those that no
   * search finds.
   */
  check(limit?: number): Promise<Schemas['CheckReply']> {
    return this.asker.get('/v1/catalog/check', { catalog: this.name, limit });
  }

  /**
   * Replaces all records of the catalog, at once, with those of a table, or makes the catalog. The
   * table is CSV with a header, plain or compressed with gzip, zstd or bzip2. It is never sent
   * again. After an error the catalog is as before, unless the error is that the answer got lost.
   */
  async import(table: Source, options: CatalogImportOptions = {}): Promise<Schemas['CatalogImportReply']> {
    const { schema, maxBad, ...query } = options;
    const parts: Part[] = [];
    if (schema !== undefined) {
      parts.push({ media: 'application/json', source: schema });
    }
    parts.push({ media: 'text/csv', source: table });
    return this.asker.upload('/v1/catalog/import', { catalog: this.name, ...query, bad: share(maxBad) }, parts);
  }
}
