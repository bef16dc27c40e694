// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package mutable

import (
	"encoding/base64"
	"slices"

	"github.com/uproar-db/uproar/internal/roaring/pack"
	"github.com/uproar-db/uproar/internal/roaring/view"
)

// textForm is the text of a set: its packed bytes in the alphabet for URLs, without padding. The
// first letter is always t, of the magic byte.
var textForm = base64.RawURLEncoding.Strict()

// MarshalBinary returns a copy of the stand-alone bytes of the set, as they are and without a
// checksum: what [Open] takes. The error is always nil.
func MarshalBinary(v view.View) ([]byte, error) { return AppendBinary(v, nil) }

// AppendBinary appends what MarshalBinary returns, and returns the longer slice. The error is
// always nil.
func AppendBinary(v view.View, dst []byte) ([]byte, error) {
	dst = slices.Grow(dst, 2+1<<pack.EnvelopeWidth(len(v.Raw()))+len(v.Raw()))
	return append(pack.AppendEnvelope(dst, len(v.Raw()), 0), v.Raw()...), nil
}

// MarshalText returns the set as text: its stand-alone bytes, packed as [Smallest], in base64url
// (RFC 4648, 5) without padding. It is safe in URLs, JSON and XML. The error is always nil.
func MarshalText(v view.View) ([]byte, error) { return AppendText(v, nil) }

// AppendText appends what MarshalText returns, and returns the longer slice. The error is always
// nil.
func AppendText(v view.View, dst []byte) ([]byte, error) {
	b := pack.BorrowBuilder()
	defer b.Release()
	b.AppendView(v)
	return textForm.AppendEncode(dst, NewBitmap(b, pack.Smallest).Bytes()), nil
}

// MarshalBinary returns a copy of [Bitmap.Bytes]. [Bitmap.Pack] before makes them fewer. The error
// is always nil.
func (b Bitmap) MarshalBinary() ([]byte, error) { return b.AppendBinary(nil) }

// AppendBinary appends [Bitmap.Bytes] to dst and returns the longer slice. The error is always nil.
func (b Bitmap) AppendBinary(dst []byte) ([]byte, error) { return append(dst, b.Bytes()...), nil }

// MarshalText returns the set as text: see [View.MarshalText].
func (b Bitmap) MarshalText() ([]byte, error) { return MarshalText(b.View()) }

// AppendText appends the set as text: see [View.AppendText].
func (b Bitmap) AppendText(dst []byte) ([]byte, error) { return AppendText(b.View(), dst) }

// UnmarshalBinary replaces the set with that of the given stand-alone bytes, which it validates and
// copies. If they are not a valid bitmap, with or without a checksum, the error is a [*FormatError]
// and the set stays as it was.
func (b *Bitmap) UnmarshalBinary(data []byte) error {
	v, err := view.Open(data)
	if err != nil {
		return err
	}
	if err := v.Validate(); err != nil {
		return err
	}
	b.become(Clone(v))
	return nil
}

// UnmarshalText replaces the set with that of a text, which it validates. If it is not what
// MarshalText writes, the error is a [*FormatError] and the set stays as it was.
func (b *Bitmap) UnmarshalText(text []byte) error {
	data, err := decodeText(text)
	if err == nil {
		err = b.UnmarshalBinary(data)
	}
	return view.Advise(err, text, "UnmarshalText")
}

// decodeText returns the bytes that a text stands for.
func decodeText(text []byte) ([]byte, error) {
	const want = "base64url without padding"
	for i, c := range text {
		if c == '\n' || c == '\r' { // which the decoder would pass over
			return nil, &view.FormatError{Err: view.ErrCorrupt, What: "character of a text", Got: uint64(c), Want: want,
				Offset: uint64(i)}
		}
	}
	data, err := textForm.AppendDecode(nil, text)
	if at, ok := err.(base64.CorruptInputError); ok {
		e := &view.FormatError{Err: view.ErrCorrupt, What: "character of a text", Want: want, Offset: uint64(at)}
		if int(at) < len(text) {
			e.Got = uint64(text[at])
		}
		return nil, e
	}
	return data, err
}

// become makes b the set of fresh, whose bytes are valid and belong to nobody else.
func (b *Bitmap) become(fresh *Bitmap) {
	moved, edits := b.Moved(), b.edits
	*b = *fresh
	b.sound, b.edits = true, edits+1
	b.noteMoved(moved + uint64(len(fresh.buf)))
}
