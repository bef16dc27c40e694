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
	code, err := codeOf(body)
	if err != nil {
		return View{}, err
	}
	return View{body, code}, nil
}

// codeOf returns what opening a body finds. It takes the bytes and returns a number so that both
// stay in registers.
func codeOf(body []byte) (code uint64, err error) {
	if len(body) < 2 {
		return 0, openShort(body)
	}
	switch tag := body[0]; {
	case tag == TagDirectory:
		if body[1]&(widthsReserved|WidthsLoose) == 0 {
			return openCompact(body)
		}
		return openLoose(body)
	case tag <= tagListMax:
		return openList(body)
	case tag == TagSingle:
		if len(body) > 9 {
			return 0, corrupt("bytes of a single value", uint64(len(body)-1), "1 to 8", 1)
		}
		return ViewCode(FormSingle, 0, 0, LoadUint(body, 1, uint8(min(len(body)-1, maxWidth)))), nil
	case tag <= tagLong:
		return openLong(body)
	case tag <= tagFixedMax:
		return openFixed(body)
	default:
		return 0, unknownForm(tag)
	}
}

// openShort returns what is wrong with a body of less than two bytes: nothing if it has none, as
// that is the empty set.
func openShort(body []byte) error {
	if len(body) == 0 {
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
func openCompact(body []byte) (code uint64, err error) {
	kw, ow := body[1]&7+1, body[1]>>3&7+1
	if kw > maxWidth {
		return 0, corrupt("width of keys", uint64(kw), "1 to 6", 1)
	}
	if ow > maxWidth {
		return 0, corrupt("width of ends", uint64(ow), "1 to 6", 1)
	}
	head := 2 + int(kw)
	if len(body) < head {
		return 0, truncated("directory header", len(body))
	}
	count := LoadUint(body, 2, kw) + 1 // at most 2^48: the product below does not overflow
	size := count * uint64(kw+2+ow)
	if size > uint64(len(body)-head) {
		return 0, truncated("directory entries", len(body))
	}
	return ViewCode(FormCompact, kw, ow, count), nil
}

// openLoose opens a directory of entries that point to payloads anywhere in the body.
func openLoose(body []byte) (code uint64, err error) {
	if body[1]&widthsReserved != 0 {
		return 0, &FormatError{Err: ErrVersion, What: "reserved bit 7 of the widths", Got: 1, Want: "0", Offset: 1}
	}
	if len(body) < HeaderLoose {
		return 0, truncated("directory header", len(body))
	}
	if head := binary.LittleEndian.Uint64(body); head != TagDirectory|WidthsLoose<<8 {
		return 0, &FormatError{Err: ErrVersion, What: "reserved bits of the loose header", Got: head >> 8,
			Want: "64 (0x40)", Offset: 1}
	}
	count, at, room := binary.LittleEndian.Uint64(body[8:]), binary.LittleEndian.Uint64(body[16:]),
		binary.LittleEndian.Uint64(body[24:])
	if count > room {
		return 0, corrupt("containers", count, "at most the directory's room", 8)
	}
	if at < HeaderLoose {
		return 0, corrupt("directory offset", at, "at least 40", 16)
	}
	if at > uint64(len(body)) || room > (uint64(len(body))-at)/EntryBytes {
		return 0, truncated("directory entries", len(body))
	}
	return ViewCode(FormLoose, 0, 0, count), nil
}

// The constructors of errors are functions of their own so that opening, which is done for each of
// many sets, stays short.
