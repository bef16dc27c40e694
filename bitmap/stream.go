// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package bitmap

import (
	"io"

	"github.com/uproar-db/uproar/internal/roaring/mutable"
	"github.com/uproar-db/uproar/internal/roaring/view"
)

// WriteTo writes the stand-alone bytes of the set, as they are and without a checksum, and returns
// how many were written. They say their length: [Bitmap.ReadFrom] reads several sets from one
// stream, one after the other.
func (v View) WriteTo(w io.Writer) (n int64, err error) { return mutable.WriteTo(view.View(v), w) }

// WriteTo writes [Bitmap.Bytes] in one call of w.Write: see [View.WriteTo]. [Bitmap.Pack] before
// makes them fewer.
func (b Bitmap) WriteTo(w io.Writer) (n int64, err error) { return mutable.Bitmap(b).WriteTo(w) }

// ReadFrom replaces the set with the next stand-alone bitmap of a stream, with or without a
// checksum, and returns how many bytes were read. It does not read beyond the end of that bitmap,
// so that the next one, or something else, can be read after it.
//
// At the end of the stream, when there is not one byte left, the error is io.EOF. Bytes that are
// not a valid bitmap are a [*FormatError]; those that end too early are io.ErrUnexpectedEOF as
// well. On any error the set stays as it was. Memory is asked for as bytes arrive, not as the
// length field claims. Many small reads are made of r: a bufio.Reader makes them cheap.
func (b *Bitmap) ReadFrom(r io.Reader) (n int64, err error) {
	n, err = (*mutable.Bitmap)(b).ReadFrom(r)
	return n, formatError(err)
}
