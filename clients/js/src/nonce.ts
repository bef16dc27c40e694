// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

/**
 * Returns a text that nothing else contains. It is no secret: crypto.randomUUID is missing in Node
 * 18, and in pages without TLS.
 */
export function nonce(): string {
  const digits = () => Math.random().toString(36).slice(2).padEnd(11, '0');
  return digits() + digits() + digits();
}
