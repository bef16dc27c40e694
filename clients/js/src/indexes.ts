// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

import type { Asker } from './asker.js';
import type { Schemas } from './types.js';

/** Asks about the indexes of the database, and changes which there are. */
export class Indexes {
  constructor(private readonly asker: Asker) {}

  /** Returns all indexes of the database, by name. */
  async list(): Promise<Schemas['Index'][]> {
    return (await this.asker.get('/v1/indexes')).indexes;
  }

  /** Returns one index, by its name or an alias. */
  async describe(name: string): Promise<Schemas['Index']> {
    return (await this.asker.get('/v1/indexes', { index: name })).indexes[0]!;
  }

  /** Makes an index, and returns its fields. */
  async create(name: string, ...fields: Schemas['Field'][]): Promise<Schemas['Field'][]> {
    return (await this.asker.post('/v1/indexes/create', { index: name, fields })).fields;
  }

  /** Deletes an index with all its records, for good. One that has an alias is refused. */
  async drop(name: string): Promise<void> {
    await this.asker.post('/v1/indexes/drop', { index: name });
  }

  /**
   * Points an alias at an index, in the place of the one that it pointed at; without an index it is
   * removed.
   */
  async setAlias(alias: string, index = ''): Promise<void> {
    await this.asker.post('/v1/indexes/alias', { alias, index });
  }
}
