// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package badgerstore

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/dgraph-io/badger/v4"
	"github.com/dgraph-io/badger/v4/table"

	"github.com/uproar-db/uproar/store"
)

// keepDamaged keeps Badger from cutting off the end of the newest value-log file when keys point to
// it. That happens when a byte before their values has changed. Badger cuts no file but the newest,
// so keepDamaged adds an empty one as the newest. Then only what is damaged cannot be read. It
// returns the path of the damaged file, "" if there is no such damage.
//
// What a power cut or a kill leaves of a batch that was being written is cut off: the log of the
// memtable, and so the tables, point to values only when they are synced.
//
// An empty file is also added if numbers of files up to given may have been given out, and no file
// has a number so great.
func keepDamaged(dir string, given uint32) (path string, err error) {
	newest, err := newestValueLog(dir)
	if err != nil {
		return "", err
	}
	if newest > 0 {
		path, err = keepNewest(dir, newest, given <= newest)
	}
	if path != "" {
		given = max(given, newest+1)
	}
	if err != nil || given <= newest {
		return path, err
	}
	return path, addValueLog(dir, given)
}

// keepNewest returns the path of the newest value-log file if its end must be kept. Otherwise it
// cuts off what is no entry. Where Badger is to do that, it leaves the zeros of room that was not
// written.
func keepNewest(dir string, newest uint32, byBadger bool) (kept string, err error) {
	path := valueLogPath(dir, newest)
	end, whole, err := scanLog(context.Background(), path, nil)
	if err != nil || whole && byBadger {
		return "", err
	}
	if !whole {
		if referred, err := isReferred(dir, newest, end); err != nil || referred {
			return path, err
		}
	}
	return "", cut(path, end) // as Badger would, unless it stumbles over what is there
}

// newestValueLog returns the greatest number of a file of the value log, 0 if there is none.
func newestValueLog(dir string) (newest uint32, err error) {
	paths, err := filesOf(dir, ".vlog")
	for _, path := range paths {
		n, _ := valueLogNumber(path)
		newest = max(newest, n)
	}
	return newest, err
}

// isReferred reports whether a key points to a value in a value-log file from an offset on. The key
// is in a table or in the log of a memtable. It reads all of them.
func isReferred(dir string, file uint32, offset int64) (referred bool, err error) {
	logs, err := filesOf(dir, ".mem")
	if err != nil {
		return false, err
	}
	for _, path := range logs {
		_, _, err := scanLog(context.Background(), path, func(meta byte, pointer []byte) {
			referred = referred || pointsBehind(meta, pointer, file, offset)
		})
		if err != nil || referred {
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
	manifest, err := replayManifest(f)
	if err != nil {
		return false, err
	}
	for id, entry := range manifest.Tables {
		if tablePoints(table.NewFilename(id, dir), id, table.Options{Compression: entry.Compression,
			BlockSize: 4 << 10}, file, offset) {
			return true, nil
		}
	}
	return false, nil
}

// tablePoints is isReferred for one table. One that cannot be read may: to keep a file does no
// harm.
func tablePoints(path string, id uint64, opts table.Options, file uint32, offset int64) (points bool) {
	data, err := os.ReadFile(path)
	if err != nil {
		return true
	}
	defer func() {
		if r := recover(); r != nil {
			points = true
		}
	}()
	t, err := table.OpenInMemoryTable(data, id, &opts)
	if err != nil || t.VerifyChecksum() != nil {
		return true
	}
	it := t.NewIterator(0)
	defer it.Close()
	for it.Rewind(); it.Valid(); it.Next() {
		if v := it.Value(); pointsBehind(v.Meta, v.Value, file, offset) {
			return true
		}
	}
	return false
}

// cut makes a file shorter, and durably so.
func cut(path string, size int64) error {
	f, err := os.OpenFile(path, os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	return errors.Join(f.Truncate(size), f.Sync(), f.Close())
}

// addValueLog adds a file of the value log that has no entry, whole or not at all. Badger removes
// it when there is a newer one.
func addValueLog(dir string, file uint32) error {
	// Nothing is encrypted, so that the random bytes are not used. A power cut may undo it: then it
	// is done again.
	return replaceFile(valueLogPath(dir, file), make([]byte, logHeader))
}

// replaceFile writes a file, whole or not at all. It is durable when the folder is synced.
func replaceFile(path string, data []byte) error {
	unfinished := path + ".new"
	_ = os.Remove(unfinished) // of a process that was killed, which may have been another user's
	f, err := os.Create(unfinished)
	if err != nil {
		return err
	}
	_, err = f.Write(data)
	err = errors.Join(err, f.Sync(), f.Close())
	if err == nil {
		err = os.Rename(unfinished, path)
	}
	if err != nil {
		return errors.Join(err, os.Remove(unfinished))
	}
	return nil
}

// checkWhole looks for damage in a file that Badger is about to rewrite: it would copy what is
// alive before the damage, and delete the file with all that is behind. Errors: store.ErrCorrupt,
// ctx's, or the file system's.
func checkWhole(ctx context.Context, dir string, file uint32) error {
	path := valueLogPath(dir, file)
	end, whole, err := scanLog(ctx, path, nil)
	if err == nil && !whole {
		err = fmt.Errorf(
			"%w: %s has no valid entry at byte %d, and bytes behind that: it is not rewritten, nor is any file with "+
				"less garbage. "+
				"Try: uproar verify, which finds nothing if it was a replaced value, and a backup restored elsewhere",
			store.ErrCorrupt, path, end)
	}
	return err
}
