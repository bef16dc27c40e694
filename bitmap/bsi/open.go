// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package bsi

import "github.com/uproar-db/uproar/internal/roaring"

// ErrNotIntegers is returned by Open for bytes that do not begin with the magic byte of bit-sliced
// integers.
var ErrNotIntegers = roaring.ErrNotSliced

// Open returns a view of the integers in b, which must hold exactly one serialized [Integers].
// The view borrows b: it is valid as long as b is unchanged.
//
// It opens each slice, at most 65, whatever their length, and allocates only an error: a
// [*bitmap.FormatError] that wraps ErrNotIntegers, bitmap.ErrVersion, ErrTruncated or ErrCorrupt.
// It verifies neither the checksum nor what is in the slices: see [View.Validate].
func Open(b []byte) (View, error) {
	r, err := roaring.OpenSliced(b)
	return View(r), formatError(err)
}

// Validate proves every invariant of the format: those of each set, that the slices have no record
// that the set of records has not, that no integer exceeds 64 bits, and the checksum if there is
// one. It reads all bytes and allocates as [bitmap.View.Validate] does. The filter does not matter.
//
// The error is a [*bitmap.FormatError] that wraps bitmap.ErrCorrupt, ErrTruncated or ErrChecksum.
func (v View) Validate() error { return formatError(roaring.SlicedView(v).Validate()) }
