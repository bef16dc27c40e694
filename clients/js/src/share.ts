// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

/** Writes a share of lines as the server takes it; undefined stays. */
export function share(of: number | undefined): string | undefined {
  return of === undefined ? undefined : `${of * 100}%`;
}
