// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package inspect

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"time"

	"github.com/cockroachdb/pebble/v2"
	"github.com/cockroachdb/pebble/v2/sstable"

	"github.com/uproar-db/uproar/store"
	"github.com/uproar-db/uproar/store/pebblestore/internal/disk"
)

// Verify reads the mark, the log up to the last commit, the manifest, and every block of every
// table that has the latest state of an engine. Errors: store.ErrCorrupt with each file that is
// damaged; else those of the file system and of ctx.
func (f *Files) Verify(ctx context.Context, db *pebble.DB) error {
	problems := errors.Join(f.checkMark(), again(f.CheckLog), again(f.CheckManifest))
	tables, err := tablesOf(db)
	if err != nil {
		return err
	}
	for name := range tables {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		err := f.verifyTable(ctx, name)
		if errors.Is(err, fs.ErrNotExist) {
			var now map[string]bool
			if now, err = tablesOf(db); err == nil && now[name] { // else it was merged since
				err = fmt.Errorf("%w: it is missing", store.ErrCorrupt)
			}
		}
		if err != nil {
			problems = errors.Join(problems, fmt.Errorf("table %s: %w", name, disk.Error(err)))
		}
	}
	return problems
}

// again calls check until it returns nil, three times at most: what is read may be about to be
// written, and a log that is read may become one of a greater number.
func again(check func() error) (err error) {
	for range 3 {
		if err = check(); err == nil {
			return nil
		}
		time.Sleep(disk.RoomPause)
	}
	return err
}

func (f *Files) checkMark() error {
	return again(func() error {
		if _, whole := readMark(f.Mark); !whole {
			return fmt.Errorf("%w: %s: the mark of the last commit is damaged", store.ErrCorrupt,
				filepath.Base(f.Mark.Name()))
		}
		return nil
	})
}

// tablesOf returns the names of the tables that have the latest state of an engine.
func tablesOf(db *pebble.DB) (map[string]bool, error) {
	levels, err := db.SSTables()
	if err != nil {
		return nil, fmt.Errorf("pebblestore: tables: %w", disk.Error(err))
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
func (f *Files) openTable(ctx context.Context, name string) (*sstable.Reader, error) {
	file, err := f.FS.Open(f.path(name))
	if err != nil {
		return nil, err
	}
	if err := disk.CheckFooter(file); err != nil {
		return nil, errors.Join(err, file.Close())
	}
	readable, err := sstable.NewSimpleReadable(file)
	if err != nil {
		return nil, errors.Join(err, file.Close())
	}
	table, err := sstable.NewReader(ctx, readable, f.Read)
	if err != nil {
		return nil, errors.Join(err, readable.Close())
	}
	return table, nil
}

// verifyTable reads the blocks of a table and compares their checksums.
func (f *Files) verifyTable(ctx context.Context, name string) error {
	table, err := f.openTable(ctx, name)
	if err != nil {
		return err
	}
	return errors.Join(table.ValidateBlockChecksums(), table.Close())
}
