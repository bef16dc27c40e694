// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package socialgraph

import (
	"encoding/base32"
	"encoding/binary"
	"strings"
)

const (
	keyPrefix = "did:plc:"
	keyLen    = len(keyPrefix) + 24
	digits    = "abcdefghijklmnopqrstuvwxyz234567"
)

var lower = base32.NewEncoding(digits).WithPadding(base32.NoPadding)

// pairs are the texts of all numbers of 10 bits.
var pairs = func() (p [1 << 10][2]byte) {
	for i := range p {
		p[i] = [2]byte{digits[i>>5], digits[i&31]}
	}
	return p
}()

// AppendKey appends the key of an account: an identifier as the AT Protocol gives them, 120 bits
// that look random.
func (n *Network) AppendKey(dst []byte, account uint32) []byte {
	high, low := n.keyBits(account)
	dst = append(dst, keyPrefix...)
	for shift := 54; shift > 0; shift -= 10 { // the first 60 bits
		p := &pairs[high>>shift&1023]
		dst = append(dst, p[0], p[1])
	}
	middle := high<<56 | low>>8 // the last 4 bits of high, and the 56 of low
	for shift := 50; shift >= 0; shift -= 10 {
		p := &pairs[middle<<4>>4>>shift&1023]
		dst = append(dst, p[0], p[1])
	}
	return dst
}

// Key returns the key of an account.
func (n *Network) Key(account uint32) string { return string(n.AppendKey(nil, account)) }

// keyBits returns the 120 bits of a key: 64, and 56 in the upper part of the second number.
func (n *Network) keyBits(account uint32) (high, low uint64) {
	high = mix(n.Seed<<32 ^ uint64(account))
	return high, mix(high) << 8
}

// Account returns the account of a key.
func (n *Network) Account(key string) (account uint32, ok bool) {
	text, ok := strings.CutPrefix(key, keyPrefix)
	b, err := lower.DecodeString(text)
	if !ok || err != nil || len(b) != 15 {
		return 0, false
	}
	number := unmix(binary.BigEndian.Uint64(b)) ^ n.Seed<<32
	if number >= uint64(n.Accounts) || n.Key(uint32(number)) != key {
		return 0, false
	}
	return uint32(number), true
}
