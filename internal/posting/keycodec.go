// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package posting

import (
	"encoding/binary"
	"slices"
	"strings"
)

// Codecs of keys (docs/format/page.md).
const (
	codecRaw = 0
	codecDID = 1
)

// MaxKey is the greatest length of a record's or row's key, in bytes.
const MaxKey = 65534

const (
	didPrefix  = "did:plc:"
	didDigits  = 24
	didBytes   = 15
	base32     = "abcdefghijklmnopqrstuvwxyz234567"
	didKeySize = len(didPrefix) + didDigits
)

func base32Digit(c byte) (byte, bool) {
	switch {
	case c >= 'a' && c <= 'z':
		return c - 'a', true
	case c >= '2' && c <= '7':
		return c - '2' + 26, true
	}
	return 0, false
}

// appendKey appends the encoding of a key: its codec, then its bytes in it. DIDs of the PLC method,
// most keys of a social graph, have 120 bits.
func appendKey(dst []byte, key string) []byte {
	if len(key) != didKeySize || !strings.HasPrefix(key, didPrefix) {
		return append(append(dst, codecRaw), key...)
	}
	at := len(dst)
	dst = append(dst, codecDID)
	acc, n := uint(0), 0
	for i := len(didPrefix); i < len(key); i++ {
		d, ok := base32Digit(key[i])
		if !ok {
			return append(append(dst[:at], codecRaw), key...)
		}
		acc, n = acc<<5|uint(d), n+5
		if n >= 8 {
			n -= 8
			dst = append(dst, byte(acc>>n))
		}
	}
	return dst
}

// isKey reports whether an encoding is that of a key.
func isKey(code []byte, key string) bool {
	if len(code) > 0 && code[0] == codecRaw {
		return string(code[1:]) == key
	}
	if len(code) != 1+didBytes || code[0] != codecDID || len(key) != didKeySize || key[:len(didPrefix)] != didPrefix {
		return false
	}
	var text [didDigits]byte
	putDigits(&text, (*[didBytes]byte)(code[1:]))
	return key[len(didPrefix):] == string(text[:])
}

// appendKeyText appends the text of an encoded key. ok is false when the encoding is none.
func appendKeyText(dst, code []byte) (text []byte, ok bool) {
	if len(code) == 0 {
		return dst, false
	}
	switch {
	case code[0] == codecRaw:
		return append(dst, code[1:]...), true
	case code[0] == codecDID && len(code) == 1+didBytes:
		return appendDID(dst, (*[didBytes]byte)(code[1:])), true
	}
	return dst, false
}

// appendDID appends a DID of the PLC method: 8 digits of every 5 bytes.
func appendDID(dst []byte, code *[didBytes]byte) []byte {
	dst = append(dst, didPrefix+"________________________"...)
	putDigits((*[didDigits]byte)(dst[len(dst)-didDigits:]), code)
	return dst
}

// isDID reports whether an encoding is that of a DID of the PLC method.
func isDID(code []byte) bool { return len(code) == 1+didBytes && code[0] == codecDID }

// appendDIDs appends DIDs with turn after each, up to the first of some encoded keys that is none;
// n is how many they are. It makes room for all of them at once, and writes them by whole words.
func appendDIDs(dst []byte, codes [][]byte, turn []byte) (out []byte, n int) {
	const word = 8
	if len(codes) == 0 || !isDID(codes[0]) {
		return dst, 0
	}
	each := didKeySize + len(turn)
	dst = slices.Grow(dst, len(codes)*each+word)
	at, room := len(dst), dst[:cap(dst)]
	var ahead [word]byte
	copy(ahead[:], turn)
	prefix, after := binary.LittleEndian.Uint64([]byte(didPrefix)), binary.LittleEndian.Uint64(ahead[:])
	for n < len(codes) && isDID(codes[n]) {
		key := (*[didKeySize + word]byte)(room[at:])
		binary.LittleEndian.PutUint64(key[:], prefix)
		putDigits((*[didDigits]byte)(key[len(didPrefix):]), (*[didBytes]byte)(codes[n][1:]))
		binary.LittleEndian.PutUint64(key[didKeySize:], after) // what is too much, the next one overwrites
		if len(turn) > word {
			copy(room[at+didKeySize:], turn)
		}
		at, n = at+each, n+1
	}
	return room[:at], n
}

// putDigits writes the digits of a DID.
func putDigits(text *[didDigits]byte, code *[didBytes]byte) {
	binary.LittleEndian.PutUint64(text[:], digitsOf(binary.BigEndian.Uint64(code[:])>>24))
	binary.LittleEndian.PutUint64(text[8:], digitsOf(binary.BigEndian.Uint64(code[5:])>>24))
	binary.LittleEndian.PutUint64(text[16:], digitsOf(binary.BigEndian.Uint64(code[7:])))
}

// digitPairs has the two base-32 digits of all numbers of ten bits, the first in the lower byte.
var digitPairs = func() (pairs [1 << 10]uint16) {
	for i := range pairs {
		pairs[i] = uint16(base32[i>>5]) | uint16(base32[i&31])<<8
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
