// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

/** Notes the calls that go through a fetch, as METHOD /path. */
export function noting(asked, fetch = (url, init) => globalThis.fetch(url, init)) {
  return (url, init) => {
    asked.add(`${init.method} ${new URL(url).pathname}`);
    return fetch(url, init);
  };
}
