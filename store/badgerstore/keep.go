// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package badgerstore

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/dgraph-io/badger/v4"
	"github.com/dgraph-io/badger/v4/table"

	"github.com/uproar-db/uproar/store"
)

// keepDamaged keeps Badger from cutting off the end of the newest value-log file if there are values in it that a key points to, which is so when a byte before them has changed: it cuts no file but the newest, so that an empty
// one is made the newest. Then only what is damaged cannot be read. It returns the path of the file, "" if there is no such damage.
//
// What a power cut or a kill leaves of a batch that was being written is cut off: the log of the memtable, and so the tables, point to values only when they are synced.
func keepDamaged(dir string) (path string, err error) {
	newest, err := newestValueLog(dir)
	if err != nil || newest == 0 {
		return "", err
	}
	path = valueLogPath(dir, newest)
	end, whole, err := scanLog(path, nil)
	if err != nil || whole {
		return "", err
	}
	switch referred, err := isReferred(dir, newest, end); {
	case err != nil:
		return "", err
	case !referred:
		return "", os.Truncate(path, end) // as Badger would, unless it stumbles over what is there
	}
	return path, addValueLog(dir, newest+1)
}

// newestValueLog returns the greatest number of a file of the value log, 0 if there is none.
func newestValueLog(dir string) (newest uint32, err error) {
	paths, err := filesOf(dir, ".vlog")
	for _, path := range paths {
		n, err := strconv.ParseUint(strings.TrimSuffix(filepath.Base(path), ".vlog"), 10, 32)
		if err == nil {
			newest = max(newest, uint32(n))
		}
	}
	return newest, err
}

// isReferred reports whether a key points to a value in a file of the value log from an offset on: in a table or in the log of a memtable. All are read, which takes a fraction of a second for a hundred megabytes.
func isReferred(dir string, file uint32, offset int64) (referred bool, err error) {
	logs, err := filesOf(dir, ".mem")
	if err != nil {
		return false, err
	}
	for _, path := range logs {
		if _, _, err := scanLog(path, func(e logEntry) { referred = referred || pointsBehind(e.meta, e.value, file, offset) }); err != nil || referred {
			return referred, err
		}
	}
	f, err := os.Open(filepath.Join(dir, badger.ManifestFilename))
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	defer f.Close()
	manifest, _, err := badger.ReplayManifestFile(f, 0, badger.DefaultOptions(dir).WithLogger(nil))
	if err != nil {
		return false, fmt.Errorf("%w: %s: %w", store.ErrCorrupt, f.Name(), err)
	}
	for id, entry := range manifest.Tables {
		referred, err := tablePoints(table.NewFilename(id, dir), id, table.Options{Compression: entry.Compression, BlockSize: 4 << 10}, file, offset)
		if err != nil || referred {
			return referred, err
		}
	}
	return false, nil
}

// tablePoints is isReferred for one table.
func tablePoints(path string, id uint64, opts table.Options, file uint32, offset int64) (points bool, err error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return false, err
	}
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("%w: table %s: its checksums do not fit its bytes", store.ErrCorrupt, path)
		}
	}()
	t, err := table.OpenInMemoryTable(data, id, &opts)
	if err != nil {
		return false, fmt.Errorf("%w: table %s: %w", store.ErrCorrupt, path, err)
	}
	it := t.NewIterator(0)
	defer it.Close()
	for it.Rewind(); it.Valid(); it.Next() {
		if v := it.Value(); pointsBehind(v.Meta, v.Value, file, offset) {
			return true, nil
		}
	}
	return false, nil
}

// addValueLog adds a file of the value log that has no entry, whole or not at all. Badger removes it when there is a newer one.
func addValueLog(dir string, file uint32) error {
	path := valueLogPath(dir, file)
	unfinished := path + ".new"
	f, err := os.Create(unfinished)
	if err != nil {
		return err
	}
	_, err = f.Write(make([]byte, logHeader)) // nothing is encrypted, so that the random bytes are not used
	err = errors.Join(err, f.Sync(), f.Close())
	if err == nil {
		err = os.Rename(unfinished, path)
	}
	if err != nil {
		return errors.Join(err, os.Remove(unfinished))
	}
	return nil // a power cut may undo it, before Badger has synced the folder for the file that it adds itself: then it is done again
}

// checkWhole looks for damage in the file that Badger would rewrite if ratio of it is garbage: it would copy what is alive before the damage, and delete the file with all that is behind.
func (s *Store) checkWhole(ratio float64) error {
	for last := uint32(0); ; {
		most := mostGarbage(s.dir)
		if most.file == last || float64(most.bytes) < ratio*float64(most.size) {
			return nil
		}
		if newest, err := newestValueLog(s.dir); err != nil || most.file >= newest { // it is being written, and not rewritten
			return err
		}
		path := valueLogPath(s.dir, most.file)
		end, whole, err := scanLog(path, nil)
		switch {
		case errors.Is(err, fs.ErrNotExist): // rewritten already
		case err != nil:
			return err
		case !whole:
			return fmt.Errorf("badgerstore: %w: %s has no valid entry at byte %d, and bytes behind that: it is not rewritten, and no other file, so that room is not reclaimed. Try: uproar verify, and a backup restored elsewhere", store.ErrCorrupt, path, end)
		}
		last = most.file // what Badger knows may have changed meanwhile
	}
}
