// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package badgerstore

import (
	"errors"
	"fmt"
	"os"
	"syscall"
	"time"

	"github.com/dgraph-io/badger/v4"
	"github.com/uproar-db/uproar/internal/descriptor"
	"github.com/uproar-db/uproar/store"
)

// Badger 4.9.6 does not get over a file that it cannot make. A merge goes on without the table that
// it was to become, with no word about it, and deletes the tables that had its keys; a memtable
// whose log cannot be made leaves none behind, and the next read panics. Files cannot be made where
// the process, or the system, has as many open as it may have: a server with many connections is
// enough. Nor can they where the disk has as many as it may have (inodes), with room for bytes. So
// nothing is written, and nothing merged by housekeeping, unless as many files can be opened as
// Badger may make until somebody looks again.

// descriptorsEvery is how often commits look. A look costs little beside a small commit.
const descriptorsEvery = 10 * time.Millisecond

// otherFiles is how many files Badger may make at a time beside the tables of one merge: logs, and
// tables of the second merger, which begins with a single table of a level.
const otherFiles = 64

// openingFiles is how many files are looked into at a time before an engine opens them.
const openingFiles = 8

// spareFiles returns how many files an engine may make at a time: when as many tables wait at level
// 0 as may, they are merged with the whole of the level below.
func spareFiles(o badger.Options) int {
	return int(mergedBytes(o)/o.BaseTableSize) + otherFiles
}

// mergedBytes returns the size of what the largest merge of an engine writes, about.
func mergedBytes(o badger.Options) int64 {
	return int64(o.NumLevelZeroTablesStall)*o.MemTableSize + o.BaseLevelSize
}

// check fails while too few files can be opened.
func (d *descriptors) check(s *Store) error {
	now := time.Now()
	if now.Before(d.next) {
		return nil
	}
	if err := s.checkDescriptors(); err != nil {
		return err
	}
	d.next = now.Add(descriptorsEvery)
	return nil
}

// checkDescriptors fails while too few files can be made, or opened, for writing.
func (s *Store) checkDescriptors() error {
	if err := s.canWrite(); err != nil {
		return fmt.Errorf("badgerstore: write to %s: %w", s.dir, err)
	}
	return nil
}

// canWrite is checkDescriptors without the words before.
func (s *Store) canWrite() error {
	files := spareFiles(s.db.Opts())
	if err := canMake(s.dir, files, s.inodes); err != nil {
		return err
	}
	return canOpen(s.dir, files)
}

// checkDescriptorsToOpen fails when too few files can be opened for a folder, or too few can be
// made. It counts all files that are there and those made at opening.
func checkDescriptorsToOpen(o badger.Options, inodes func(dir string) int64) error {
	files := openingFiles
	if !o.ReadOnly {
		files = spareFiles(o)
		if err := canMake(o.Dir, files, inodes); err != nil {
			return err
		}
	}
	for _, suffix := range [...]string{".sst", ".vlog", ".mem"} {
		found, err := filesOf(o.Dir, suffix)
		if err != nil {
			return err
		}
		files += len(found)
	}
	return canOpen(o.Dir, files)
}

// canMake fails unless that many files can be made at this moment.
func canMake(dir string, files int, inodes func(dir string) int64) error {
	if free := inodes(dir); free < int64(files) {
		return fmt.Errorf("%w: %d more files can be made there, want %d. Try: remove files on that disk", store.ErrFull,
			free, files)
	}
	return nil
}

// canOpen fails unless this process can open that many files at this moment. The system must be
// able to open one more: it has a limit for all processes.
func canOpen(dir string, files int) error {
	n, err := descriptor.Free(files)
	switch {
	case err != nil:
		return fmt.Errorf("looking whether files can be opened: %w", err)
	case n < files:
		return &tooManyOpen{n, files}
	}
	f, err := os.Open(dir)
	if errors.Is(err, syscall.ENFILE) {
		return fmt.Errorf("%w: %w. Try: a higher limit of all open files (fs.file-max)", store.ErrFull, err)
	} else if err != nil {
		return fmt.Errorf("looking whether files can be opened: %w", err)
	}
	return f.Close()
}

// tooManyOpen is the error of who wants to open more files than can be. It is both store.ErrFull,
// because it may be tried again, and syscall.EMFILE.
type tooManyOpen struct{ got, want int }

func (e *tooManyOpen) Error() string {
	return fmt.Sprintf(
		"too many open files: got room for %d more, want %d. Try: a higher limit of open files (ulimit -n)", e.got,
		e.want)
}

func (e *tooManyOpen) Unwrap() []error { return []error{store.ErrFull, syscall.EMFILE} }
