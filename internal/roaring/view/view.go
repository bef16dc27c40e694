// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package view

import (
	"encoding/binary"
	"slices"
)

// View is a set over bytes that someone else owns: a stand-alone bitmap ([Open]), the body of a
// posting list ([OpenBody]) or the bytes of a [Bitmap].
//
// It is a small value, made to be passed and kept by value; the zero value is the empty set. No
// read allocates. It may be used from any number of goroutines as long as nobody changes the bytes;
// it keeps them alive.
type View struct {
	// Four words: a struct of four is kept and passed in registers. A larger one would be copied 16
	// bytes at a time, from memory whose words have just been stored one by one. The processor
	// would wait until the stores are done, and begin nothing of the next set meanwhile.

	bytes []byte // its capacity reaches to the end of the checksum, if there is one
	code  uint64
}

// The code says what opening has found: form, ow, kw and envelope, and above them a number.
const (
	owShift       = 3
	kwShift       = 6
	envelopeShift = 12
	NumberShift   = 16
)

// fixedCode is the part of the code that says of a list that it is a fixed one. (Of a single
// form the number may have this bit, too.)
const fixedCode = 1 << 63

// ViewCode returns the code of a body. The number is that of containers of a directory, that of
// values of a list, and a single value of up to six bytes.
func ViewCode(form, kw, ow uint8, number uint64) uint64 {
	return uint64(form) | uint64(ow)<<owShift | uint64(kw)<<kwShift | number<<NumberShift
}

// EnvelopeCode returns the part of the code that says that there is an envelope, with the given
// flags.
func EnvelopeCode(flags uint8) uint64 { return (uint64(flags)>>WidthShift + 1) << envelopeShift }

// Of returns the View of a body that has been opened before, and whose code is known.
func Of(body []byte, code uint64) View { return View{body, code} }

// Raw returns the bytes of the body. Their capacity reaches to the end of the checksum, if there is
// one.
func (v *View) Raw() []byte { return v.bytes }

// Code returns what opening has found.
func (v *View) Code() uint64 { return v.code }

// Form returns the form of the body, one of the Form constants.
func (v *View) Form() uint8 { return uint8(v.code & 7) }

// Ow returns the bytes of an end of a compact directory, or those of the header of a list.
func (v *View) Ow() uint8 { return uint8(v.code >> owShift & 7) }

// Kw returns the bytes of a key of a compact directory, or the low width of a list.
func (v *View) Kw() uint8 { return uint8(v.code >> kwShift & 63) }

// Count returns the number of containers; a single value or a list counts as one.
func (v *View) Count() int {
	if v.Form()-FormSingle <= FormList-FormSingle {
		return 1
	}
	return int(v.code >> NumberShift)
}

// Single returns the value of a single form.
func (v *View) Single() uint64 {
	if len(v.bytes) <= 1+maxWidth {
		return v.code >> NumberShift
	}
	return LoadUint(v.bytes, 1, uint8(len(v.bytes)-1))
}

// Values returns the number of values of a list, 0 of any other.
func (v *View) Values() int {
	if v.Form() != FormList {
		return 0
	}
	return v.ListLen()
}

// ListLen returns the number of values of a list.
func (v *View) ListLen() int { return int(v.code << 1 >> (NumberShift + 1)) }

// Payloads returns the offset of the payloads of a compact directory.
func Payloads(v *View) int {
	kw := int(v.Kw())
	return 2 + kw + int(v.code>>NumberShift)*(kw+2+int(v.Ow()))
}

// Directory returns the offset of a loose directory. It lies inside the body, even if the bytes
// have changed since they were opened.
func Directory(v *View) int {
	at := binary.LittleEndian.Uint64(v.bytes[LooseAt:])
	return int(min(at, uint64(len(v.bytes)-int(v.code>>NumberShift)*EntryBytes)))
}

// Body returns the bytes of the set without envelope, as they are: they belong to whoever owns the
// bytes of the View.
func (v View) Body() []byte { return slices.Clip(v.bytes) }

// hasNone is IsEmpty of a body.
func (v *View) hasNone() bool {
	_, ok := v.Min()
	return !ok
}
