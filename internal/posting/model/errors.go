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
	// ErrCorrupt matches every error about bytes that changed since they were written. It is
	// [store.ErrCorrupt], so it matches whether we or the engine find them. The text names the
	// entry.
	ErrCorrupt = store.ErrCorrupt

	// ErrVersion matches when an entry has a format version that this version does not know.
	ErrVersion = errors.New("posting: unknown format version")

	// ErrSequenceTrimmed matches when a follower of the log asks for entries no longer kept. The
	// *TrimmedError says which are kept.
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

	// ErrMemory matches when a load or query needs more memory than the bound leaves it. The
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
