// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package badgerstore

import (
	"bytes"
	"context"
	"encoding/binary"
	"time"

	"github.com/uproar-db/uproar/store"
)

// A memtable is pushed out by filling it: Badger has no call for that. The filler is deletions of
// keys that nobody stored: longer than a caller's key can be, so that they take much room in the
// memtable; nearly equal, so that they take little in the table that it becomes; and gone after the
// next merge. The first sorts before every key and the last behind, so that the table overlaps all
// others and the merge leaves none of them as it is: what Badger could not discard when it
// compacted by itself is discarded then.
const (
	fillerKey    = 1000
	fillerPerTxn = maxWeight / (fillerKey + 2*opWeight)
)

// A filler key must be longer than a stored key: a compile-time check.
const _ = uint(fillerKey - (1 + store.MaxKey) - 1)

// filler returns the keys of the i-th transaction of filler.
func filler(i int) [][]byte {
	keys := make([][]byte, fillerPerTxn)
	for j := range keys {
		key := bytes.Repeat([]byte{escape}, fillerKey)
		binary.BigEndian.PutUint32(key[fillerKey-4:], uint32(i*fillerPerTxn+j))
		keys[j] = key
	}
	keys[0] = bytes.Repeat([]byte{0x00}, fillerKey)
	keys[len(keys)-1] = bytes.Repeat([]byte{0xff}, fillerKey)
	return keys
}

// pushMemtable makes Badger write its memtable to a table of level 0, and waits for it. It returns
// the timestamp of the last filler.
func (h *housekeeping) pushMemtable(ctx context.Context) (uint64, error) {
	s := h.s
	var first, last uint64 // of filler: a table that has the first was pushed
	for i := 0; first == 0 || s.newestTable() < first; i++ {
		if err := ctx.Err(); err != nil {
			return 0, err
		}
		if i > int(2*s.db.Opts().MemTableSize/maxWeight) {
			time.Sleep(time.Millisecond) // filled twice over: Badger is writing it
			continue
		}
		c := &commit{filler: filler(i), weight: maxWeight, done: make(chan error, 1)}
		if err := s.writes.run(c); err != nil {
			return 0, err
		}
		if last = s.committed.Load(); first == 0 {
			first = last
		}
	}
	return last, nil
}

// newestTable returns the newest timestamp in the tables of the tree.
func (s *Store) newestTable() uint64 {
	newest := uint64(0)
	for _, t := range s.db.Tables() {
		newest = max(newest, t.MaxVersion)
	}
	return newest
}

// tooFewTables reports whether all tables are at level 0, and so few that Flatten would leave them
// there: a store that is new, or empty again.
func (s *Store) tooFewTables() bool {
	for _, level := range s.db.Levels() {
		if level.Level > 0 && level.NumTables > 0 || level.Level == 0 &&
			level.NumTables > s.db.Opts().NumLevelZeroTables {
			return false
		}
	}
	return true
}
