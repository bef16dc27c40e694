// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package posting

import (
	"encoding/binary"
	"hash/crc32"
)

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// Pages, manifest records and log entries have a common head: magic, version, two bytes of their own, and a checksum of the store key and of all
// else, so that bytes under a wrong key are found out like flipped ones.
const (
	headLen       = 8
	formatVersion = 1
)

const (
	magicPage     = 0xB6
	magicManifest = 0xB7
	magicLog      = 0xB8
)

// checksum returns the CRC-32C of an entry: its key, then all its bytes but the checksum's own (4 to 7).
func checksum(key, value []byte) uint32 {
	sum := crc32.Update(0, castagnoli, key)
	sum = crc32.Update(sum, castagnoli, value[:4])
	return crc32.Update(sum, castagnoli, value[headLen:])
}

// seal writes the checksum into a finished entry.
func seal(key, value []byte) { binary.LittleEndian.PutUint32(value[4:], checksum(key, value)) }

// checkHead checks magic, version and checksum of an entry.
func checkHead(where string, magic byte, key, value []byte) error {
	if len(value) < headLen {
		return corrupt(where, "got %d bytes, want at least %d", len(value), headLen)
	}
	if value[0] != magic {
		return corrupt(where, "got magic %#02x, want %#02x", value[0], magic)
	}
	if value[1] != formatVersion {
		return errVersion(where, value[1])
	}
	if got, want := checksum(key, value), binary.LittleEndian.Uint32(value[4:]); got != want {
		return corrupt(where, "got checksum %08x, want %08x", got, want)
	}
	return nil
}
