// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package view

import (
	"encoding/binary"

	"github.com/uproar-db/uproar/internal/roaring/kernel/sorted"
)

// A fixed list is one packed block of a low width of whole bytes that holds its values whole:
// the upper part is ones alone, and the lower part the values as they are. It is read as any other
// list is, and what is asked most, whether it has a value and what two of them have in common,
// is answered on the values where they lie. Fastest takes it for short lists.

const (
	HeaderFixed = 2                // bytes of the header
	MaxFixed    = sorted.FixedUpTo // values; a reader takes as many as a byte can say
)

// FixedBlock returns the bytes of a packed block of n whole values.
func FixedBlock(n, width int) int { return (n+7)>>3 + n*width }

// PutFixedHeader writes the header of a fixed list of n values.
func PutFixedHeader(head []byte, n int, low uint) {
	head[0], head[1] = tagFixed+byte(low/8-sorted.FixedLeast), byte(n-1)
}

// PutFixed writes a fixed list, header and all.
func PutFixed(body []byte, values []uint64, low uint) {
	n := len(values)
	PutFixedHeader(body, n, low)
	upper := (n + 7) >> 3
	for i := range body[HeaderFixed : HeaderFixed+upper] {
		body[HeaderFixed+i] = byte(1<<min(n-8*i, 8) - 1)
	}
	list, width := body[HeaderFixed+upper:], int(low>>3)
	if width == sorted.FixedLeast {
		for i, x := range values {
			binary.LittleEndian.PutUint32(list[4*i:4*i+4], uint32(x))
		}
		return
	}
	for i, x := range values {
		StoreUint(list[i*width:], x, width)
	}
}

// openFixed opens a body that is a fixed list.
func openFixed(body []byte) (code uint64, err error) {
	n, width := int(body[1])+1, int(body[0]-tagFixed)+sorted.FixedLeast
	switch block := FixedBlock(n, width); {
	case len(body)-HeaderFixed < block:
		return 0, truncated("fixed list", len(body))
	case len(body)-HeaderFixed > block:
		return 0, corrupt("bytes of a fixed list", uint64(len(body)), "what its values take", 0)
	}
	return ViewCode(FormList, uint8(8*width), HeaderFixed, uint64(n)) | fixedCode, nil
}

// IsFixed reports whether v, which is a list, is a fixed one.
func (v *View) IsFixed() bool { return int64(v.code) < 0 }

// Fixed returns the values of a fixed list, and how many bytes each has.
func (v *View) Fixed() (list []byte, width int) {
	return v.bytes[HeaderFixed+(v.ListLen()+7)>>3:], int(v.Kw()) >> 3
}

// FixedHas is contains of a fixed list.
func FixedHas(v *View, x uint64) bool {
	list, width := v.Fixed()
	return sorted.FixedHas(list, width, x)
}

// fixedRank is rankOf of a fixed list.
func fixedRank(v *View, x uint64) uint64 {
	list, width := v.Fixed()
	return uint64(sorted.FixedRank(list, width, x))
}

// fixedSelect is selectValue of a fixed list.
func fixedSelect(v *View, i uint64) (x uint64, ok bool) {
	if i >= uint64(v.ListLen()) {
		return 0, false
	}
	list, width := v.Fixed()
	return sorted.FixedAt(list, width, int(i)), true
}
