// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package interop

import (
	"errors"
	"fmt"

	"github.com/uproar-db/uproar/bitmap"
	"github.com/uproar-db/uproar/internal/roaring/view"
)

// RangeError says that a set has a value that the format to be written cannot hold.
type RangeError struct {
	Value uint64 // a value of the set
	Max   uint64 // the largest that the format holds
}

// Error returns the text: got, want.
func (e *RangeError) Error() string {
	return fmt.Sprintf("bitmap: value out of range of the format: got %d, want at most %d", e.Value, e.Max)
}

// advise adds to a [*bitmap.FormatError] of the reader own which other format the bytes seem to be
// in. It returns err.
func advise(err error, b []byte, own string) error {
	if e, ok := errors.AsType[*bitmap.FormatError](err); ok {
		e.Try = view.OtherFormat(b, own)
	}
	return err
}
