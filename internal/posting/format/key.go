// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package format

import (
	"encoding/binary"
	"fmt"
)

// The first byte of a store key says what the entry is (docs/format/keys.md). 00 and 01 belong to
// the database.
const (
	KindManifest = 0x02
	KindLog      = 0x03
	KindPage     = 0x04
	KindSession  = 0x07
)

// The lengths of store keys, and the greatest container key of a piece.
const (
	PageKeyLen     = 1 + 4 + 4 + 4 + 8 + 6 + 8
	ManifestKeyLen = 1 + 4 + 8
	LogKeyLen      = 1 + 4 + 8
	MaxPiece       = 1<<48 - 1
)

// AppendIndexPrefix appends what the keys of one kind of an index begin with.
func AppendIndexPrefix(dst []byte, kind byte, index uint32) []byte {
	return binary.BigEndian.AppendUint32(append(dst, kind), index)
}

// AppendPageKey appends the store key of a page.
func AppendPageKey(dst []byte, index uint32, r *Ref) []byte {
	dst = AppendIndexPrefix(dst, KindPage, index)
	dst = binary.BigEndian.AppendUint32(dst, r.Field)
	dst = binary.BigEndian.AppendUint32(dst, r.shard)
	dst = binary.BigEndian.AppendUint64(dst, r.First)
	piece := r.PieceKey()
	dst = append(dst, byte(piece>>40), byte(piece>>32), byte(piece>>24), byte(piece>>16), byte(piece>>8), byte(piece))
	return binary.BigEndian.AppendUint64(dst, r.Generation)
}

// PageGeneration returns the generation that a page's key ends with.
func PageGeneration(key []byte) (uint64, bool) {
	if len(key) != PageKeyLen || key[0] != KindPage {
		return 0, false
	}
	return binary.BigEndian.Uint64(key[PageKeyLen-8:]), true
}

// AppendManifestKey appends the store key of a record of the manifest.
func AppendManifestKey(dst []byte, index uint32, number uint64) []byte {
	return binary.BigEndian.AppendUint64(AppendIndexPrefix(dst, KindManifest, index), number)
}

// AppendLogKey appends the store key of a log entry.
func AppendLogKey(dst []byte, index uint32, sequence uint64) []byte {
	return binary.BigEndian.AppendUint64(AppendIndexPrefix(dst, KindLog, index), sequence)
}

// NumberOfKey returns the number at the end of a manifest record's or log entry's key.
func NumberOfKey(key []byte) uint64 { return binary.BigEndian.Uint64(key[len(key)-8:]) }

// EpochShift is where the epoch of a writer stands in the generations of its pages, so that no two
// writers give the same one.
const EpochShift = 40

// MaxEpoch is the greatest epoch of a writer.
const MaxEpoch = 1<<(64-EpochShift) - 2

// DefersDeletions reports whether an entry may be in use when another process deletes it: snapshots
// see pages, and readers of the changes log entries.
func DefersDeletions(key []byte) bool {
	return len(key) > 0 && (key[0] == KindPage || key[0] == KindLog)
}

// IndexOfKey returns the index that an entry belongs to; ok is false for the entries of the
// database.
func IndexOfKey(key []byte) (index uint32, ok bool) {
	if len(key) < 5 || key[0] != KindManifest && key[0] != KindLog && key[0] != KindPage {
		return 0, false
	}
	return binary.BigEndian.Uint32(key[1:]), true
}

// String names the page for errors and logs.
func (r *Ref) String() string {
	if r.Piece > 0 {
		return fmt.Sprintf("page of field %d, row %d, piece %d, generation %d", r.Field, r.First, r.PieceKey(),
			r.Generation)
	}
	if KindOf(r.Field) == Hashes {
		return fmt.Sprintf("page of field %d, hashes from %016x, generation %d", r.Field, r.First, r.Generation)
	}
	return fmt.Sprintf("page of field %d, rows %d to %d, generation %d", r.Field, r.First, r.Last(), r.Generation)
}
