// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package bsi

import (
	"github.com/uproar-db/uproar/bitmap"
	"github.com/uproar-db/uproar/internal/roaring"
)

// View is a signed 64-bit integer for each of a set of records, over bytes that someone else
// owns: serialized bytes ([Open]) or a [Integers]. All questions are asked of it; with
// [View.Within] they are about the records of a filter alone.
//
// It is a small value, made to be passed and kept by value; the zero value has no records. It may
// be used from any number of goroutines as long as nobody changes the bytes. A question walks the
// slices chunk by chunk (65 536 record IDs) and computes in memory from a pool: 100 KB, 16 KB for
// each slice with packed containers, and 512 KB where integers are put together. Beside its result
// it allocates nothing once the pool is warm.
type View roaring.SlicedView

// Within returns the integers of those records alone that the filter has as well. It replaces a
// filter given before; to filter by two sets, intersect them. It costs nothing: the filter is
// applied chunk by chunk when a question is asked.
func (v View) Within(filter bitmap.View) View {
	return View(roaring.SlicedView(v).Within(roaring.View(filter)))
}

// Records returns the set of records that have an integer, whether in the filter or not.
func (v View) Records() bitmap.View { return bitmap.View(roaring.SlicedView(v).Records()) }

// Len returns the number of records that have an integer, and are in the filter.
func (v View) Len() uint64 { return roaring.SlicedView(v).Len() }

// Value returns the integer of a record; ok is false if it has none or is not in the filter. It
// costs a Contains per slice.
func (v View) Value(id uint64) (value int64, ok bool) { return roaring.SlicedView(v).Value(id) }
