// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package groupcommit

import (
	"errors"
	"fmt"
	"os"
	"strings"
	"syscall"
	"time"

	"github.com/uproar-db/uproar/store"
)

// Look fails when an open file of the store is not at its path any more: what is written would be
// found by nobody. It looks ten times a second, however often it is called.
func (l *Line[B]) Look(files map[string]*os.File) error {
	now := time.Now().UnixNano()
	if now-l.looked.Load() < int64(lookEvery) {
		return nil
	}
	for path, f := range files {
		if err := Moved(f, path); err != nil {
			_ = l.Fail(err)
			return l.Failure()
		}
	}
	l.looked.Store(now)
	return nil
}

// ErrMoved says that the files of a store are not where they were.
var ErrMoved = errors.New("the folder or its file was moved or deleted, or is forbidden")

// Acknowledged says where all is that was acknowledged by a store which was closed with an error.
func Acknowledged(err error) string {
	switch {
	case errors.Is(err, ErrMoved):
		return "what was acknowledged is in the folder that was here, and lost if that was deleted"
	case errors.Is(err, store.ErrCorrupt):
		return "what was acknowledged is on the disk only as far as its files are whole"
	}
	return "what was acknowledged is on the disk"
}

// Moved returns why an open file cannot be reached by a path any more; nil: it can.
func Moved(f *os.File, path string) error {
	same, err := IsAt(f, path)
	if err == nil && !same {
		err = errors.New("another file has its name")
	}
	if err != nil {
		err = fmt.Errorf("%w: %w", ErrMoved, err)
	}
	return err
}

// IsAt reports whether an open file is the one at path.
func IsAt(f *os.File, path string) (bool, error) {
	open, err := f.Stat()
	if err != nil {
		return false, err
	}
	there, err := os.Stat(path)
	return err == nil && os.SameFile(open, there), err
}

// lacks are the errors of a disk without room, and of too many open files.
var lacks = [...]error{syscall.ENOSPC, syscall.EDQUOT, syscall.EFBIG, syscall.ENFILE, syscall.EMFILE}

// lack returns what an error is for lack of; nil: of nothing. Not all errors of engines can be
// unwrapped.
func lack(err error) error {
	for _, full := range lacks { // the text of EMFILE begins that of ENFILE
		if errors.Is(err, full) || strings.Contains(err.Error(), full.Error()) {
			return full
		}
	}
	return nil
}

// IsFull reports whether an error is for lack of room on the disk, or of numbers of open files.
func IsFull(err error) bool { return lack(err) != nil }

// Full returns an error that IsFull as one of store.ErrFull and of what is lacking, and says what
// to try.
func Full(err error) error {
	full, try := lack(err), "make room on that disk"
	if full == syscall.EMFILE || full == syscall.ENFILE {
		try = "a higher limit of open files (ulimit -n)"
	}
	return fmt.Errorf("%w (%w): %w. Try: %s", store.ErrFull, full, err, try)
}
