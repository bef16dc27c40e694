// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package dump

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"

	"github.com/uproar-db/uproar/internal/posting/exported"
	"github.com/uproar-db/uproar/internal/posting/model"
	"github.com/uproar-db/uproar/internal/schema"
	"github.com/uproar-db/uproar/store"
)

// ErrNotEmpty is matched when a database is to be restored into a store that holds something.
var ErrNotEmpty = errors.New("uproar: the store is not empty")

// NewID returns the number of a new backup, or of the history of a restored database.
func NewID() (id ID) {
	_, _ = rand.Read(id[:]) // never fails, as documented
	return id
}

// Restorer puts one backup after the other into a store. Not for concurrent use.
type Restorer struct {
	ctx     context.Context
	store   store.Store
	origin  *schema.Origin
	imports map[uint32]*exported.Import
	last    *Reader // nil: none yet
}

// NewRestorer begins a restore into a store that is empty, or has what is left of another restore.
// The store holds no database before End. Errors: ErrNotEmpty, ctx's, or the store's.
func NewRestorer(ctx context.Context, s store.Store) (*Restorer, error) {
	if err := prepare(ctx, s); err != nil {
		return nil, err
	}
	origin := &schema.Origin{State: schema.Restoring, ID: NewID().String()}
	if err := origin.Write(s, nil); err != nil {
		return nil, err
	}
	return &Restorer{ctx: ctx, store: s, origin: origin, imports: map[uint32]*exported.Import{}}, nil
}

// End makes the store a database, as of the last of the backups, which it returns. There must have
// been one. Errors: ctx's, or the store's.
func (r *Restorer) End() (*Reader, error) {
	if err := r.ctx.Err(); err != nil {
		return nil, err
	}
	r.origin.State, r.origin.Backup = schema.Restored, r.last.ID.String()
	return r.last, r.origin.Write(r.store, r.last.Head.Catalog)
}

// Add restores one backup above those before. Errors: *BaseError, ErrNotBackup, model.ErrCorrupt,
// model.ErrVersion, ctx's, the reader's, or the store's.
func (r *Restorer) Add(from io.Reader) (err error) {
	defer func() {
		for _, im := range r.imports {
			if err != nil {
				im.Abort()
			}
		}
	}()
	b, err := NewReader(from)
	if err != nil {
		return err
	}
	if err := r.fits(b); err != nil {
		return err
	}
	at := -1 // of the index whose entries come
	advance := func() error {
		if at >= 0 {
			if err := r.imports[b.Head.Indexes[at].ID].End(); err != nil {
				return fmt.Errorf("index %q: %w", b.Head.Catalog.Indexes[at].Name, err)
			}
		}
		if at++; at == len(b.Head.Indexes) {
			return nil
		}
		return r.begin(b, at)
	}
	if err := advance(); err != nil {
		return err
	}
	for more := true; more; {
		if err := r.ctx.Err(); err != nil {
			return err
		}
		more, err = b.next(func(key, value []byte) error {
			for at < len(b.Head.Indexes) && !r.imports[b.Head.Indexes[at].ID].Owns(key) {
				if err := advance(); err != nil {
					return err
				}
			}
			if at == len(b.Head.Indexes) {
				return fmt.Errorf("%w: backup: got an entry under key %x, of no index or out of order", model.ErrCorrupt, key)
			}
			return r.imports[b.Head.Indexes[at].ID].Put(key, value)
		})
		if err == nil && at >= 0 && at < len(b.Head.Indexes) {
			err = r.imports[b.Head.Indexes[at].ID].Flush()
		}
		if err != nil {
			return err
		}
	}
	for at < len(b.Head.Indexes) {
		if err := advance(); err != nil {
			return err
		}
	}
	r.last = b
	return nil
}

// begin begins with the entries of an index.
func (r *Restorer) begin(b *Reader, at int) error {
	ix := &b.Head.Indexes[at]
	im := r.imports[ix.ID]
	if im == nil {
		im = exported.New(r.store, ix.ID)
		r.imports[ix.ID] = im
	}
	err := im.Begin(ix.Since.mark(), ix.To.mark())
	if errors.Is(err, exported.ErrOtherHistory) {
		return b.refuse("index %q: %v", b.Head.Catalog.Indexes[at].Name, err)
	}
	return err
}

// fits fails for a backup that does not go on from the one before.
func (r *Restorer) fits(b *Reader) error {
	switch {
	case r.last == nil && b.Head.Base == "":
		return nil
	case r.last == nil:
		return b.refuse("it goes on from another backup, want a full one first")
	case b.Head.Base == "":
		return b.refuse("it is a full one, want one that goes on from backup %s", r.last.ID)
	case b.Head.Base != r.last.ID.String():
		return b.refuse("want one that goes on from backup %s", r.last.ID)
	}
	return b.Head.follows(r.last.ID.String(), r.last.Head)
}

// refuse returns the error of a backup that does not go on from the one before.
func (b *Reader) refuse(format string, args ...any) error {
	return &BaseError{Backup: b.ID.String(), Base: b.Head.Base, Reason: fmt.Sprintf(format, args...)}
}
