// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package view

import (
	"bytes"
	"encoding/base64"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"strings"
)

// Bytes that a reader refuses are often a set in another format. Its error then says which one, and
// which call reads it.

// advise adds to a [*FormatError] of the reader own which other format the bytes seem to be in. It
// returns err.
func advise(err error, b []byte, own string) error {
	if e := (*FormatError)(nil); errors.As(err, &e) {
		e.Try = OtherFormat(b, own)
	}
	return err
}

// OtherFormat guesses the format of bytes that the reader own refused. It says which call reads it,
// or "" if it knows none.
func OtherFormat(b []byte, own string) string {
	format := FormatOf(b, len(b))
	if format == "" {
		format = formatOfText(b)
	}
	encoded := strings.HasPrefix(format, inBase64) || strings.HasPrefix(format, inHex)
	if !encoded && strings.HasSuffix(format, own) {
		return ""
	}
	return format
}

// FormatOf guesses the format of some bytes, size in all, and says which call reads it. It returns
// "" if it knows none. It looks at the first 48.
func FormatOf(b []byte, size int) string {
	switch {
	case len(b) >= 3 && b[0] == Magic && b[1]&VersionMask == Version:
		return "bytes of a Bitmap: use Bitmap.UnmarshalBinary or Open"
	case len(b) > integersHead && b[0] == integersMagic && b[1]&VersionMask == integersVersion && b[3] == 0:
		return "bytes of bit-sliced integers: use bsi.Open"
	case isPortable32(b):
		return "RoaringFormatSpec bytes: use interop.FromPortable32"
	case isPortable64(b, size):
		return "RoaringFormatSpec bytes of 64-bit values: use interop.FromPortable64"
	case isSroar(b, size):
		return "sroar bytes: use interop.FromSroar"
	}
	return ""
}

const (
	inBase64 = "base64 of "
	inHex    = "hexadecimal of "
)

// formatOfText is formatOf for text: JSON, hexadecimal (after \x, as PostgreSQL writes it, or not),
// or base64 of any alphabet.
func formatOfText(text []byte) string {
	text = bytes.TrimSpace(text)
	if len(text) > 0 && (text[0] == '[' || text[0] == '"') {
		return "JSON: use Bitmap.UnmarshalJSON"
	}
	var head [48]byte
	digits := bytes.TrimPrefix(text, []byte(`\x`))
	n, _ := hex.Decode(head[:], digits[:min(len(digits), 96)])
	if format := FormatOf(head[:n], len(digits)/2); format != "" {
		return inHex + format
	}
	text = bytes.TrimRight(text, "=")
	for _, alphabet := range []*base64.Encoding{base64.RawStdEncoding, base64.RawURLEncoding} {
		n, _ := alphabet.Decode(head[:], text[:min(len(text), 64)])
		switch format := FormatOf(head[:n], alphabet.DecodedLen(len(text))); {
		case format == "":
		case head[0] == Magic:
			return "the text of a Bitmap: use Bitmap.UnmarshalText"
		default:
			return inBase64 + format
		}
	}
	return ""
}

// The head of serialized bit-sliced integers: magic, version and flags, number of slices, a
// reserved byte, base. The ends of the bodies follow.
const (
	integersMagic   = 0xBA
	integersVersion = 1
	integersHead    = 12
)

// The beginnings of other formats.
const (
	cookieNoRuns = 12346 // of RoaringFormatSpec: u32, followed by the number of containers
	cookieRuns   = 12347 // of RoaringFormatSpec: low u16; the high one is the number of containers - 1

	portableContainers = 1 << 16 // a 32-bit set has no more

	sroarWord     = 2 // bytes
	sroarNodeHead = 8 // words of the node before its first entry: its size and the number of keys
	sroarEntry    = 8 // words of an entry: a key and an offset
)

// isPortable32 reports whether bytes begin like a set of 32-bit values in RoaringFormatSpec.
func isPortable32(b []byte) bool {
	if len(b) < 8 {
		return false
	}
	cookie := binary.LittleEndian.Uint32(b)
	return cookie&0xFFFF == cookieRuns ||
		cookie == cookieNoRuns && binary.LittleEndian.Uint32(b[4:]) <= portableContainers
}

// isPortable64 reports whether bytes begin like a set of 64-bit values in RoaringFormatSpec.
func isPortable64(b []byte, size int) bool {
	if len(b) < 8 {
		return false
	}
	sets := binary.LittleEndian.Uint64(b)
	return sets == 0 && size == 8 || sets-1 < 1<<32 && len(b) > 12 && isPortable32(b[12:])
}

// isSroar reports whether bytes begin like a set of sroar.
func isSroar(b []byte, size int) bool {
	if len(b) < sroarNodeHead*sroarWord || size%sroarWord != 0 {
		return false
	}
	node, keys := binary.LittleEndian.Uint64(b), binary.LittleEndian.Uint64(b[8:])
	return node >= sroarNodeHead && node <= uint64(size/sroarWord) && keys-1 < (node-sroarNodeHead)/sroarEntry
}
