// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package view

import (
	"encoding/binary"
)

// OpenBody returns a View of the set with the given body, as it stands in a page. No bytes are the
// empty set. The View borrows body, and is valid as long as body is unchanged.
//
// It takes constant time and allocates only an error: a [*FormatError] that wraps ErrTruncated,
// ErrCorrupt, or ErrVersion for a form that a newer version may have.
func OpenBody(body []byte) (v View, err error) {
	if err := v.open(body); err != nil {
		return View{}, err
	}
	return v, nil
}

// open makes v, which is the zero value, a View of the set whose body is given. If it returns an
// error, v is of no use.
func (v *View) open(body []byte) error {
	if len(body) < 2 {
		return openShort(v, body)
	}
	v.bytes = body
	switch tag := body[0]; {
	case tag <= tagListMax:
		return openList(v)
	case tag == TagDirectory:
		if body[1]&(widthsReserved|WidthsLoose) == 0 {
			return openCompact(v)
		}
		return openLoose(v)
	case tag == TagSingle:
		if len(body) > 9 {
			return corrupt("bytes of a single value", uint64(len(body)-1), "1 to 8", 1)
		}
		v.code = ViewCode(FormSingle, 0, 0, LoadUint(body, 1, uint8(min(len(body)-1, maxWidth))))
		return nil
	case tag <= tagLong:
		return openLong(v)
	case tag <= tagFixedMax:
		return openFixed(v)
	default:
		return unknownForm(tag)
	}
}

// openShort opens a body of less than two bytes: the empty set, or nothing.
func openShort(v *View, body []byte) error {
	if len(body) == 0 {
		v.bytes = body // whose capacity may have the checksum
		return nil
	}
	switch tag := body[0]; {
	case tag == TagDirectory:
		return truncated("directory header", len(body))
	case tag == TagSingle:
		return truncated("single value", len(body))
	case tag <= tagFixedMax:
		return truncated("list header", len(body))
	default:
		return unknownForm(tag)
	}
}

// openCompact opens a directory whose payloads follow it without gaps.
func openCompact(v *View) error {
	body := v.bytes
	kw, ow := body[1]&7+1, body[1]>>3&7+1
	if kw > maxWidth {
		return corrupt("width of keys", uint64(kw), "1 to 6", 1)
	}
	if ow > maxWidth {
		return corrupt("width of ends", uint64(ow), "1 to 6", 1)
	}
	head := 2 + int(kw)
	if len(body) < head {
		return truncated("directory header", len(body))
	}
	count := LoadUint(body, 2, kw) + 1 // at most 2^48: the product below does not overflow
	size := count * uint64(kw+2+ow)
	if size > uint64(len(body)-head) {
		return truncated("directory entries", len(body))
	}
	v.code = ViewCode(FormCompact, kw, ow, count)
	return nil
}

// openLoose opens a directory of entries that point to payloads anywhere in the body.
func openLoose(v *View) error {
	body := v.bytes
	if body[1]&widthsReserved != 0 {
		return &FormatError{Err: ErrVersion, What: "reserved bit 7 of the widths", Got: 1, Want: "0", Offset: 1}
	}
	if len(body) < HeaderLoose {
		return truncated("directory header", len(body))
	}
	if head := binary.LittleEndian.Uint64(body); head != TagDirectory|WidthsLoose<<8 {
		return &FormatError{Err: ErrVersion, What: "reserved bits of the loose header", Got: head >> 8,
			Want: "64 (0x40)", Offset: 1}
	}
	count, at, room := binary.LittleEndian.Uint64(body[8:]), binary.LittleEndian.Uint64(body[16:]),
		binary.LittleEndian.Uint64(body[24:])
	if count > room {
		return corrupt("containers", count, "at most the directory's room", 8)
	}
	if at < HeaderLoose {
		return corrupt("directory offset", at, "at least 40", 16)
	}
	if at > uint64(len(body)) || room > (uint64(len(body))-at)/EntryBytes {
		return truncated("directory entries", len(body))
	}
	v.code = ViewCode(FormLoose, 0, 0, count)
	return nil
}

// The constructors of errors are functions of their own so that opening, which is done for each of
// many sets, stays short.
