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
		dst = append(dst, didPrefix...)
		acc, n := uint(0), 0
		for _, b := range code[1:] {
			acc, n = acc<<8|uint(b), n+8
			for n >= 5 {
				n -= 5
				dst = append(dst, base32[acc>>n&31])
			}
		}
		return dst, true
	}
	return dst, false
}
