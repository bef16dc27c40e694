// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

// Package bitmap is a serialized roaring bitmap: a set of uint64 in one byte slice that is the same on disk, in memory and on the wire.
//
// [Open] takes the bytes of a set and returns a [View] at once, without copying or allocating; every read of a View works on those
// bytes. A [Bitmap] owns its bytes and changes them in place: what Bytes returns is a valid set after every call. The layout is
// specified in docs/format/bitmap.md.
//
// # Terminology
//
//   - chunk: 65 536 consecutive values; its number, the high 48 bits of each of them, is the container key
//   - container: the part of a set in one chunk (array, bitset, run) or in several (packed)
//   - cardinality (Len): number of values; rank of x: number of values ≤ x; select: the i-th value, from 0
//   - body: the bytes of a set without envelope, as they stand in a page of posting lists
//   - block: the part of a set in one chunk, decoded if it was packed: what an evaluator works on, see [Block], [Scratch] and [Cursor]
//
// # Reading bytes that someone else wrote
//
// Open checks what can be checked in constant time. After it no operation panics, reads outside the slice, or loops or allocates
// without bound, whatever the bytes are; but a set that breaks the rules of the format may answer nonsense. [View.Validate] proves in linear time
// that it does not break them.
//
// Sets of other libraries come and go in their portable format: [FromPortable32], [FromPortable64], [View.AppendPortable32], [View.AppendPortable64].
package bitmap
