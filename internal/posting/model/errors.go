// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package model

import (
	"errors"
	"fmt"

	"github.com/uproar-db/uproar/internal/sentinel"
	"github.com/uproar-db/uproar/store"
)

// Errors of opening and reading.
var (
	// ErrCorrupt is what every error about bytes that are not as they were written matches, whether
	// the engine finds them or we do: it is [store.ErrCorrupt]. The text names the entry.
	ErrCorrupt = store.ErrCorrupt

	// ErrVersion is matched when an entry was written by a version of the format that this one does
	// not know.
	ErrVersion = errors.New("posting: unknown format version")

	// ErrSequenceTrimmed is matched when a follower of the log asks for entries that are no longer
	// kept; the *TrimmedError says which are.
	ErrSequenceTrimmed = sentinel.ErrTrimmed

	// ErrClosed is returned after Close.
	ErrClosed = sentinel.ErrClosed
)

// Errors of writing; nothing has changed.
var (
	// ErrTooLarge is matched when a batch is larger than one log entry may be.
	ErrTooLarge = sentinel.ErrTooLarge

	// ErrInvalid is matched when a batch names something that cannot be: a key that is too long, an
	// ID that was never given.
	ErrInvalid = errors.New("posting: invalid")

	// ErrDeleted is matched when a batch names, by its ID, a record that was deleted.
	ErrDeleted = errors.New("posting: deleted")

	// ErrMemory is matched when a load or query needs more memory than the bound leaves it; the
	// *memory.Error says how much.
	ErrMemory = sentinel.ErrMemory

	// ErrLoading is returned when a second bulk load begins beside the first.
	ErrLoading = sentinel.ErrLoading

	// ErrReadOnly is returned by every write to an index that was opened for reading only.
	ErrReadOnly = store.ErrReadOnly

	// ErrFailed is matched by every write after one that the store failed: what reached the disk is
	// unknown until the index is opened again. Reading goes on.
	ErrFailed = sentinel.ErrFailed
)

// Corrupt returns an error that matches ErrCorrupt and says where, and what was got and wanted.
func Corrupt(where, format string, args ...any) error {
	return fmt.Errorf("%w: %s: %s", ErrCorrupt, where, fmt.Sprintf(format, args...))
}
