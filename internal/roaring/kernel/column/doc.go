// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

// Package column has the inner loops over columns of numbers: rows that are counted, counters from
// which the largest are taken, and words of a few bits.
//
// Bytes may be hostile, as package bitset says.
package column
