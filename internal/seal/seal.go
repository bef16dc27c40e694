// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

// Package seal has the checksum that entries of the store carry (docs/format): a CRC-32C of the
// store key and of all bytes but the checksum's own, so that an entry under a wrong key is found
// out like one with flipped bits.
package seal

import (
	"encoding/binary"
	"hash/crc32"
)

// HeaderLen is the length of the header that sealed entries have in common: magic, version, two
// bytes of their own, and the checksum in bytes 4 to 7.
const HeaderLen = 8

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// Write puts the checksum into a finished entry of at least HeaderLen bytes.
func Write(key, entry []byte) { binary.LittleEndian.PutUint32(entry[4:], sum(key, entry)) }

// Check returns the checksum that an entry of at least HeaderLen bytes has, and the one that it
// should have. Cost: one pass over the entry.
func Check(key, entry []byte) (got, want uint32) {
	return binary.LittleEndian.Uint32(entry[4:]), sum(key, entry)
}

func sum(key, entry []byte) uint32 {
	s := crc32.Update(0, castagnoli, key)
	s = crc32.Update(s, castagnoli, entry[:4])
	return crc32.Update(s, castagnoli, entry[HeaderLen:])
}
