// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package badgerstore

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
)

// logFile matches the names of Badger's value logs and of the logs of its memtables.
var logFile = regexp.MustCompile(`^[0-9]+\.(vlog|mem)$`)

// repair removes log files without a byte, while no one else has the store open. Badger refuses to
// open them (its issue 2207). The newest file of the value log gets a header instead, without an
// entry.
//
// Badger has an empty log file in two moments, and a process that is killed then leaves it behind:
//
//   - It creates a file and only then gives it its size: nothing was written to it yet.
//   - It deletes a file by making it empty first. A memtable's is deleted when its table is
//     written, synced and noted in the manifest. A value log's is deleted when all that is alive in
//     it has been written elsewhere, and synced, because SyncWrites is on.
//
// A file that anything was synced to has a size that is synced too.
//
// But a disk may also lose what a file had. Then only the name of the newest value-log file keeps
// Badger from giving its number to another. Keys still point to where their values were, and
// Badger, which compares checksums and no keys, would answer with whatever stands there now.
func repair(dir string) error {
	entries, err := os.ReadDir(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	var empty []string
	for _, e := range entries {
		if !logFile.MatchString(e.Name()) {
			continue
		}
		info, err := e.Info()
		if errors.Is(err, fs.ErrNotExist) {
			continue // somebody is at work: the lock will tell
		}
		if err != nil {
			return err
		}
		if info.Mode().IsRegular() && info.Size() == 0 {
			empty = append(empty, filepath.Join(dir, e.Name()))
		}
	}
	if len(empty) == 0 {
		return nil
	}
	unlock, err := lock(dir, false)
	if err != nil {
		return err
	}
	defer unlock()
	newest, err := newestValueLog(dir)
	if err != nil {
		return err
	}
	for _, path := range empty {
		// Another user may have been at work until just now: look again.
		if info, err := os.Stat(path); err != nil || info.Size() != 0 {
			continue
		}
		if path == valueLogPath(dir, newest) {
			if err := addValueLog(dir, newest); err != nil {
				return fmt.Errorf("give the empty log file of an interrupted process a header: %w", err)
			}
			continue
		}
		if err := os.Remove(path); err != nil {
			return fmt.Errorf("remove the empty log file of an interrupted process: %w", err)
		}
	}
	return nil
}
