// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

//go:build linux

package rewrites

import (
	"encoding/binary"
	"errors"
	"os"
	"path/filepath"

	"github.com/dgraph-io/badger/v4"
	"github.com/dgraph-io/badger/v4/options"

	"github.com/uproar-db/uproar/store"
	"github.com/uproar-db/uproar/store/badgerstore"
)

// key returns the key of a page.
func key(number int) []byte { return binary.BigEndian.AppendUint64([]byte("page    "), uint64(number)) }

// bare is Badger with the settings that our store has, which reclaims nothing: in each turn it has
// a new folder.
type bare struct {
	dir string
	db  *badger.DB
	ts  uint64
}

func newBare(dir string) *bare { return &bare{dir: filepath.Join(dir, "badger")} }

func (*bare) name() string { return "Badger by itself, without collection" }

func (b *bare) begin() (err error) {
	o := badger.DefaultOptions(b.dir).WithLogger(nil).WithMetricsEnabled(false).WithDetectConflicts(
		false).WithSyncWrites(true).WithCompactL0OnClose(false).
		WithValueThreshold(1 << 10).WithValueLogFileSize(fileBytes).WithMemTableSize(4 << 20).WithNumLevelZeroTables(
		2).WithNumCompactors(2).
		WithCompression(options.None).WithBlockCacheSize(0)
	b.db, err = badger.OpenManaged(o)
	return err
}

func (b *bare) write(numbers []int, page func(int) []byte) error {
	b.ts++
	txn := b.db.NewTransactionAt(b.ts, true)
	defer txn.Discard()
	for i, n := range numbers {
		if err := txn.Set(key(n), page(i)); err != nil {
			return err
		}
	}
	return txn.CommitAt(b.ts, nil)
}

func (b *bare) end() error { return errors.Join(b.db.Close(), os.RemoveAll(b.dir)) }

func (*bare) close() error { return nil }

// ours is the store of databases, whose collection of garbage is a part of writing.
type ours struct {
	store *badgerstore.Store
	batch store.Batch
}

func newOurs(dir string) (*ours, error) {
	s, err := badgerstore.Open(dir, nil)
	return &ours{store: s}, err
}

func (*ours) name() string { return "Uproar's store on Badger, collection included" }

// prepare writes each page once.
func (o *ours) prepare(d *draw) error {
	for from := 0; from < d.pages; from += len(d.numbers) {
		d.next()
		for i := range d.numbers {
			d.numbers[i] = (from + i) % d.pages
		}
		if err := o.write(d.numbers, d.page); err != nil {
			return err
		}
	}
	return nil
}

func (*ours) begin() error { return nil }

func (o *ours) write(numbers []int, page func(int) []byte) error {
	o.batch.Reset()
	for i, n := range numbers {
		o.batch.Put(key(n), page(i))
	}
	return o.store.Apply(&o.batch, true)
}

func (*ours) end() error { return nil }

func (o *ours) close() error { return o.store.Close() }
