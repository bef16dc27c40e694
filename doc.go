// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

// Package uproar is a database for sets. It keeps huge numbers of sets of records as serialized
// roaring bitmaps (the bytes on disk are the bytes in memory, nothing is ever decoded) and answers
// boolean questions over them in microseconds.
//
// # Basics
//
// A [DB] lives in a store that it is given: pebblestore or bboltstore on disk, memstore in memory.
// It holds indexes; an [Index] is one universe of records, known by string keys, with fields. A
// field of type [Set] has any number of values for each record; a [Relation] has records as
// values, and is kept with its inverse. [Index.Write] commits a [Batch] atomically and durably,
// [Index.Load] brings a whole data set in at once, and [Index.Snapshot] gives one consistent state
// to ask: counts, IDs, keys, page by page.
//
// # Caveats
//
// One process at a time has a database open, or several for reading only. Record IDs are dense,
// given out in order of first appearance, and never used twice. Readers never wait for writers;
// writers wait when they outrun the disk, or a bulk load that is being merged.
//
// The formats of all that is stored are in docs/format, the reasons for the design in docs/design.
package uproar
