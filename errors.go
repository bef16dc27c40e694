// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package uproar

import (
	"fmt"

	"github.com/uproar-db/uproar/internal/dump"
	"github.com/uproar-db/uproar/internal/eval"
	"github.com/uproar-db/uproar/internal/posting/model"
	"github.com/uproar-db/uproar/internal/schema"
	"github.com/uproar-db/uproar/internal/sentinel"
	"github.com/uproar-db/uproar/store"
)

// Errors that name something that is not there; each comes as an *UnknownError.
var (
	ErrUnknownIndex  = sentinel.ErrUnknownIndex
	ErrUnknownField  = sentinel.ErrUnknownField
	ErrUnknownRecord = sentinel.ErrUnknownRecord
	ErrUnknownSet    = sentinel.ErrUnknownSet
)

// Errors of calls that cannot be; nothing has changed.
var (
	// ErrIndexExists is returned by CreateIndex for a name that is taken.
	ErrIndexExists = sentinel.ErrIndexExists

	// ErrInvalid is matched by errors about invalid names, keys and questions. The text says what
	// was wrong, what it got and what it wants.
	ErrInvalid = sentinel.ErrInvalid
)

// Errors of opening.
var (
	// ErrNotDatabase is returned for a store that holds something else.
	ErrNotDatabase = schema.ErrNotDatabase

	// ErrRestoring is returned for a store into which a database was being restored, and not to the
	// end. Restoring again begins anew.
	ErrRestoring = schema.ErrRestoring
)

// Errors of backups.
var (
	// ErrNotBackup is returned for bytes that are something else.
	ErrNotBackup = dump.ErrNotBackup

	// ErrBackupBase is matched when a backup does not continue the one before it. It is also
	// matched when a backup cannot, because the one before is of another database or history. It
	// comes as a *BaseError.
	ErrBackupBase = sentinel.ErrBackupBase

	// ErrNotEmpty is matched when a database is to be restored into a store that holds something.
	ErrNotEmpty = dump.ErrNotEmpty
)

// Errors of the layers below, the same values.
var (
	// ErrReadOnly is matched by every write to a database that was opened for reading only, or
	// whose store was.
	ErrReadOnly = store.ErrReadOnly

	// ErrLocked is matched when a store on disk is opened that another process, or this one, has
	// open.
	ErrLocked = store.ErrLocked

	// ErrClosed is returned after Close.
	ErrClosed = model.ErrClosed

	// ErrLoading is returned by Load while another load of the index is under way.
	ErrLoading = model.ErrLoading

	// ErrTooLarge is matched when a batch is larger than one commit may be: about 16 MiB of log, or
	// an eighth of Options.MemoryBytes.
	ErrTooLarge = model.ErrTooLarge

	// ErrMemory is matched by loads and queries that need more memory than Options.MemoryBytes
	// leaves them. Try again when less is going on.
	ErrMemory = model.ErrMemory

	// ErrCorrupt is matched when stored bytes are not as they were written; the text names the
	// entry.
	ErrCorrupt = model.ErrCorrupt

	// ErrVersion is matched when stored bytes are of a version of the format that this release does
	// not know.
	ErrVersion = model.ErrVersion

	// ErrLimit is matched when a query needs more memory than LimitQueries allows. It is also
	// matched when a part of the query is too large to count.
	ErrLimit = eval.ErrLimit

	// ErrFull is matched by writes that lack room on the disk, or open files. Try again when there
	// is more.
	ErrFull = store.ErrFull

	// ErrFailed is matched by writes after one that the store failed. Reading goes on; open the
	// database again to write.
	ErrFailed = model.ErrFailed
)

// UnknownError names an index, field, record or saved set that is not there. By errors.Is it
// matches ErrUnknownIndex, ErrUnknownField, ErrUnknownRecord or ErrUnknownSet.
type UnknownError struct {
	What       string // "index", "field", "record" or "saved set"
	Name       string // as it was given
	Suggestion string // a known name that it may stand for, or empty
}

// Error returns the text, with the suggestion if there is one.
func (e *UnknownError) Error() string {
	if e.Suggestion != "" {
		return fmt.Sprintf("uproar: unknown %s %q: did you mean %q?", e.What, e.Name, e.Suggestion)
	}
	return fmt.Sprintf("uproar: unknown %s %q", e.What, e.Name)
}

// Is reports whether target is the sentinel for what is unknown.
func (e *UnknownError) Is(target error) bool {
	switch e.What {
	case "index":
		return target == ErrUnknownIndex
	case "field":
		return target == ErrUnknownField
	case "saved set":
		return target == ErrUnknownSet
	default:
		return target == ErrUnknownRecord
	}
}

// BaseError says why a backup does not go on from another. By errors.Is it matches ErrBackupBase.
type BaseError struct {
	Backup string // ID of the backup; empty: it is about to be made
	Base   string // ID of the backup that it goes on from; empty: it is a full one
	Reason string
}

// Error names both, and the reason.
func (e *BaseError) Error() string {
	what, base := "a new backup", "no other"
	if e.Backup != "" {
		what = "backup " + e.Backup
	}
	if e.Base != "" {
		base = e.Base
	}
	return fmt.Sprintf("%v: %s, which goes on from %s: %s", ErrBackupBase, what, base, e.Reason)
}

// Is reports whether target is ErrBackupBase.
func (e *BaseError) Is(target error) bool { return target == ErrBackupBase }

func invalid(format string, args ...any) error {
	return fmt.Errorf("%w: %s", ErrInvalid, fmt.Sprintf(format, args...))
}
