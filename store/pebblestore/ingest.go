// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package pebblestore

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"path/filepath"

	"github.com/cockroachdb/pebble/v2/objstorage/objstorageprovider"
	"github.com/cockroachdb/pebble/v2/sstable"
	"github.com/cockroachdb/pebble/v2/vfs"

	"github.com/uproar-db/uproar/store"
	"github.com/uproar-db/uproar/store/pebblestore/internal/disk"
)

// tableBytes is how large a table of an ingestion becomes.
const tableBytes = 64 << 20

// ingestion writes entries to tables of their own, which the engine takes as they are.
type ingestion struct {
	s      *Store
	number uint64
	paths  []string        // the tables, the one being written included
	table  *sstable.Writer // nil: the next entry begins one
	size   int             // of its entries
	synced <-chan error    // tells how the table before has ended; nil: nothing is waited for
	last   []byte          // the key before; nil at the beginning
	one    store.Batch     // checks an entry
	ended  bool
}

// Ingest implements store.Ingester.
func (s *Store) Ingest() (store.Ingestion, error) {
	if err := s.line.Enter(true); err != nil {
		return nil, err
	}
	defer s.line.Leave()
	return &ingestion{s: s, number: s.ingestions.Add(1)}, nil
}

// Put implements store.Ingestion.
func (g *ingestion) Put(key, value []byte) (err error) {
	if err := g.s.line.Enter(true); err != nil {
		return err
	}
	defer g.s.line.Leave()
	g.one.Reset()
	g.one.Put(key, value)
	if err := g.one.Check(); err != nil {
		return err
	}
	if g.last != nil && bytes.Compare(key, g.last) <= 0 {
		return fmt.Errorf("%w: got %.64q behind %.64q", store.ErrUnsorted, key, g.last)
	}
	defer disk.Shield(new(bool), &err)
	if g.table == nil {
		err = g.begin()
	}
	if err == nil {
		g.last = append(g.last[:0], key...)
		g.size += len(key) + len(value)
		err = g.table.Set(key, value)
	}
	if err == nil && g.size >= tableBytes {
		err = g.finish()
	}
	if err != nil {
		return g.s.writeError("a table cannot be written", err)
	}
	return nil
}

// begin begins a table.
func (g *ingestion) begin() error {
	if err := g.s.canWrite(tableBytes); err != nil {
		return err
	}
	path := filepath.Join(g.s.dir, fmt.Sprintf("%s%d-%d.sst", disk.IngestPrefix, g.number, len(g.paths)))
	f, err := g.s.disk.Create(path, vfs.WriteCategoryUnspecified)
	if err != nil {
		return err
	}
	g.paths, g.size = append(g.paths, path), 0
	settings := g.s.settings(true)
	// The disk writes while entries are gathered.
	f = vfs.NewSyncingFile(f, vfs.SyncingFileOptions{BytesPerSync: settings.BytesPerSync})
	g.table = sstable.NewWriter(objstorageprovider.NewFileWritable(f),
		settings.MakeWriterOptions(len(settings.Levels)-1, g.s.db.TableFormat()))
	return nil
}

// finish ends the table, which is synced while the next one is made, and returns the error of the
// one before.
func (g *ingestion) finish() error {
	before := g.synced
	if g.synced = nil; g.table != nil {
		g.synced, g.table = disk.Start(g.table.Close), nil
	}
	if before == nil {
		return nil
	}
	return <-before
}

// Commit implements store.Ingestion.
func (g *ingestion) Commit() error {
	s := g.s
	if err := s.line.Enter(true); err != nil {
		return err
	}
	defer s.line.Leave()
	taken := s.start(func() error {
		if err := errors.Join(g.finish(), g.finish()); err != nil || len(g.paths) == 0 {
			return err
		}
		return s.db.Ingest(context.Background(), g.paths)
	})
	select {
	case err := <-taken:
		if err != nil {
			return s.writeError("tables cannot be taken", err)
		}
		g.ended = true
		return nil
	case <-s.line.Broken():
		g.ended = true // the engine may still use the files
		return s.line.Failure()
	}
}

// Abort implements store.Ingestion.
func (g *ingestion) Abort() {
	if !g.ended && g.s.line.Enter(true) == nil { // else opening removes the tables
		defer g.s.line.Leave()
		_ = errors.Join(g.finish(), g.finish())
		for _, path := range g.paths {
			_ = g.s.disk.Remove(path)
		}
	}
	g.ended = true
}
