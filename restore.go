// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package uproar

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"io"

	"github.com/uproar-db/uproar/internal/posting"
	"github.com/uproar-db/uproar/store"
)

// Restore puts a database into an empty store, from a full backup and those that go on from it, in
// their order. The store stays the caller's, to be opened. It becomes a database with the last
// batch that Restore writes: after an error, or when the process ends before that, Open refuses it
// with ErrRestoring, and Restore begins anew. Every checksum is verified, every page is one that
// its manifest names, and none is missing. The log begins after what is in pages: those who follow
// it begin anew. Memory: the manifest of an index, and a block of about a megabyte.
//
// It returns what is told of the last backup. Errors: ErrNotEmpty, ErrNotBackup, ErrBackupBase,
// ErrCorrupt, ErrVersion, ctx's, a reader's, or the store's.
func Restore(ctx context.Context, s store.Store, backups ...io.Reader) (*BackupInfo, error) {
	if len(backups) == 0 {
		return nil, invalid("restore: got no backup, want a full one first")
	}
	if err := prepare(ctx, s); err != nil {
		return nil, err
	}
	var id [backupIDLen]byte
	_, _ = rand.Read(id[:]) // never fails, as documented
	from := &restoreState{State: restoring, ID: hex.EncodeToString(id[:])}
	if err := from.write(s, nil); err != nil {
		return nil, err
	}
	r := restorer{ctx: ctx, store: s, imports: map[uint32]*posting.Import{}}
	for i, backup := range backups {
		if err := r.backup(backup); err != nil {
			return nil, fmt.Errorf("backup %d of %d: %w", i+1, len(backups), err)
		}
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	from.State, from.Backup = restored, r.last.ID
	return r.last, from.write(s, r.last.head.Catalog)
}

// prepare fails for a store that is not empty, but for what a restore has left that did not come to
// its end, which it removes.
func prepare(ctx context.Context, s store.Store) error {
	found, err := readRestoreState(s)
	if err != nil {
		return err
	}
	err = s.Get(headerKey, func([]byte) error { return nil })
	switch {
	case err == nil:
		return fmt.Errorf("%w: it holds a database", ErrNotEmpty)
	case !errors.Is(err, store.ErrNotFound):
		return err
	case found.State == restoring:
		return clearStore(ctx, s)
	}
	return s.Keys(nil, nil, func(key []byte) error {
		return fmt.Errorf("%w: it begins with key %x", ErrNotEmpty, key)
	})
}

// clearStore removes all entries but the origin, which goes on saying what the others are.
func clearStore(ctx context.Context, s store.Store) error {
	for {
		if err := ctx.Err(); err != nil {
			return err
		}
		var b store.Batch
		err := s.Keys(nil, nil, func(key []byte) error {
			if string(key) != string(originKey) {
				b.Delete(append([]byte(nil), key...))
			}
			if b.Len() == store.MaxOps {
				return store.ErrStop
			}
			return nil
		})
		if err != nil || b.Len() == 0 {
			return err
		}
		if err := s.Apply(&b, false); err != nil {
			return err
		}
	}
}

// write stores the origin, synced; with a catalog it stores that and the header as well, which
// makes the store a database.
func (o *restoreState) write(s store.Store, c *catalog) error {
	entry, err := o.encode()
	if err != nil {
		return err
	}
	var b store.Batch
	b.Put(originKey, entry)
	if c != nil {
		if err := c.put(&b); err != nil {
			return err
		}
	}
	return s.Apply(&b, true)
}

// restorer puts one backup after the other into a store.
type restorer struct {
	ctx     context.Context
	store   store.Store
	imports map[uint32]*posting.Import
	last    *BackupInfo // nil: none yet
}

// backup restores one backup above those before.
func (r *restorer) backup(from io.Reader) error {
	b, err := newBackupReader(from)
	if err != nil {
		return err
	}
	info := b.head.info(b.id)
	if err := r.fits(info); err != nil {
		return err
	}
	at := -1 // of the index whose entries come
	advance := func() error {
		if at >= 0 {
			if err := r.imports[info.head.Indexes[at].ID].End(); err != nil {
				return fmt.Errorf("index %q: %w", info.Indexes[at].Name, err)
			}
		}
		if at++; at == len(info.head.Indexes) {
			return nil
		}
		return r.begin(info, at)
	}
	if err := advance(); err != nil {
		return err
	}
	for more := true; more; {
		if err := r.ctx.Err(); err != nil {
			return err
		}
		more, err = b.next(func(key, value []byte) error {
			for at < len(info.head.Indexes) && !r.imports[info.head.Indexes[at].ID].Owns(key) {
				if err := advance(); err != nil {
					return err
				}
			}
			if at == len(info.head.Indexes) {
				return fmt.Errorf("%w: backup: got an entry under key %x, of no index or out of order", ErrCorrupt, key)
			}
			return r.imports[info.head.Indexes[at].ID].Put(key, value)
		})
		if err == nil && at >= 0 && at < len(info.head.Indexes) {
			err = r.imports[info.head.Indexes[at].ID].Flush()
		}
		if err != nil {
			return err
		}
	}
	for at < len(info.head.Indexes) {
		if err := advance(); err != nil {
			return err
		}
	}
	r.last = info
	return nil
}

// begin begins with the entries of an index.
func (r *restorer) begin(info *BackupInfo, at int) error {
	ix := &info.head.Indexes[at]
	im := r.imports[ix.ID]
	if im == nil {
		im = posting.NewImport(r.store, ix.ID)
		r.imports[ix.ID] = im
	}
	err := im.Begin(ix.Since.mark(), ix.To.mark())
	if errors.Is(err, posting.ErrOtherHistory) {
		return &BaseError{Backup: info.ID, Base: info.Base, Reason: fmt.Sprintf("index %q: %v", info.Indexes[at].Name,
			err)}
	}
	return err
}

// fits fails for a backup that does not go on from the one before.
func (r *restorer) fits(info *BackupInfo) error {
	switch {
	case r.last == nil && info.Base == "":
		return nil
	case r.last == nil:
		return &BaseError{Backup: info.ID, Base: info.Base,
			Reason: "it goes on from another backup, want a full one first"}
	case info.Base == "":
		return &BaseError{Backup: info.ID, Reason: fmt.Sprintf("it is a full one, want one that goes on from backup %s",
			r.last.ID)}
	case info.Base != r.last.ID:
		return &BaseError{Backup: info.ID, Base: info.Base, Reason: fmt.Sprintf("want one that goes on from backup %s",
			r.last.ID)}
	}
	return info.head.follows(r.last)
}
