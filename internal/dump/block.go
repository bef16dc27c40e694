// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package dump

import (
	"encoding/binary"
	"encoding/hex"
	"errors"
	"hash/crc32"

	"github.com/uproar-db/uproar/store"
)

// ErrNotBackup is returned for bytes that are something else.
var ErrNotBackup = errors.New("uproar: not a backup of Uproar")

// version is the version of backups that this program writes and reads.
const version = 1

// A backup is a preamble and blocks (docs/format/backup.md).
const (
	magic       = "\xBBuproar"
	idLen       = 16
	preambleLen = len(magic) + 1 + idLen

	blockHead    = 1
	blockEntries = 2
	blockEnd     = 3

	blockHeadLen = 12
	entryHeadLen = 2 + 4
	endBodyLen   = 8 + 8
	endLen       = blockHeadLen + endBodyLen

	// blockBytes is the size at which a block of entries is written. One may have more by an entry.
	blockBytes   = 1 << 20
	maxBlockBody = blockBytes + entryHeadLen + store.MaxKey + store.MaxValue
)

// ID is the random number of a backup.
type ID [idLen]byte

// String returns the number as 32 hex digits.
func (id ID) String() string { return hex.EncodeToString(id[:]) }

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// blockSum returns the checksum of a block: it holds in one place of one backup only.
func blockSum(id ID, number uint64, head, body []byte) uint32 {
	var place [idLen + 8]byte
	copy(place[:], id[:])
	binary.LittleEndian.PutUint64(place[idLen:], number)
	s := crc32.Update(0, castagnoli, place[:])
	s = crc32.Update(s, castagnoli, head[:8])
	return crc32.Update(s, castagnoli, body)
}
