// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package posting

import (
	"encoding/binary"
	"fmt"
)

// The first byte of a store key says what the entry is (docs/format/keys.md). 00 and 01 belong to
// the database.
const (
	kindManifest = 0x02
	kindLog      = 0x03
	kindPage     = PageKind
)

// PageKind is the first byte of the store key of a page.
const PageKind = 0x04

const (
	pageKeyLen     = 1 + 4 + 4 + 4 + 8 + 6 + 8
	manifestKeyLen = 1 + 4 + 8
	logKeyLen      = 1 + 4 + 8
	maxPiece       = 1<<48 - 1
)

func appendIndexPrefix(dst []byte, kind byte, index uint32) []byte {
	return binary.BigEndian.AppendUint32(append(dst, kind), index)
}

func appendPageKey(dst []byte, index uint32, r *ref) []byte {
	dst = appendIndexPrefix(dst, kindPage, index)
	dst = binary.BigEndian.AppendUint32(dst, r.field)
	dst = binary.BigEndian.AppendUint32(dst, r.shard)
	dst = binary.BigEndian.AppendUint64(dst, r.first)
	piece := r.pieceKey()
	dst = append(dst, byte(piece>>40), byte(piece>>32), byte(piece>>24), byte(piece>>16), byte(piece>>8), byte(piece))
	return binary.BigEndian.AppendUint64(dst, r.generation)
}

// pageGeneration returns the generation that a page's key ends with.
func pageGeneration(key []byte) (uint64, bool) {
	if len(key) != pageKeyLen || key[0] != kindPage {
		return 0, false
	}
	return binary.BigEndian.Uint64(key[pageKeyLen-8:]), true
}

// indexOfKey returns the index of a page's key.
func indexOfKey(key []byte) uint32 { return binary.BigEndian.Uint32(key[1:]) }

func appendManifestKey(dst []byte, index uint32, number uint64) []byte {
	return binary.BigEndian.AppendUint64(appendIndexPrefix(dst, kindManifest, index), number)
}

func appendLogKey(dst []byte, index uint32, sequence uint64) []byte {
	return binary.BigEndian.AppendUint64(appendIndexPrefix(dst, kindLog, index), sequence)
}

// numberOf returns the number at the end of a manifest record's or log entry's key.
func numberOf(key []byte) uint64 { return binary.BigEndian.Uint64(key[len(key)-8:]) }

// String names the page for errors and logs.
func (r *ref) String() string {
	if r.piece > 0 {
		return fmt.Sprintf("page of field %d, row %d, piece %d, generation %d", r.field, r.first, r.pieceKey(),
			r.generation)
	}
	return fmt.Sprintf("page of field %d, rows from %d, generation %d", r.field, r.first, r.generation)
}
