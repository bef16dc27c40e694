// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package bitmap

import (
	"fmt"
	"io"

	"github.com/uproar-db/uproar/internal/roaring/pack"
	"github.com/uproar-db/uproar/internal/roaring/view"
)

// firstRead is how many bytes of a body ReadFrom asks for at first. Then it asks for twice as many
// as have come. An untrue length costs no more than that.
const firstRead = 64 << 10

// WriteTo writes the stand-alone bytes of the set, as they are and without a checksum. It returns
// how many were written. They say their length: [Bitmap.ReadFrom] reads several sets from one
// stream, one after the other.
func (v View) WriteTo(w io.Writer) (n int64, err error) {
	var head [maxEnvelope]byte
	body := v.Body()
	n, err = writeAll(w, pack.AppendEnvelope(head[:0], len(body), 0))
	if err != nil || len(body) == 0 {
		return n, err
	}
	k, err := writeAll(w, body)
	return n + k, err
}

// WriteTo writes [Bitmap.Bytes] in one call of w.Write: see [View.WriteTo]. [Bitmap.Pack] before
// makes them fewer.
func (b Bitmap) WriteTo(w io.Writer) (n int64, err error) { return writeAll(w, b.Bytes()) }

// writeAll writes p, and has an error if w took less of it without saying why.
func writeAll(w io.Writer, p []byte) (n int64, err error) {
	k, err := w.Write(p)
	if err == nil && k < len(p) {
		err = io.ErrShortWrite
	}
	return int64(k), err
}

// ReadFrom replaces the set with the next stand-alone bitmap of a stream, with or without a
// checksum. It returns how many bytes it read. It does not read beyond the end of that bitmap, so
// that the next one, or something else, can be read after it.
//
// At the end of the stream, when there is not one byte left, the error is io.EOF. Bytes that are
// not a valid bitmap are a [*FormatError]; it is io.ErrUnexpectedEOF as well if they end too early.
// On any error the set stays as it was. Memory is asked for as bytes arrive, not as the length
// field claims. ReadFrom makes many small reads of r: a bufio.Reader makes them cheap.
func (b *Bitmap) ReadFrom(r io.Reader) (n int64, err error) {
	data := make([]byte, 0, 512)
	read := func(want uint64, what string) error {
		data, err = readMore(r, data, want)
		if err == io.EOF || err == io.ErrUnexpectedEOF {
			err = fmt.Errorf("%w: %w", &FormatError{
				Err: ErrTruncated, What: "bytes of a stream that ends in its " + what, Got: uint64(len(data)),
				Want: "more", Offset: uint64(len(data)),
			}, io.ErrUnexpectedEOF)
		}
		return err
	}
	if data, err = readMore(r, data, 1); err != nil {
		return int64(len(data)), err
	}
	if data[0] != view.Magic {
		return 1, &FormatError{Err: ErrNotBitmap, What: "magic byte of a stream", Got: uint64(data[0]),
			Want: "181 (0xB5)",
			Try: "for RoaringFormatSpec bytes use interop.ReadPortable32 or interop.ReadPortable64, for those of " +
				"sroar interop.FromSroar"}
	}
	if err := read(2, "envelope"); err != nil { // with the first byte of the length field, which every version has
		return int64(len(data)), err
	}
	flags := data[1]
	width := 1 << (flags >> view.WidthShift & view.WidthMask)
	if flags&view.VersionMask == view.Version && flags&view.FlagReserved == 0 {
		if err := read(uint64(width-1), "length field"); err != nil {
			return int64(len(data)), err
		}
		length := view.LoadUint(data, 2, uint8(width))
		if length > maxBody {
			return int64(len(data)), &FormatError{Err: ErrCorrupt, What: "body length", Got: length,
				Want: "at most 2^48", Offset: 2}
		}
		if flags&view.FlagChecksum != 0 {
			length += view.ChecksumBytes
		}
		if err := read(length, "body"); err != nil {
			return int64(len(data)), err
		}
	}
	return int64(len(data)), b.UnmarshalBinary(data)
}

// maxBody is the length of the longest body.
const maxBody = 1 << 48

// readMore appends the next want bytes of r. The error is that of r, or io.ErrUnexpectedEOF if
// there were some bytes, but fewer.
func readMore(r io.Reader, data []byte, want uint64) ([]byte, error) {
	for want > 0 {
		step := min(want, uint64(max(len(data), firstRead)))
		if room := uint64(cap(data) - len(data)); room > 0 {
			step = min(want, room)
		} else {
			data = append(make([]byte, 0, uint64(len(data))+step), data...)
		}
		k, err := io.ReadFull(r, data[len(data):len(data)+int(step)])
		data = data[:len(data)+k]
		if want -= uint64(k); err != nil {
			return data, err
		}
	}
	return data, nil
}
