// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package bitmap

import (
	"github.com/uproar-db/uproar/internal/roaring/view"
)

// View is a set over bytes that someone else owns: a stand-alone bitmap ([Open]), the body of a
// posting list ([OpenBody]) or the bytes of a [Bitmap].
//
// It is a small value, made to be passed and kept by value; the zero value is the empty set. No
// read allocates. It may be used from any number of goroutines as long as nobody changes the bytes;
// it keeps them alive.
type View view.View

// OpenBody returns a View of the set with a body, as it stands in a page. No bytes are the empty
// set. The View borrows body: it is valid as long as body is unchanged.
//
// It costs the same for any length and allocates only an error: a [*FormatError] that wraps
// ErrTruncated, ErrCorrupt, or ErrVersion for a form that a newer version may have.
func OpenBody(body []byte) (View, error) {
	v, err := view.OpenBody(body)
	if err != nil {
		return View{}, formatError(err)
	}
	return View(v), nil
}

// Open returns a View of the set in b, which must hold exactly one stand-alone bitmap. The View
// borrows b: it is valid as long as b is unchanged.
//
// It costs the same for any length and allocates only an error: a [*FormatError] that wraps
// ErrNotBitmap, ErrVersion, ErrTruncated or ErrCorrupt. It does not verify the checksum: see
// [View.Validate].
func Open(b []byte) (View, error) {
	v, err := view.Open(b)
	if err != nil {
		return View{}, formatError(err)
	}
	return View(v), nil
}

// Validate proves every invariant of the format: order and bounds of keys and values,
// cardinalities, canonical runs, packed blocks without a byte too many, payloads that do not
// overlap, the count of bytes in holes, and the checksum of a stand-alone bitmap that has one.
//
// It reads all bytes once. Only a loose directory makes it allocate: 8 bytes a container, to sort
// the payloads. The error is a [*FormatError] that wraps ErrCorrupt, ErrTruncated or ErrChecksum
// and says where.
func (v View) Validate() error { return formatError(view.View(v).Validate()) }

// Body returns the bytes of the set without envelope, as they are: they belong to whoever owns the
// bytes of the View.
func (v View) Body() []byte { return view.View(v).Body() }

// IsEmpty reports whether the set has no values. It looks at the first container.
func (v View) IsEmpty() bool { return view.View(v).IsEmpty() }
