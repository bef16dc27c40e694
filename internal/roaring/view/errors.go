// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package view

import (
	"errors"
	"fmt"
)

// Errors that opening and validating return, wrapped in a [*FormatError].
var (
	// ErrNotBitmap is returned by Open for bytes that do not begin with the magic byte. Readers of
	// other formats return it for a beginning that is not theirs.
	ErrNotBitmap = errors.New("not a bitmap")

	// ErrVersion is returned by Open for a version or a reserved bit that this package does not
	// know, and by Validate for a kind of container: written by a newer one.
	ErrVersion = errors.New("unknown version")

	// ErrTruncated is returned for bytes that end before the bitmap does.
	ErrTruncated = errors.New("truncated")

	// ErrCorrupt is returned for bytes that break a rule of the format.
	ErrCorrupt = errors.New("corrupt")

	// ErrChecksum is returned by Validate for bytes that do not match the checksum.
	ErrChecksum = errors.New("wrong checksum")
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
func (e *FormatError) Error() string {
	text := fmt.Sprintf("bitmap: %v: %s: got %d, want %s, at byte %d", e.Err, e.What, e.Got, e.Want, e.Offset)
	if e.Try != "" {
		text += "; " + e.Try
	}
	return text
}

// Unwrap returns the sentinel.
func (e *FormatError) Unwrap() error { return e.Err }

//go:noinline
func truncated(what string, got int) error {
	return &FormatError{Err: ErrTruncated, What: "bytes of a body that end in its " + what, Got: uint64(got),
		Want: "more", Offset: uint64(got)}
}

// corrupt returns an error of bytes that break a rule.
//
//go:noinline
func corrupt(what string, got uint64, want string, offset int) error {
	return &FormatError{Err: ErrCorrupt, What: what, Got: got, Want: want, Offset: uint64(offset)}
}

//go:noinline
func unknownForm(tag uint8) error {
	return &FormatError{Err: ErrVersion, What: "form of the body", Got: uint64(tag), Want: "0 to 254"}
}
