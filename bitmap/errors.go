// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package bitmap

import (
	"errors"
	"fmt"
	"io"

	"github.com/uproar-db/uproar/internal/roaring/view"
)

// Errors that opening and validating return, wrapped in a [*FormatError].
var (
	// ErrNotBitmap means that bytes do not begin as they should. Open returns it if they do not
	// begin with the magic byte, and readers of other formats for another beginning than theirs.
	ErrNotBitmap = view.ErrNotBitmap

	// ErrVersion is returned by Open for a version or a reserved bit that this package does not
	// know, and by Validate for a kind of container: written by a newer one.
	ErrVersion = view.ErrVersion

	// ErrTruncated is returned for bytes that end before the bitmap does.
	ErrTruncated = view.ErrTruncated

	// ErrCorrupt is returned for bytes that break a rule of the format.
	ErrCorrupt = view.ErrCorrupt

	// ErrChecksum means that the bytes do not fit their checksum. Validate returns it.
	ErrChecksum = view.ErrChecksum
)

// FormatError says which rule of the format some bytes break. It unwraps to one of the sentinels of
// this package.
type FormatError struct {
	Err    error  // ErrNotBitmap, ErrVersion, ErrTruncated, ErrCorrupt or ErrChecksum
	What   string // the field or the rule, such as "body length"
	Got    uint64 // the value found
	Want   string // the values allowed, such as "1 to 6"
	Offset uint64 // of the field or container, counted from the first byte of the slice that was opened
	Try    string // if the bytes seem to be in another format: which one, and the call that reads it
}

// Error returns the text: what, got, want, where, try.
func (e *FormatError) Error() string { return (*view.FormatError)(e).Error() }

// Unwrap returns the sentinel.
func (e *FormatError) Unwrap() error { return e.Err }

// formatError returns err with a FormatError of this package in the place of the engine's.
func formatError(err error) error {
	if err == nil {
		return nil
	}
	var e *view.FormatError
	switch {
	case !errors.As(err, &e):
		return err
	case errors.Is(err, io.ErrUnexpectedEOF):
		return fmt.Errorf("%w: %w", (*FormatError)(e), io.ErrUnexpectedEOF)
	}
	return (*FormatError)(e)
}
