// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package interop

import (
	"errors"
	"fmt"
	"io"

	"github.com/uproar-db/uproar/bitmap"
	"github.com/uproar-db/uproar/internal/roaring"
)

// RangeError says that a set does not fit a format, because of a value that is too large for it.
type RangeError struct {
	Value uint64 // a value of the set
	Max   uint64 // the largest that the format holds
}

// Error returns the text: got, want.
func (e *RangeError) Error() string { return (*roaring.RangeError)(e).Error() }

// failure returns err with the errors of this package and of bitmap in the place of the engine's.
func failure(err error) error {
	var format *roaring.FormatError
	var outside *roaring.RangeError
	switch {
	case errors.As(err, &outside):
		return (*RangeError)(outside)
	case !errors.As(err, &format):
		return err
	case errors.Is(err, io.ErrUnexpectedEOF):
		return fmt.Errorf("%w: %w", (*bitmap.FormatError)(format), io.ErrUnexpectedEOF)
	}
	return (*bitmap.FormatError)(format)
}
