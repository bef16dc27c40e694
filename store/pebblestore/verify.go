// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package pebblestore

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/cockroachdb/pebble/v2/sstable"

	"github.com/uproar-db/uproar/store"
)

// Verify implements store.Verifier: it reads the log up to the last commit, and every block of
// every table. Opening has read the manifest.
func (s *Store) Verify(ctx context.Context) (err error) {
	if err := s.enter(false); err != nil {
		return err
	}
	defer s.gate.RUnlock()
	defer shield(new(bool), &err)
	var problems error
	if log, sequence := s.readMark(); log > 0 {
		entries, err := os.ReadDir(s.dir)
		if err != nil {
			return err
		}
		newest := uint64(0)
		for _, e := range entries {
			newest = max(newest, logNumber(e.Name()))
		}
		problems = s.checkLog(log, sequence, newest)
	}
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

// verifyTable reads the blocks of a table and compares their checksums.
func (s *Store) verifyTable(ctx context.Context, name string) error {
	f, err := s.disk.FS.Open(filepath.Join(s.dir, name))
	if err != nil {
		return err
	}
	readable, err := sstable.NewSimpleReadable(f)
	if err != nil {
		return errors.Join(err, f.Close())
	}
	settings := s.settings(true)
	settings.EnsureDefaults()
	table, err := sstable.NewReader(ctx, readable, settings.MakeReaderOptions())
	if err != nil {
		return errors.Join(err, readable.Close())
	}
	return errors.Join(table.ValidateBlockChecksums(), table.Close())
}
