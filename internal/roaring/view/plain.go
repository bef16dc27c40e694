// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package view

import (
	"encoding/binary"

	"github.com/uproar-db/uproar/internal/roaring/kernel/sorted"
)

// A plain solo form is one packed block of a low width of whole bytes that holds its values whole:
// the upper part is ones alone, and the lower part the values as they are. It is read as any other
// solo form is, and what is asked most, whether it has a value and what two of them have in common,
// is answered on the values where they lie. Fastest takes it for short lists that are spread so far
// that hardly anything is saved by coding them.

const (
	HeadPlain = 2                // bytes of the header
	MaxPlain  = sorted.PlainUpTo // values; a reader takes as many as a byte can say
)

// PlainBlock returns the bytes of a packed block of n plain values.
func PlainBlock(n, width int) int { return (n+7)>>3 + n*width }

// PutPlainHead writes the header of a plain list of n values.
func PutPlainHead(head []byte, n int, low uint) {
	head[0], head[1] = tagPlain+byte(low/8-sorted.PlainLeast), byte(n-1)
}

// PutPlain writes a plain list, header and all.
func PutPlain(body []byte, values []uint64, low uint) {
	n := len(values)
	PutPlainHead(body, n, low)
	upper := (n + 7) >> 3
	for i := range body[HeadPlain : HeadPlain+upper] {
		body[HeadPlain+i] = byte(1<<min(n-8*i, 8) - 1)
	}
	list, width := body[HeadPlain+upper:], int(low>>3)
	if width == sorted.PlainLeast {
		for i, x := range values {
			binary.LittleEndian.PutUint32(list[4*i:4*i+4], uint32(x))
		}
		return
	}
	for i, x := range values {
		StoreUint(list[i*width:], x, width)
	}
}

// openPlain opens a body that is a plain list.
func openPlain(v *View) error {
	body := v.bytes
	n, width := int(body[1])+1, int(body[0]-tagPlain)+sorted.PlainLeast
	switch block := PlainBlock(n, width); {
	case len(body)-HeadPlain < block:
		return truncated("plain solo block", len(body))
	case len(body)-HeadPlain > block:
		return corrupt("bytes of a plain solo form", uint64(len(body)), "what its values take", 0)
	}
	v.code = ViewCode(FormSolo, uint8(8*width), HeadPlain, uint64(n)) | plainCode
	return nil
}

// IsPlain reports whether v, which is a solo form, is a plain one.
func (v *View) IsPlain() bool { return int64(v.code) < 0 }

// Plain returns the values of a plain list, and how many bytes each has.
func (v *View) Plain() (list []byte, width int) {
	return v.bytes[HeadPlain+(v.SoloLen()+7)>>3:], int(v.Kw()) >> 3
}

// PlainHas is contains of a plain list.
func PlainHas(v *View, x uint64) bool {
	list, width := v.Plain()
	return sorted.PlainHas(list, width, x)
}

// plainRank is rankOf of a plain list.
func plainRank(v *View, x uint64) uint64 {
	list, width := v.Plain()
	return uint64(sorted.PlainRank(list, width, x))
}

// plainSelect is selectValue of a plain list.
func plainSelect(v *View, i uint64) (x uint64, ok bool) {
	if i >= uint64(v.SoloLen()) {
		return 0, false
	}
	list, width := v.Plain()
	return sorted.PlainAt(list, width, int(i)), true
}
