// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package bitmap

import (
	"database/sql/driver"
	"encoding"
	"fmt"
	"io"

	"github.com/uproar-db/uproar/internal/roaring/mutable"
	"github.com/uproar-db/uproar/internal/roaring/view"
)

// What a set can do for packages that store and send values. encoding/gob uses the binary form,
// encoding/json and encoding/xml the text. Methods that write belong to the value, so that a field
// of a struct that was passed by value is not written as if it had no contents.
var (
	_ encoding.BinaryMarshaler   = View{}
	_ encoding.BinaryAppender    = View{}
	_ encoding.TextMarshaler     = View{}
	_ encoding.TextAppender      = View{}
	_ encoding.BinaryMarshaler   = Bitmap{}
	_ encoding.BinaryAppender    = Bitmap{}
	_ encoding.TextMarshaler     = Bitmap{}
	_ encoding.TextAppender      = Bitmap{}
	_ encoding.BinaryUnmarshaler = (*Bitmap)(nil)
	_ encoding.TextUnmarshaler   = (*Bitmap)(nil)
	_ io.WriterTo                = View{}
	_ io.WriterTo                = Bitmap{}
	_ io.ReaderFrom              = (*Bitmap)(nil)
	_ driver.Valuer              = View{}
	_ driver.Valuer              = Bitmap{}
	_ fmt.Stringer               = View{}
	_ fmt.Stringer               = Bitmap{}
)

// UnmarshalJSON replaces the set with that of a JSON value: a string as MarshalText writes, or an
// array of its values, whole numbers from 0 to 2^64-1 in any order. null changes nothing, as is
// usual. On an error, a [*FormatError], the set stays as it was.
//
// A set is written to JSON as a string, by [Bitmap.MarshalText]: it is many times shorter than the
// numbers, and exact where other languages round numbers above 2^53. Arrays are read for the sake
// of what is written by hand.
func (b *Bitmap) UnmarshalJSON(data []byte) error {
	return formatError((*mutable.Bitmap)(b).UnmarshalJSON(data))
}

// MarshalBinary returns a copy of the stand-alone bytes of the set, as they are and without a
// checksum: what [Open] takes. The error is always nil.
func (v View) MarshalBinary() ([]byte, error) { return mutable.MarshalBinary(view.View(v)) }

// AppendBinary appends what MarshalBinary returns, and returns the longer slice. The error is
// always nil.
func (v View) AppendBinary(dst []byte) ([]byte, error) {
	return mutable.AppendBinary(view.View(v), dst)
}

// MarshalText returns the set as text: its stand-alone bytes, packed as [Smallest], in base64url
// (RFC 4648, 5) without padding. It is safe in URLs, JSON and XML. The error is always nil.
func (v View) MarshalText() ([]byte, error) { return mutable.MarshalText(view.View(v)) }

// AppendText appends what MarshalText returns, and returns the longer slice. The error is always
// nil.
func (v View) AppendText(dst []byte) ([]byte, error) { return mutable.AppendText(view.View(v), dst) }

// MarshalBinary returns a copy of [Bitmap.Bytes]. [Bitmap.Pack] before makes them fewer. The error
// is always nil.
func (b Bitmap) MarshalBinary() ([]byte, error) { return mutable.Bitmap(b).MarshalBinary() }

// AppendBinary appends [Bitmap.Bytes] to dst and returns the longer slice. The error is always nil.
func (b Bitmap) AppendBinary(dst []byte) ([]byte, error) { return mutable.Bitmap(b).AppendBinary(dst) }

// MarshalText returns the set as text: see [View.MarshalText].
func (b Bitmap) MarshalText() ([]byte, error) { return mutable.Bitmap(b).MarshalText() }

// AppendText appends the set as text: see [View.AppendText].
func (b Bitmap) AppendText(dst []byte) ([]byte, error) { return mutable.Bitmap(b).AppendText(dst) }

// UnmarshalBinary replaces the set with that of the given stand-alone bytes, which it validates and
// copies. If they are not a valid bitmap, with or without a checksum, the error is a [*FormatError]
// and the set stays as it was.
func (b *Bitmap) UnmarshalBinary(data []byte) error {
	return formatError((*mutable.Bitmap)(b).UnmarshalBinary(data))
}

// UnmarshalText replaces the set with that of a text, which it validates. If it is not what
// MarshalText writes, the error is a [*FormatError] and the set stays as it was.
func (b *Bitmap) UnmarshalText(text []byte) error {
	return formatError((*mutable.Bitmap)(b).UnmarshalText(text))
}
