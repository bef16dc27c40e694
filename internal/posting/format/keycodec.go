// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package format

import (
	"encoding/binary"
	"slices"
	"strings"
)

// Codecs of keys (docs/format/page.md).
const (
	CodecRaw = 0
	CodecDID = 1
)

// MaxKey is the greatest length of a record's or row's key, in bytes.
const MaxKey = 65534

// A decentralized identifier of did:plc, as text and as bytes.
const (
	DIDPrefix  = "did:plc:"
	DidDigits  = 24
	DidBytes   = 15
	Base32     = "abcdefghijklmnopqrstuvwxyz234567"
	DIDKeySize = len(DIDPrefix) + DidDigits
)

// Base32Digit returns the number that a digit of Base32 stands for.
func Base32Digit(c byte) (byte, bool) {
	switch {
	case c >= 'a' && c <= 'z':
		return c - 'a', true
	case c >= '2' && c <= '7':
		return c - '2' + 26, true
	}
	return 0, false
}

// common returns how many bytes two keys begin with alike.
func common(a []byte, b string) int {
	n := min(len(a), len(b))
	for i := range n {
		if a[i] != b[i] {
			return i
		}
	}
	return n
}

// AppendKey appends the encoding of a key: its codec, then its bytes in it. DIDs of the PLC method,
// most keys of a social graph, have 120 bits.
func AppendKey(dst []byte, key string) []byte {
	if len(key) != DIDKeySize || !strings.HasPrefix(key, DIDPrefix) {
		return append(append(dst, CodecRaw), key...)
	}
	at := len(dst)
	dst = append(dst, CodecDID)
	acc, n := uint(0), 0
	for i := len(DIDPrefix); i < len(key); i++ {
		d, ok := Base32Digit(key[i])
		if !ok {
			return append(append(dst[:at], CodecRaw), key...)
		}
		acc, n = acc<<5|uint(d), n+5
		if n >= 8 {
			n -= 8
			dst = append(dst, byte(acc>>n))
		}
	}
	return dst
}

// IsKey reports whether an encoding is that of a key.
func IsKey(code []byte, key string) bool {
	if len(code) > 0 && code[0] == CodecRaw {
		return string(code[1:]) == key
	}
	if len(code) != 1+DidBytes || code[0] != CodecDID || len(key) != DIDKeySize || key[:len(DIDPrefix)] != DIDPrefix {
		return false
	}
	var text [DidDigits]byte
	putDigits(&text, (*[DidBytes]byte)(code[1:]))
	return key[len(DIDPrefix):] == string(text[:])
}

// AppendKeyText appends the text of an encoded key. ok is false when the encoding is none.
func AppendKeyText(dst, code []byte) (text []byte, ok bool) {
	if len(code) == 0 {
		return dst, false
	}
	switch {
	case code[0] == CodecRaw:
		return append(dst, code[1:]...), true
	case code[0] == CodecDID && len(code) == 1+DidBytes:
		return appendDID(dst, (*[DidBytes]byte)(code[1:])), true
	}
	return dst, false
}

// appendDID appends a DID of the PLC method: 8 digits of every 5 bytes.
func appendDID(dst []byte, code *[DidBytes]byte) []byte {
	dst = append(dst, DIDPrefix+"________________________"...)
	putDigits((*[DidDigits]byte)(dst[len(dst)-DidDigits:]), code)
	return dst
}

// isDID reports whether an encoding is that of a DID of the PLC method.
func isDID(code []byte) bool { return len(code) == 1+DidBytes && code[0] == CodecDID }

// AppendDIDs appends the leading encoded keys that are DIDs, each followed by turn. It stops at the
// first key that is none, and returns in n how many it appended. It makes room for all at once and
// writes whole words.
func AppendDIDs(dst []byte, codes [][]byte, turn []byte) (out []byte, n int) {
	const word = 8
	if len(codes) == 0 || !isDID(codes[0]) {
		return dst, 0
	}
	each := DIDKeySize + len(turn)
	dst = slices.Grow(dst, len(codes)*each+word)
	at, room := len(dst), dst[:cap(dst)]
	var ahead [word]byte
	copy(ahead[:], turn)
	prefix, after := binary.LittleEndian.Uint64([]byte(DIDPrefix)), binary.LittleEndian.Uint64(ahead[:])
	for n < len(codes) && isDID(codes[n]) {
		key := (*[DIDKeySize + word]byte)(room[at:])
		binary.LittleEndian.PutUint64(key[:], prefix)
		putDigits((*[DidDigits]byte)(key[len(DIDPrefix):]), (*[DidBytes]byte)(codes[n][1:]))
		binary.LittleEndian.PutUint64(key[DIDKeySize:], after) // what is too much, the next one overwrites
		if len(turn) > word {
			copy(room[at+DIDKeySize:], turn)
		}
		at, n = at+each, n+1
	}
	return room[:at], n
}

// putDigits writes the digits of a DID.
func putDigits(text *[DidDigits]byte, code *[DidBytes]byte) {
	binary.LittleEndian.PutUint64(text[:], digitsOf(binary.BigEndian.Uint64(code[:])>>24))
	binary.LittleEndian.PutUint64(text[8:], digitsOf(binary.BigEndian.Uint64(code[5:])>>24))
	binary.LittleEndian.PutUint64(text[16:], digitsOf(binary.BigEndian.Uint64(code[7:])))
}

// digitPairs has the two base-32 digits of all numbers of ten bits, the first in the lower byte.
var digitPairs = func() (pairs [1 << 10]uint16) {
	for i := range pairs {
		pairs[i] = uint16(Base32[i>>5]) | uint16(Base32[i&31])<<8
	}
	return pairs
}()

// digitsOf returns the eight base-32 digits of the lower 40 bits, the first in the lowest byte.
// Four looks at a table that stays in the nearest cache take fewer steps than work on all bytes of
// a word at a time.
func digitsOf(x uint64) uint64 {
	const all = uint64(len(digitPairs) - 1)
	return uint64(digitPairs[x>>30&all]) | uint64(digitPairs[x>>20&all])<<16 | uint64(digitPairs[x>>10&all])<<32 |
		uint64(digitPairs[x&all])<<48
}
