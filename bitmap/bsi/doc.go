// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

// Package bsi keeps a signed integer for each of a set of records as bit-sliced integers: a set of
// records for each bit (O'Neil & Quass 1997), each of them a roaring bitmap.
//
// [Integers] owns its sets and changes them in place; a [View] asks. It compares, sums and ranks
// over any filter ([View.Within]): [View.Between], [View.Sum], [View.Quantile], [View.TopK]. The
// serialized form ([View.Append]) is opened in constant time by [Open]; docs/format/sliced.md
// specifies it.
package bsi
