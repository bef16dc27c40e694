// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

// Package array has the inner loops over arrays: lows, which are ascending little-endian uint16. It
// merges two, looks values up, patches changes in, and probes a bitset with an array. Keys and
// cardinalities of a directory are arrays, too.
//
// Bytes may be hostile, as package bitset says.
package array
