// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

// Package roaring is the engine below package bitmap: serialized sets, their algebra, and their
// changes in place.
//
// Its View, Bitmap and Builder are those of package bitmap by another name, and have the same
// contracts. It has besides what an evaluator needs and a user of sets does not: blocks
// ([Cursor]), counters of rows, and how many bytes a change has moved. Packages within this module
// use it; everybody else uses bitmap.
//
// Terms: a chunk is 65 536 consecutive values, and its number their key. A container is the part
// of a set in one chunk (array, bitset, run) or in several (packed). A body is the bytes of a set
// without envelope, as they stand in a page. A block is the part of a set in one chunk, decoded if
// it was packed.
package roaring
