// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package badgerstore

import (
	"os"

	"github.com/dgraph-io/badger/v4"
)

// Badger replays the log of a memtable into a memtable of the present size, and ends the process
// when it does not fit: the log may be of one that was opened with a larger size
// (Options.SmallEntries, Options.MemTable), and killed. A log in use is a file of twice the size of
// its memtable. When there is one that is not, the store is opened with memtables that hold any
// log, and closed, which makes tables of them.

// replayFactor is how much more room an entry takes in a memtable than in its log, at most: the
// smallest take 18 bytes there and on average 40 here.
const replayFactor = 3

// maxReplay keeps the memory for it addressable.
const maxReplay = 1 << 30

// unlikely returns the size of the largest log that memtables of some size do not have. It returns
// 0 if there is none.
func unlikely(dir string, memTable int64) int64 {
	largest := int64(0)
	logs, _ := filesOf(dir, ".mem") // the engine will say why a folder cannot be read
	for _, name := range logs {
		if info, err := os.Stat(name); err == nil && info.Size() != 2*memTable {
			largest = max(largest, info.Size())
		}
	}
	return largest
}

// openReplayed opens the engine, after it has replayed what would not fit otherwise.
func openReplayed(o badger.Options) (*badger.DB, error) {
	if size := unlikely(o.Dir, o.MemTableSize); size > 0 {
		large := o
		large.MemTableSize = min(maxReplay, max(o.MemTableSize, replayFactor*size))
		db, err := openEngine(large)
		if err != nil || o.ReadOnly { // then nothing is written that the size would matter for
			return db, err
		}
		if err := db.Close(); err != nil {
			return nil, err
		}
	}
	return openEngine(o)
}
