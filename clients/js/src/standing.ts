// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

import type { Asker } from './asker.js';
import { follow } from './events.js';
import type { Integer } from './json.js';
import { behind } from './paging.js';
import type { Schemas } from './types.js';

/** Asks about the standing queries of an index, and sets and drops them. */
export class Standing {
  constructor(
    private readonly asker: Asker,
    readonly index: string,
  ) {}

  /** Returns the standing queries, by name. */
  async list(): Promise<Schemas['StandingQuery'][]> {
    return (await this.asker.get('/v1/standing', { index: this.index })).queries;
  }

  /** Makes a query stand under a name, in the place of the one of that name. */
  async set(name: string, q: string): Promise<void> {
    await this.asker.post('/v1/standing/set', { index: this.index, name, q });
  }

  /** Ends a standing query: its records leave it. */
  async drop(name: string): Promise<void> {
    await this.asker.post('/v1/standing/drop', { index: this.index, name });
  }

  /**
   * Yields what entered and left a standing query behind a position, up to now. 0: from the
   * beginning.
   */
  events(name: string, after: Integer): AsyncGenerator<Schemas['StandingEvent']> {
    return behind(after, async (after) => {
      const { events, last, more } = await this.asker.get('/v1/standing/events', { index: this.index, name, after });
      return { entries: events, last, more };
    });
  }

  /**
   * Is events that waits for more when there is none, until the signal of the client. When the
   * connection is lost later on, or the server is away, it asks again from where it was. To miss
   * nothing and get nothing twice, keep the position of the last event that you have applied, and
   * go on from there.
   */
  follow(name: string, after: Integer): AsyncGenerator<Schemas['StandingEvent']> {
    const of = {
      path: '/v1/standing/events',
      query: { index: this.index, name },
      positionOf: (event: Schemas['StandingEvent']) => event.position,
    };
    return follow(this.asker.site, of, after, this.asker.signal);
  }
}
