// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package uproar

import (
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/uproar-db/uproar/internal/dump"
	"github.com/uproar-db/uproar/store"
)

// Restore puts a database into an empty store from a full backup and its increments, in order. The
// caller owns the store and opens it afterwards. It becomes a database with the last batch that
// Restore writes. After an error, or when the process ends before that batch, Open refuses the
// store with ErrRestoring, and Restore begins anew.
//
// Restore verifies every checksum. It checks that every page is one that its manifest names, and
// that none is missing. The log begins after what is in pages, so its followers begin anew. It
// holds the manifest of an index in memory, and a block of about a megabyte.
//
// It returns what is known of the last backup. Errors: ErrNotEmpty, ErrNotBackup, ErrBackupBase,
// ErrCorrupt, ErrVersion, ctx's, a reader's, or the store's.
func Restore(ctx context.Context, s store.Store, backups ...io.Reader) (*BackupInfo, error) {
	if len(backups) == 0 {
		return nil, invalid("restore: got no backup, want a full one first")
	}
	r, err := dump.NewRestorer(ctx, s)
	if err != nil {
		return nil, err
	}
	for i, backup := range backups {
		if err := r.Add(backup); err != nil {
			return nil, fmt.Errorf("backup %d of %d: %w", i+1, len(backups), baseError(err))
		}
	}
	last, err := r.End()
	if last == nil {
		return nil, err
	}
	return infoOf(last.ID, last.Head), err
}

// baseError returns an error of package dump as users see it.
func baseError(err error) error {
	if e, ok := errors.AsType[*dump.BaseError](err); ok {
		return &BaseError{Backup: e.Backup, Base: e.Base, Reason: e.Reason}
	}
	return err
}
