// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package bsi

import (
	"encoding/binary"
	"errors"
	"strconv"

	"github.com/uproar-db/uproar/bitmap"
	"github.com/uproar-db/uproar/internal/roaring/view"
)

// ErrNotIntegers is returned by Open for bytes that do not begin with the magic byte of
// bit-sliced integers.
var ErrNotIntegers = errors.New("not bit-sliced integers")

// Open returns a view of the integers in b, which must hold exactly one serialized [Integers].
// The view borrows b: it is valid as long as b is unchanged.
//
// It opens each slice, at most 65, whatever their length, and allocates only an error: a
// [*bitmap.FormatError] that wraps ErrNotIntegers, ErrVersion, ErrTruncated or ErrCorrupt. It
// verifies neither the checksum nor what is in the slices: see [View.Validate].
func Open(b []byte) (View, error) {
	if len(b) > 0 && b[0] != magic {
		return View{}, &bitmap.FormatError{Err: ErrNotIntegers, What: "magic byte", Got: uint64(b[0]),
			Want: "186 (0xBA)", Try: view.OtherFormat(b, "bsi.Open")}
	}
	if len(b) < headBytes {
		return View{}, &bitmap.FormatError{Err: bitmap.ErrTruncated, What: "bytes of bit-sliced integers",
			Got:  uint64(len(b)),
			Want: "at least 13"}
	}
	flags := b[1]
	switch {
	case flags&versionMask != version:
		return View{}, &bitmap.FormatError{Err: bitmap.ErrVersion, What: "version", Got: uint64(flags & versionMask),
			Want:   "1",
			Offset: 1}
	case flags&flagReserved != 0:
		return View{}, &bitmap.FormatError{Err: bitmap.ErrVersion, What: "reserved bit 7 of the flags", Got: 1,
			Want:   "0",
			Offset: 1}
	case b[2] > maxSlices:
		return View{}, &bitmap.FormatError{Err: bitmap.ErrCorrupt, What: "number of slices", Got: uint64(b[2]),
			Want:   "0 to 64",
			Offset: 2}
	case b[3] != 0:
		return View{}, &bitmap.FormatError{Err: bitmap.ErrVersion, What: "reserved byte", Got: uint64(b[3]), Want: "0",
			Offset: 3}
	}
	v := View{
		base:     int64(binary.LittleEndian.Uint64(b[4:])),
		width:    b[2],
		endWidth: 1 << (flags >> widthShift & widthMask),
	}
	sets := int(v.width) + 1
	rest := b[headBytes:]
	if len(rest) < sets*int(v.endWidth) {
		return View{}, &bitmap.FormatError{Err: bitmap.ErrTruncated, What: "bytes after the header",
			Got:  uint64(len(rest)),
			Want: "the ends of all sets", Offset: headBytes}
	}
	v.ends, v.bodies = rest[:sets*int(v.endWidth)], rest[sets*int(v.endWidth):]
	if flags&flagChecksum != 0 {
		if len(v.bodies) < checksumBytes {
			return View{}, &bitmap.FormatError{Err: bitmap.ErrTruncated, What: "bytes after the ends",
				Got: uint64(len(v.bodies)), Want: "at least 4", Offset: uint64(len(b) - len(v.bodies))}
		}
		v.bodies, v.sums = v.bodies[:len(v.bodies)-checksumBytes], b
	}
	if err := v.check(); err != nil {
		return View{}, err
	}
	return v, nil
}

// offset returns the place of the first set in the serialized bytes.
func (v *View) offset() uint64 { return headBytes + uint64(len(v.ends)) }

// check checks that the ends ascend and that each set can be opened.
func (v *View) check() error {
	from := uint64(0)
	for i := range int(v.width) + 1 {
		to := view.LoadUint(v.ends, i*int(v.endWidth), v.endWidth)
		at := uint64(headBytes + i*int(v.endWidth))
		if to < from {
			return &bitmap.FormatError{Err: bitmap.ErrCorrupt, What: "end of set " + strconv.Itoa(i), Got: to,
				Want: "at least the end before it", Offset: at}
		}
		if to > uint64(len(v.bodies)) {
			return &bitmap.FormatError{Err: bitmap.ErrTruncated, What: "end of set " + strconv.Itoa(i), Got: to,
				Want: "at most the bytes of all sets", Offset: at}
		}
		if _, err := bitmap.OpenBody(v.bodies[from:to:to]); err != nil {
			err.(*bitmap.FormatError).Offset += v.offset() + from
			return err
		}
		from = to
	}
	if rest := uint64(len(v.bodies)) - from; rest != 0 {
		return &bitmap.FormatError{Err: bitmap.ErrCorrupt, What: "bytes after the last set", Got: rest,
			Want: "the checksum alone, or nothing", Offset: v.offset() + from}
	}
	return nil
}
