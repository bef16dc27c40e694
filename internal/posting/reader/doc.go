// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

// Package reader answers from a Snapshot: one state of an index, of pages in the cache or the store
// and of deltas in memory. It finds lists, keys and values, counts rows, and shares between readers
// what they merge. It takes no lock that a writer holds.
package reader
