// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package view

import (
	"encoding/binary"
	"hash/crc32"
)

// Castagnoli is the table of the checksums, CRC-32C.
var Castagnoli = crc32.MakeTable(crc32.Castagnoli)

// Open returns a View of the set in b, which must hold exactly one stand-alone bitmap. The View
// borrows b: it is valid as long as b is unchanged.
//
// It costs the same for any length and allocates only an error: a [*FormatError] that wraps
// ErrNotBitmap, ErrVersion, ErrTruncated or ErrCorrupt. It does not verify the checksum: see
// [View.Validate].
func Open(b []byte) (v View, err error) {
	const known = VersionMask | FlagReserved
	if len(b) < 3 || b[0] != Magic || b[1]&known != Version {
		return View{}, envelopeError(b)
	}
	flags := b[1]
	head, tail := 2+1<<(flags>>WidthShift&WidthMask), int(flags&FlagChecksum)*ChecksumBytes/FlagChecksum
	end := len(b) - tail
	if end < head || LoadUint(b, 2, uint8(head-2)) != uint64(end-head) {
		return View{}, envelopeError(b)
	}
	code, err := codeOf(b[head:end])
	if err != nil {
		err.(*FormatError).Offset += uint64(head)
		return View{}, err
	}
	return View{b[head:end:len(b)], code | EnvelopeCode(flags)}, nil
}

// envelopeError returns what is wrong with the envelope of b. It is a function of its own so
// that Open, which is called for each of many sets, stays short.
//
//go:noinline
func envelopeError(b []byte) error {
	switch {
	case len(b) == 0:
		return &FormatError{Err: ErrTruncated, What: "envelope bytes", Got: 0, Want: "at least 3"}
	case b[0] != Magic:
		return advise(&FormatError{Err: ErrNotBitmap, What: "magic byte", Got: uint64(b[0]), Want: "181 (0xB5)"}, b,
			"or Open")
	case len(b) < 3:
		return &FormatError{Err: ErrTruncated, What: "envelope bytes", Got: uint64(len(b)), Want: "at least 3"}
	}
	flags := b[1]
	width := 1 << (flags >> WidthShift & WidthMask)
	head := 2 + width
	switch {
	case flags&VersionMask != Version:
		return &FormatError{Err: ErrVersion, What: "version", Got: uint64(flags & VersionMask), Want: "1", Offset: 1}
	case flags&FlagReserved != 0:
		return &FormatError{Err: ErrVersion, What: "reserved bit 7 of the flags", Got: 1, Want: "0", Offset: 1}
	case len(b) < head:
		return &FormatError{Err: ErrTruncated, What: "envelope bytes", Got: uint64(len(b)),
			Want: "the whole length field", Offset: 2}
	}
	n, tail := LoadUint(b, 2, uint8(width)), uint64(0)
	if flags&FlagChecksum != 0 {
		tail = ChecksumBytes
	}
	rest := uint64(len(b) - head)
	if rest < n || rest-n < tail {
		return &FormatError{Err: ErrTruncated, What: "bytes after the envelope", Got: rest,
			Want: "body length and checksum", Offset: uint64(head)}
	}
	return &FormatError{Err: ErrCorrupt, What: "bytes after the body", Got: rest - n,
		Want: "the checksum alone, or nothing", Offset: uint64(head) + n}
}

// HeaderLen is the number of bytes of the envelope before the body, 0 for a view of a body.
func HeaderLen(v View) int {
	if Flags(&v) == 0 {
		return 0
	}
	return 2 + 1<<(Flags(&v)>>WidthShift&WidthMask)
}

// checksum computes what the checksum of the stand-alone bytes must be. The envelope is a function
// of what Open kept of it.
func checksum(v View) uint32 {
	var envelope [10]byte
	envelope[0], envelope[1] = Magic, Flags(&v)
	binary.LittleEndian.PutUint64(envelope[2:], uint64(len(v.bytes)))
	return crc32.Update(crc32.Checksum(envelope[:HeaderLen(v)], Castagnoli), Castagnoli, v.bytes)
}

// Flags returns the second byte of the envelope, 0 if there was none.
func Flags(v *View) uint8 {
	envelope := uint8(v.code >> envelopeShift & 15)
	if envelope == 0 {
		return 0
	}
	return Version | (envelope-1)<<WidthShift
}

// Sum returns the checksum read, if the flags say that there is one.
func Sum(v *View) uint32 {
	n := len(v.bytes)
	return binary.LittleEndian.Uint32(v.bytes[n : n+ChecksumBytes])
}
