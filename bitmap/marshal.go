// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package bitmap

import (
	"database/sql/driver"
	"encoding"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/uproar-db/uproar/internal/roaring/mutable"
	"github.com/uproar-db/uproar/internal/roaring/pack"
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

// maxEnvelope is the bytes of the largest envelope before a body.
const maxEnvelope = 10

// textForm is the text of a set: its packed bytes in the alphabet for URLs, without padding. The
// first letter is always t, of the magic byte.
var textForm = base64.RawURLEncoding.Strict()

// MarshalBinary returns a copy of the stand-alone bytes of the set, as they are and without a
// checksum: what [Open] takes. The error is always nil.
func (v View) MarshalBinary() ([]byte, error) { return v.AppendBinary(nil) }

// AppendBinary appends what MarshalBinary returns, and returns the longer slice. The error is
// always nil.
func (v View) AppendBinary(dst []byte) ([]byte, error) {
	body := v.Body()
	dst = slices.Grow(dst, maxEnvelope+len(body))
	return append(pack.AppendEnvelope(dst, len(body), 0), body...), nil
}

// MarshalText returns the set as text: its stand-alone bytes, packed as [Smallest], in base64url
// (RFC 4648, 5) without padding. It is safe in URLs, JSON and XML. The error is always nil.
func (v View) MarshalText() ([]byte, error) { return v.AppendText(nil) }

// AppendText appends what MarshalText returns, and returns the longer slice. The error is always
// nil.
func (v View) AppendText(dst []byte) ([]byte, error) {
	b := pack.BorrowBuilder()
	defer b.Release()
	b.AppendView(view.View(v))
	return textForm.AppendEncode(dst, mutable.NewBitmap(b, pack.Smallest).Bytes()), nil
}

// MarshalBinary returns a copy of [Bitmap.Bytes]. [Bitmap.Pack] before makes them fewer. The error
// is always nil.
func (b Bitmap) MarshalBinary() ([]byte, error) { return b.AppendBinary(nil) }

// AppendBinary appends [Bitmap.Bytes] to dst and returns the longer slice. The error is always nil.
func (b Bitmap) AppendBinary(dst []byte) ([]byte, error) { return append(dst, b.Bytes()...), nil }

// MarshalText returns the set as text: see [View.MarshalText].
func (b Bitmap) MarshalText() ([]byte, error) { return b.View().MarshalText() }

// AppendText appends the set as text: see [View.AppendText].
func (b Bitmap) AppendText(dst []byte) ([]byte, error) { return b.View().AppendText(dst) }

// UnmarshalBinary replaces the set with that of the given stand-alone bytes, which it validates and
// copies. If they are not a valid bitmap, with or without a checksum, the error is a [*FormatError]
// and the set stays as it was.
func (b *Bitmap) UnmarshalBinary(data []byte) error {
	v, err := Open(data)
	if err != nil {
		return err
	}
	if err := v.Validate(); err != nil {
		return err
	}
	(*mutable.Bitmap)(b).Become(mutable.Clone(view.View(v)))
	return nil
}

// UnmarshalText replaces the set with that of a text, which it validates. If it is not what
// MarshalText writes, the error is a [*FormatError] and the set stays as it was.
func (b *Bitmap) UnmarshalText(text []byte) error {
	data, err := decodeText(text)
	if err == nil {
		err = b.UnmarshalBinary(data)
	}
	if e, ok := errors.AsType[*FormatError](err); ok {
		e.Try = view.OtherFormat(text, "UnmarshalText")
	}
	return err
}

// decodeText returns the bytes that a text stands for.
func decodeText(text []byte) ([]byte, error) {
	const want = "base64url without padding"
	for i, c := range text {
		if c == '\n' || c == '\r' { // which the decoder would pass over
			return nil, &FormatError{Err: ErrCorrupt, What: "character of a text", Got: uint64(c), Want: want,
				Offset: uint64(i)}
		}
	}
	data, err := textForm.AppendDecode(nil, text)
	if at, ok := err.(base64.CorruptInputError); ok {
		e := &FormatError{Err: ErrCorrupt, What: "character of a text", Want: want, Offset: uint64(at)}
		if int(at) < len(text) {
			e.Got = uint64(text[at])
		}
		return nil, e
	}
	return data, err
}
