// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package posting

import "strings"

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

// pairs has the two base-32 digits of each number of 10 bits.
var pairs = func() (t [1 << 10][2]byte) {
	for i := range t {
		t[i] = [2]byte{base32[i>>5], base32[i&31]}
	}
	return t
}()

// appendDID appends a DID of the PLC method: 8 digits of every 5 bytes.
func appendDID(dst []byte, code *[didBytes]byte) []byte {
	var text [didKeySize]byte
	copy(text[:], didPrefix)
	for i := range didBytes / 5 {
		b, out := code[5*i:5*i+5], text[len(didPrefix)+8*i:][:8]
		x := uint64(b[0])<<32 | uint64(b[1])<<24 | uint64(b[2])<<16 | uint64(b[3])<<8 | uint64(b[4])
		copy(out[0:2], pairs[x>>30&1023][:])
		copy(out[2:4], pairs[x>>20&1023][:])
		copy(out[4:6], pairs[x>>10&1023][:])
		copy(out[6:8], pairs[x&1023][:])
	}
	return append(dst, text[:]...)
}
