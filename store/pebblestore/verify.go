// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package pebblestore

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path/filepath"
	"strings"
	"time"

	"github.com/cockroachdb/pebble/v2/record"
	"github.com/cockroachdb/pebble/v2/sstable"

	"github.com/uproar-db/uproar/store"
)

// Verify implements store.Verifier: it reads the mark, the log up to the last commit, the manifest,
// and every block of every table.
func (s *Store) Verify(ctx context.Context) (err error) {
	if err := s.line.Enter(false); err != nil {
		return err
	}
	defer s.line.Leave()
	defer shield(new(bool), &err)
	problems := errors.Join(s.checkMark(), s.checkLog(), s.checkManifest())
	tables, err := s.tables()
	if err != nil {
		return err
	}
	for name := range tables {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		err := s.verifyTable(ctx, name)
		if errors.Is(err, fs.ErrNotExist) {
			var now map[string]bool
			if now, err = s.tables(); err == nil && now[name] { // else it was merged since
				err = fmt.Errorf("%w: it is missing", store.ErrCorrupt)
			}
		}
		if err != nil {
			problems = errors.Join(problems, fmt.Errorf("table %s: %w", name, engineError(err)))
		}
	}
	return problems
}

// again calls check until it returns nil, three times at most: what is read may be about to be
// written.
func again(check func() error) (err error) {
	for range 3 {
		if err = check(); err == nil {
			return nil
		}
		time.Sleep(roomPause)
	}
	return err
}

func (s *Store) checkMark() error {
	return again(func() error {
		if _, _, whole := s.readMark(); !whole {
			return fmt.Errorf("%w: %s: the mark of the last commit is damaged", store.ErrCorrupt, FileName)
		}
		return nil
	})
}

// checkManifest reads the records of the newest manifest, as opening does.
func (s *Store) checkManifest() error {
	return again(func() error {
		names, err := s.disk.FS.List(s.dir)
		if err != nil {
			return err
		}
		newest := ""
		for _, name := range names {
			if strings.HasPrefix(name, "MANIFEST-") && cmp.Or(len(name)-len(newest), cmp.Compare(name, newest)) > 0 {
				newest = name
			}
		}
		f, err := s.disk.FS.Open(filepath.Join(s.dir, newest))
		if err != nil {
			return err
		}
		defer f.Close()
		info, err := f.Stat()
		if err != nil {
			return err
		}
		records, whole := newReader(record.NewReader, f, 0), int64(0)
		for err == nil {
			var r io.Reader
			if r, err = records.Next(); err == nil {
				_, err = io.Copy(io.Discard, r)
			}
			if err == nil {
				whole = records.Offset()
			}
		}
		if whole < info.Size() {
			return fmt.Errorf("%w: %s is damaged behind byte %d of %d", store.ErrCorrupt, newest, whole, info.Size())
		}
		return nil
	})
}

// tables returns the names of the tables that have the latest state.
func (s *Store) tables() (map[string]bool, error) {
	levels, err := s.db.SSTables()
	if err != nil {
		return nil, fmt.Errorf("pebblestore: tables of %s: %w", s.dir, engineError(err))
	}
	names := map[string]bool{}
	for _, level := range levels {
		for _, table := range level {
			names[fmt.Sprintf("%06d.sst", uint64(table.BackingSSTNum))] = true
		}
	}
	return names, nil
}

// openTable opens a table past the engine.
func (s *Store) openTable(ctx context.Context, name string) (*sstable.Reader, error) {
	f, err := s.disk.FS.Open(filepath.Join(s.dir, name))
	if err != nil {
		return nil, err
	}
	readable, err := sstable.NewSimpleReadable(f)
	if err != nil {
		return nil, errors.Join(err, f.Close())
	}
	settings := s.settings(true)
	settings.EnsureDefaults()
	table, err := sstable.NewReader(ctx, readable, settings.MakeReaderOptions())
	if err != nil {
		return nil, errors.Join(err, readable.Close())
	}
	return table, nil
}

// verifyTable reads the blocks of a table and compares their checksums.
func (s *Store) verifyTable(ctx context.Context, name string) error {
	table, err := s.openTable(ctx, name)
	if err != nil {
		return err
	}
	return errors.Join(table.ValidateBlockChecksums(), table.Close())
}
