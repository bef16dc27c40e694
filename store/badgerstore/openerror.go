// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package badgerstore

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"slices"
	"strings"
	"syscall"

	"github.com/dgraph-io/badger/v4"
	"github.com/uproar-db/uproar/store"
)

// openError says what to do about the engine's error. Badger wraps its errors as text only.
func openError(dir string, readOnly bool, err error) error {
	switch text := err.Error(); {
	case errors.Is(err, store.ErrLocked), strings.Contains(text, "Cannot acquire directory lock"):
		return fmt.Errorf("badgerstore: open %s: %w. Try: end the program that has it open, or choose another folder",
			dir, store.ErrLocked)
	case isForbidden(err) && readOnly:
		return fmt.Errorf("badgerstore: open %s for reading: %w. Try: another user", dir, err)
	case isForbidden(err):
		return fmt.Errorf("badgerstore: open %s for writing: %w. Try: another user, or open it for reading only", dir,
			err)
	case isFull(err), tooMany(err):
		return fmt.Errorf("badgerstore: open %s: %w", dir, makeRoom(err))
	case errors.Is(err, errNumbers):
		return fmt.Errorf("badgerstore: open %s for writing: %w. Try: look after the disk, and open the store again",
			dir, err)
	case readOnly && (strings.Contains(text, badger.ErrTruncateNeeded.Error()) ||
		strings.Contains(text, "Create a new file") || strings.Contains(text, "error while truncation")):
		return fmt.Errorf(
			"badgerstore: open %s for reading only: the store was not closed properly. Try: open it for writing "+
				"once: %w", dir, err)
	case strings.Contains(text, "CHECKSUM_MISMATCH"), strings.Contains(text, "checksum mismatch"),
		strings.Contains(text, "manifest has"),
		strings.Contains(text, "file does not exist for table"):
		return fmt.Errorf("badgerstore: open %s: %w: %w", dir, store.ErrCorrupt, err)
	case isRegistryDamaged(text):
		return fmt.Errorf("badgerstore: open %s: %w: %s: %w", dir, store.ErrCorrupt, badger.KeyRegistryFileName, err)
	}
	return fmt.Errorf("badgerstore: open %s: %w", dir, err)
}

// isFull reports whether a file could not be made, or made larger, for lack of room. Not all of
// Badger's errors can be unwrapped.
func isFull(err error) bool {
	return slices.ContainsFunc([]error{syscall.ENOSPC, syscall.EDQUOT, syscall.EFBIG}, func(full error) bool {
		return errors.Is(err, full) || strings.Contains(err.Error(), full.Error())
	})
}

// tooMany reports whether the process, or the system, has as many files open as it may have.
func tooMany(err error) bool {
	return errors.Is(err, syscall.EMFILE) || errors.Is(err, syscall.ENFILE)
}

// isRegistryDamaged reports whether the key registry is cut short or has other bytes than Badger
// wrote. It would have keys, if anything were encrypted. A file that cannot be opened or read is
// not damaged.
func isRegistryDamaged(text string) bool {
	return strings.Contains(text, badger.ErrEncryptionKeyMismatch.Error()) ||
		strings.HasSuffix(text, io.EOF.Error()) && (strings.Contains(text, "key registry") ||
			strings.Contains(text, "sanity text"))
}

// isForbidden reports whether the system does not let this user do it, or let anybody write there.
func isForbidden(err error) bool {
	text := err.Error()
	return errors.Is(err, fs.ErrPermission) || errors.Is(err, syscall.EROFS) ||
		strings.Contains(text, syscall.EACCES.Error()) || strings.Contains(text, syscall.EROFS.Error())
}
