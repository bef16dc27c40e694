// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package badgerstore

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/dgraph-io/badger/v4"
	"github.com/dgraph-io/badger/v4/options"
	"github.com/dgraph-io/badger/v4/table"
	"github.com/uproar-db/uproar/store"
)

// checkBytes is how much of the tables is read before opening: a fraction of a second. Of the
// tables beyond it only the ends are looked at.
const checkBytes = 256 << 20

// checkLocked runs checkFiles and checkLogs, while no one else writes. Before writing it also runs
// dropDamagedDiscard and keepDamaged, and tells the log what they have done. Readers share the
// folder.
func checkLocked(dir string, readOnly bool, log *logger) error {
	if _, err := os.Stat(dir); errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	unlock, err := lock(dir, readOnly)
	if err != nil {
		return err
	}
	defer unlock()
	if err := errors.Join(checkFiles(dir), checkLogs(dir)); err != nil || readOnly {
		return err
	}
	given, damage, err := numberGiven(dir)
	if err != nil {
		return err
	}
	if damage != "" {
		log.Warningf("%s: it is not heeded", damage)
	}
	damage, err = dropDamagedDiscard(dir, given)
	if err != nil {
		return err
	}
	if damage != "" {
		log.Warningf("%s: it is removed, and what was replaced or deleted before may go on taking room", damage)
	}
	kept, err := keepDamaged(dir, given)
	if kept != "" && err == nil {
		log.Errorf(
			"%s is damaged and kept as it is: all but the damaged values can be read. Try: uproar verify, and a "+
				"backup restored elsewhere", kept)
	}
	return err
}

// checkLogs looks for damage in the headers of log files. A header begins with the number of the
// key that encrypts the file: none. Files of the value log must have names that Badger gives: it
// numbers on from the greatest.
func checkLogs(dir string) error {
	for _, suffix := range []string{".vlog", ".mem"} {
		paths, err := filesOf(dir, suffix)
		if err != nil {
			return err
		}
		for _, path := range paths {
			if n, ok := valueLogNumber(path); suffix == ".vlog" && (!ok || path != valueLogPath(dir, n)) {
				return fmt.Errorf("%w: %s: it has no name of a value-log file, want 000001.vlog to %06d.vlog",
					store.ErrCorrupt, path, maxValueLog)
			}
			key, err := logKey(path)
			if err != nil {
				return err
			}
			if key != 0 {
				return fmt.Errorf("%w: %s: its header names key %d for decryption, want none", store.ErrCorrupt, path,
					key)
			}
		}
	}
	return nil
}

// logKey returns the number of the key that a log file names, 0 of a file that is shorter.
func logKey(path string) (uint64, error) {
	f, err := os.Open(path)
	if err != nil {
		return 0, err
	}
	defer f.Close()
	var key [8]byte
	_, err = f.ReadAt(key[:], 0)
	if errors.Is(err, io.EOF) {
		return 0, nil
	}
	return binary.BigEndian.Uint64(key[:]), err
}

// checkFiles looks for damage in the tables that the manifest names. Badger opens them in
// goroutines, where damage ends the process. Tables that the manifest does not name were left
// behind by a killed process: Badger removes them.
func checkFiles(dir string) error {
	path := filepath.Join(dir, badger.ManifestFilename)
	f, err := os.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		// Badger would begin a new manifest and remove every table. It writes the manifest first,
		// so that no crash leaves tables without one.
		tables, err := filesOf(dir, ".sst")
		if err == nil && len(tables) > 0 {
			err = fmt.Errorf("%w: %s is missing, and there are %d tables", store.ErrCorrupt, path, len(tables))
		}
		return err
	}
	if err != nil {
		return err
	}
	defer f.Close()
	manifest, err := replayManifest(f)
	if err != nil {
		return err
	}
	budget := int64(checkBytes)
	for id, entry := range manifest.Tables {
		path := table.NewFilename(id, dir)
		size, err := checkEnd(path)
		if err == nil && size <= budget {
			budget -= size
			err = checkTable(path, id, table.Options{Compression: entry.Compression, BlockSize: 4 << 10})
		}
		if err != nil {
			return err
		}
	}
	return checkUnnamed(dir, manifest)
}

// checkUnnamed looks for tables that the manifest has lost. Badger takes the first damaged entry of
// the manifest for its end, as after a power cut, and removes the tables that it does not name. A
// table that a killed process was writing has nothing new: all is in named tables, or in the log of
// a memtable, which is there until the manifest names the table. A table that the process was about
// to remove is older than its replacements. So without any log, a table with a later number than
// all named ones, and with newer entries, was lost.
func checkUnnamed(dir string, manifest badger.Manifest) error {
	tables, err := filesOf(dir, ".sst")
	if err != nil || len(tables) <= len(manifest.Tables) {
		return err
	}
	if logs, err := filesOf(dir, ".mem"); err != nil || len(logs) > 0 {
		return err
	}
	newest, named := uint64(0), uint64(0) // versions
	last, lost := uint64(0), ""
	for id := range manifest.Tables {
		last = max(last, id)
	}
	for _, path := range tables {
		id, ok := table.ParseFileID(path)
		if !ok {
			continue
		}
		if entry, ok := manifest.Tables[id]; ok {
			version, err := newestVersion(path, id, entry.Compression)
			if err != nil {
				return err
			}
			named = max(named, version)
			continue
		}
		if id < last {
			continue
		}
		for _, c := range []options.CompressionType{options.None, options.Snappy, options.ZSTD} {
			if version, err := newestVersion(path, id, c); err == nil && version > newest {
				newest, lost = version, path // one that cannot be read was never finished
			}
		}
	}
	if newest > named {
		return fmt.Errorf("%w: %s: it does not name table %s, which has the newest entries", store.ErrCorrupt,
			filepath.Join(dir, badger.ManifestFilename), lost)
	}
	return nil
}

// newestVersion returns the greatest version of the entries of a table.
func newestVersion(path string, id uint64, c options.CompressionType) (version uint64, err error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return 0, err
	}
	t, err := openTable(data, id, table.Options{Compression: c, BlockSize: 4 << 10})
	if err != nil {
		return 0, fmt.Errorf("%w: table %s: %w", store.ErrCorrupt, path, err)
	}
	return t.MaxVersion(), nil
}

// openTable is Badger's, with a panic over damaged bytes made an error.
func openTable(data []byte, id uint64, opts table.Options) (t *table.Table, err error) {
	defer func() {
		if r := recover(); r != nil {
			err = errors.New("its checksums do not fit its bytes")
		}
	}()
	return table.OpenInMemoryTable(data, id, &opts)
}

// checkEnd compares the lengths at the end of a table with the size of the file, which it returns.
// A table ends with its index, the length of that, its checksum, and the length of that.
func checkEnd(path string) (size int64, err error) {
	f, err := os.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return 0, fmt.Errorf("%w: %s names a table that is missing: %w", store.ErrCorrupt,
			filepath.Join(filepath.Dir(path), badger.ManifestFilename), err)
	}
	if err != nil {
		return 0, err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return 0, err
	}
	left := info.Size()
	for _, what := range []string{"checksum", "index"} {
		var b [4]byte
		if left < int64(len(b)) {
			return 0, fmt.Errorf("%w: table %s: its end is missing: %d bytes before the length of its %s, want 4",
				store.ErrCorrupt, path, left, what)
		}
		left -= int64(len(b))
		if _, err := f.ReadAt(b[:], left); err != nil {
			return 0, fmt.Errorf("read table %s: %w", path, err)
		}
		n := int64(binary.BigEndian.Uint32(b[:]))
		if n == 0 || n > left {
			return 0, fmt.Errorf("%w: table %s: its %s has %d bytes, want 1 to %d", store.ErrCorrupt, path, what, n,
				left)
		}
		left -= n
	}
	return info.Size(), nil
}

// checkTable reads a table whose end is right. It has Badger verify the checksums of its index and
// its blocks.
func checkTable(path string, id uint64, opts table.Options) (err error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("%w: table %s: its checksums do not fit its bytes", store.ErrCorrupt, path)
		}
	}()
	t, err := table.OpenInMemoryTable(data, id, &opts)
	if err == nil {
		err = t.VerifyChecksum()
	}
	if err != nil {
		return fmt.Errorf("%w: table %s: %w", store.ErrCorrupt, path, err)
	}
	return nil
}
