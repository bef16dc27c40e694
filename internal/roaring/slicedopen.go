// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package roaring

import (
	"encoding/binary"
	"errors"
	"hash/crc32"
	"math"
	"strconv"
)

// ErrNotSliced is returned by OpenSliced for bytes that do not begin with the magic byte of
// bit-sliced integers.
var ErrNotSliced = errors.New("not bit-sliced integers")

// OpenSliced returns a view of the integers in b, which must hold exactly one serialized [Sliced].
// The view borrows b: it is valid as long as b is unchanged.
//
// It opens each slice, at most 65, whatever their length, and allocates only an error: a
// [*FormatError] that wraps ErrNotSliced, ErrVersion, ErrTruncated or ErrCorrupt. It verifies
// neither the checksum nor what is in the slices: see [SlicedView.Validate].
func OpenSliced(b []byte) (SlicedView, error) {
	if len(b) > 0 && b[0] != IntegersMagic {
		return SlicedView{}, Advise(&FormatError{Err: ErrNotSliced, What: "magic byte", Got: uint64(b[0]),
			Want: "186 (0xBA)"}, b, "bsi.Open")
	}
	if len(b) < IntegersHead {
		return SlicedView{}, &FormatError{Err: ErrTruncated, What: "bytes of bit-sliced integers", Got: uint64(len(b)),
			Want: "at least 13"}
	}
	flags := b[1]
	switch {
	case flags&VersionMask != IntegersVersion:
		return SlicedView{}, &FormatError{Err: ErrVersion, What: "version", Got: uint64(flags & VersionMask), Want: "1",
			Offset: 1}
	case flags&FlagReserved != 0:
		return SlicedView{}, &FormatError{Err: ErrVersion, What: "reserved bit 7 of the flags", Got: 1, Want: "0",
			Offset: 1}
	case b[2] > maxSlices:
		return SlicedView{}, &FormatError{Err: ErrCorrupt, What: "number of slices", Got: uint64(b[2]), Want: "0 to 64",
			Offset: 2}
	case b[3] != 0:
		return SlicedView{}, &FormatError{Err: ErrVersion, What: "reserved byte", Got: uint64(b[3]), Want: "0",
			Offset: 3}
	}
	v := SlicedView{
		base:     int64(binary.LittleEndian.Uint64(b[4:])),
		width:    b[2],
		endWidth: 1 << (flags >> WidthShift & WidthMask),
	}
	sets := int(v.width) + 1
	rest := b[IntegersHead:]
	if len(rest) < sets*int(v.endWidth) {
		return SlicedView{}, &FormatError{Err: ErrTruncated, What: "bytes after the header", Got: uint64(len(rest)),
			Want: "the ends of all sets", Offset: IntegersHead}
	}
	v.ends, v.bodies = rest[:sets*int(v.endWidth)], rest[sets*int(v.endWidth):]
	if flags&FlagChecksum != 0 {
		if len(v.bodies) < ChecksumBytes {
			return SlicedView{}, &FormatError{Err: ErrTruncated, What: "bytes after the ends",
				Got: uint64(len(v.bodies)), Want: "at least 4", Offset: uint64(len(b) - len(v.bodies))}
		}
		v.bodies, v.sums = v.bodies[:len(v.bodies)-ChecksumBytes], b
	}
	if err := v.check(); err != nil {
		return SlicedView{}, err
	}
	return v, nil
}

// offset returns the place of the first set in the serialized bytes.
func (v *SlicedView) offset() uint64 { return IntegersHead + uint64(len(v.ends)) }

// check checks that the ends ascend and that each set can be opened.
func (v *SlicedView) check() error {
	from := uint64(0)
	for i := range int(v.width) + 1 {
		to := LoadUint(v.ends, i*int(v.endWidth), v.endWidth)
		at := uint64(IntegersHead + i*int(v.endWidth))
		if to < from {
			return &FormatError{Err: ErrCorrupt, What: "end of set " + strconv.Itoa(i), Got: to,
				Want: "at least the end before it", Offset: at}
		}
		if to > uint64(len(v.bodies)) {
			return &FormatError{Err: ErrTruncated, What: "end of set " + strconv.Itoa(i), Got: to,
				Want: "at most the bytes of all sets", Offset: at}
		}
		if _, err := OpenBody(v.bodies[from:to:to]); err != nil {
			err.(*FormatError).Offset += v.offset() + from
			return err
		}
		from = to
	}
	if rest := uint64(len(v.bodies)) - from; rest != 0 {
		return &FormatError{Err: ErrCorrupt, What: "bytes after the last set", Got: rest,
			Want: "the checksum alone, or nothing", Offset: v.offset() + from}
	}
	return nil
}

// Validate proves every invariant of the format: those of each set, that the slices have no record
// that the set of records has not, that no integer exceeds 64 bits, and the checksum if there is
// one. It reads all bytes and allocates as [View.Validate] does. The filter does not matter.
//
// The error is a [*FormatError] that wraps ErrCorrupt, ErrTruncated or ErrChecksum.
func (v SlicedView) Validate() error {
	if n := len(v.sums) - ChecksumBytes; n >= 0 {
		if got := crc32.Checksum(v.sums[:n], Castagnoli); got != binary.LittleEndian.Uint32(v.sums[n:]) {
			return &FormatError{Err: ErrChecksum, What: "CRC-32C of the bytes", Got: uint64(got),
				Want: "the checksum stored at the end", Offset: uint64(n)}
		}
	}
	records := v.Records()
	at := v.offset()
	if err := validateAt(records, &at); err != nil {
		return err
	}
	for i := range int(v.width) {
		slice, start := v.slice(i), at
		if err := validateAt(slice, &at); err != nil {
			return err
		}
		if extra := AndNotLen(slice, records); extra != 0 {
			return &FormatError{Err: ErrCorrupt, What: "records of slice " + strconv.Itoa(i) + " that have no integer",
				Got: extra, Want: "0", Offset: start}
		}
	}
	v.filtered = false
	if room := uint64(math.MaxInt64) - uint64(v.base); v.largest() > room {
		if u, _ := v.extreme(true); u > room {
			return &FormatError{Err: ErrCorrupt, What: "largest distance from the base", Got: u, Want: "at most " +
				strconv.FormatUint(room, 10), Offset: 4}
		}
	}
	return nil
}

// validateAt validates a set that stands at an offset, and adds its length to the offset.
func validateAt(set View, at *uint64) error {
	err := set.Validate()
	if broken, ok := errors.AsType[*FormatError](err); ok {
		broken.Offset += *at
	}
	*at += uint64(len(set.Body()))
	return err
}
