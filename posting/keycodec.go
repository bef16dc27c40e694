// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package posting

import (
	"encoding/binary"
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

// appendKey appends the encoding of a key: its codec, then its bytes in it. DIDs of the PLC method, most keys of a social graph, have 120 bits.
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

// putDigits writes the digits of a DID.
func putDigits(text *[didDigits]byte, code *[didBytes]byte) {
	binary.BigEndian.PutUint64(text[:], digitsOf(binary.BigEndian.Uint64(code[:])>>24))
	binary.BigEndian.PutUint64(text[8:], digitsOf(binary.BigEndian.Uint64(code[5:])>>24))
	binary.BigEndian.PutUint64(text[16:], digitsOf(binary.BigEndian.Uint64(code[7:])&(1<<40-1)))
}

// digitsOf returns the eight base-32 digits of 40 bits, the first in the highest byte: all bytes of a word at a time, the inverse of packDigits.
func digitsOf(x uint64) uint64 {
	const ones = 0x0101010101010101
	x = x>>20<<32 | x&(1<<20-1)
	x = x<<6&0x03ff000003ff0000 | x&0x000003ff000003ff
	x = x<<3&0x1f001f001f001f00 | x&0x001f001f001f001f
	figure := (x + (128-26)*ones) >> 7 & ones // 1 in the bytes of 26 and more, which are figures
	return x + 'a'*ones - figure*('a'-('2'-26))
}
