// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

// Package bitmap is a serialized roaring bitmap: a set of uint64 in one byte slice that is the same
// on disk, in memory and on the wire.
//
// There is nothing to encode and nothing to decode. Bytes that were stored are a set as soon as
// they are in memory, a set that was changed is ready to be stored, and sparse sets take far fewer
// bytes than in other roaring bitmaps, because their values are packed by Elias–Fano coding and
// read in that form. The layout is specified in docs/format/bitmap.md; docs/migrate.md lists the
// calls of other libraries beside those here.
//
// # Two types
//
// A [View] is a set over bytes that someone else owns: a small value, which [Open] and [OpenBody]
// return in constant time. Its methods read, and none of them allocates. A [Bitmap] owns its bytes
// and changes them in place; [Bitmap.View] lends them, and [Bitmap.Bytes] is a valid set after
// every call. The functions that combine sets take Views, so that stored and changing sets mix
// freely.
//
// # Build
//
// [Of] takes values in any order, [Collect] those of a sequence, [FromSorted] ascending ones,
// [FromWords] a dense bitset, and a [Builder] values one by one. [Bitmap.Add],
// [Bitmap.AddMany], [Bitmap.AddSeq], [Bitmap.AddRange], [Bitmap.Flip] and their opposites change a
// set; [Bitmap.RemoveFunc] removes by a condition. [Bitmap.Reset] and [Bitmap.CopyFrom] use the
// memory of a set again. All ranges include both ends, so that they reach the largest uint64.
//
// # Read
//
// [View.Contains], [View.ContainsRange], [View.IntersectsRange], [View.Len], [View.LenRange],
// [View.Min], [View.Max], [View.Rank], [View.Select], [View.Next] (≥), [View.Previous] (≤),
// [View.NextAbsent], [View.PreviousAbsent], [View.Hash]. Of these a Bitmap has the most
// common ones itself.
//
// # Combine
//
// [And], [Or], [AndNot] and [Xor] return a new Bitmap, the methods of the same names change one,
// [AppendAnd] and its like write to the caller's memory, and [AndLen] and its like only count. Each
// has a form for many sets: [AndAll], [AppendAndAll], [AndAllLen], and [ParallelAndAll] with a
// bound on goroutines. Beside them: [AtLeast] (in k of n sets), [Intersects], [IsSubset], [Equal],
// [Jaccard], [View.Shift], [View.Masked].
//
// # Iterate
//
// [View.All], [View.From], [View.Between], [View.Backward] and [View.BackwardFrom] are for range
// loops over values, [View.Ranges], [View.RangesFrom], [View.RangesBackward],
// [View.RangesBackwardFrom] and [View.Gaps] for those over runs. [View.Iterator] and
// [View.ReverseIterator] fill the caller's slice, and [View.AppendTo] takes all. A loop over a
// Bitmap may change it: see [Bitmap.All].
//
// # Pack and store
//
// [Bitmap.Pack] rewrites a set as [Smallest] or as [Fastest]. Bytes are stored as they are, or with
// a checksum by [View.AppendChecked]; a Bitmap is a [database/sql.Scanner], and marshals to binary,
// text and JSON.
//
// # What a container costs
//
// Each chunk is kept as what suits it:
//
//   - array: 2 bytes a value. A read of a value is a binary search.
//   - bitset: 8 KB. It is the fastest to look a value up in; Rank and Select count its words.
//   - run: 4 bytes a run. It is the fastest to combine.
//   - packed: the fewest bytes. It is read in coded form: to read, iterate or combine it takes a
//     few times as long as an array.
//
// The benchmark Container of internal/roaring measures them.
//
// # Interchange
//
// Package interop, below this one, reads and writes the portable formats of RoaringFormatSpec and
// those of Dgraph's and Weaviate's sroar.
//
// # Integers
//
// Package bsi, below this one, keeps a signed integer for each value of a set, bit by bit. It
// compares, sums and ranks them, over any filter.
//
// # Concurrency
//
// A View and a Bitmap may be read by any number of goroutines as long as nobody changes the bytes.
// Changes need a lock of the caller's.
//
// # Systems
//
// The package runs on every system that Go has, of 32 and 64 bits, little- and big-endian; the
// bytes of a set are the same on all of them. amd64 and arm64 have kernels in assembly.
// docs/kernels.md has a table.
//
// # Hostile bytes
//
// Open checks what can be checked in constant time. After it no operation panics, reads outside the
// slice, or loops or allocates without bound, whatever the bytes are; but a set that breaks the
// rules of the format may answer nonsense. [View.Validate] proves in linear time that it does not
// break them.
//
// # Terminology
//
//   - chunk: 65 536 consecutive values; its number, the high 48 bits of each of them, is the
//     container key
//   - container: the part of a set in one chunk (array, bitset, run) or in several (packed)
//   - cardinality (Len): number of values; rank of x: number of values ≤ x; select: the i-th value,
//     from 0
//   - body: the bytes of a set without envelope, as they stand in a page of posting lists
package bitmap
