// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package format

import (
	"crypto/rand"
	"encoding/binary"
	"unsafe"

	"github.com/dchest/siphash"
)

// Secret is the key of the hash that an index finds its keys by. Without it, outsiders cannot
// choose keys that collide.
type Secret [16]byte

// Hash returns the hash of a key: SipHash-2-4.
func (s *Secret) Hash(key string) uint64 {
	return siphash.Hash(binary.LittleEndian.Uint64(s[:8]), binary.LittleEndian.Uint64(s[8:]),
		unsafe.Slice(unsafe.StringData(key), len(key))) // which reads it only: a copy would be an allocation
}

// NewSecret returns a random Secret for a new index.
func NewSecret() (s Secret) {
	_, _ = rand.Read(s[:]) // never fails, as documented
	return s
}
