// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

import type { Integer } from './json.js';

/** The entries of the longest page. */
const longestPage = 10_000;

/** Yields the entries of all pages. */
export async function* pages<T>(
  read: (page: { limit: number; cursor?: string }) => Promise<{
    entries: T[];
    cursor?: string;
  }>,
  first?: string,
): AsyncGenerator<T> {
  for (let cursor = first; ;) {
    const page = await read({ limit: longestPage, cursor });
    yield* page.entries;
    if (!page.cursor) {
      return;
    }
    cursor = page.cursor;
  }
}

/** Yields what stands behind a position, up to now. */
export async function* behind<T>(
  after: Integer,
  read: (after: Integer) => Promise<{
    entries: T[];
    last: Integer;
    more?: boolean;
  }>,
): AsyncGenerator<T> {
  for (;;) {
    const { entries, last, more } = await read(after);
    yield* entries;
    if (entries.length === 0 && !more) {
      return;
    }
    after = last > after ? last : after;
  }
}
