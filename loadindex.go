// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package uproar

import (
	"context"
	"errors"

	"github.com/uproar-db/uproar/internal/schema"
)

// LoadIndex begins to make an index by a bulk load into it. Nobody sees the index before Commit;
// then it is there with all its records, its fields and its note (see SetNote). An aborted load,
// or one whose process ends, leaves no index. The name is taken meanwhile. Loader.CommitAs gives
// the index an alias as well.
//
// Errors: those of CreateIndex and Index.Load.
func (db *DB) LoadIndex(ctx context.Context, name string, fields []Field, note []byte, opts *LoadOptions) (*Loader,
	error) {
	ix, err := db.createIndex(ctx, schema.Index{Name: name, Note: note, Loading: true}, fields)
	if err != nil {
		return nil, err
	}
	l, err := ix.Load(ctx, opts)
	if err != nil {
		return nil, errors.Join(err, db.discard(ix))
	}
	l.db = db
	return l, nil
}

// reveal makes an index visible that was loaded. An alias, if given, names it from then on, and
// the index that it named before is dropped, unless that has another alias.
func (db *DB) reveal(ix *Index, alias string) error {
	replaced := ""
	ctx := context.Background() // the load is committed: what is left must not be interrupted
	err := db.change(ctx, "loaded index "+ix.name, func(next *schema.Catalog) error {
		next.Entry(ix.name).Loading = false
		if alias == "" {
			return nil
		}
		before := next.Aliases[alias]
		if err := next.SetAlias(alias, ix.name); err != nil {
			return err
		}
		if _, other := next.AliasOf(before); !other {
			replaced = before
		}
		return nil
	})
	if err != nil {
		return err
	}
	if replaced != "" {
		_ = db.DropIndex(ctx, replaced) // it can be dropped later: it is only room on the disk
	}
	return nil
}

// discard removes an index that is being loaded, with all that was written of it. If it fails, the
// next opening does it.
func (db *DB) discard(ix *Index) error {
	ctx := context.Background()
	var id uint32
	err := db.change(ctx, "loading index "+ix.name, func(next *schema.Catalog) error {
		id = next.Entry(ix.name).ID
		next.Drop(id)
		return nil
	})
	if err != nil {
		return err
	}
	if err := ix.lists.Remove(ctx); err != nil {
		return err
	}
	return db.removed(ctx, id)
}

// Index returns the index that is loaded.
func (l *Loader) Index() *Index { return l.ix }

// CommitAs is Commit of a load that LoadIndex began. The alias names the index from then on, and
// the index that it named before is dropped, unless that has another alias. All of that is one
// step: whoever asks for the alias gets the one index or the other.
//
// Errors: as of Commit and SetAlias; ErrInvalid, for a load into an index that was there before.
func (l *Loader) CommitAs(alias string) error {
	if l.db == nil {
		l.Abort()
		return invalid("alias %q: got a load into index %q, which is there already, want one of LoadIndex",
			alias, l.ix.name)
	}
	return l.commit(alias)
}

// commit ends a load, and makes its index visible if it is new.
func (l *Loader) commit(alias string) error {
	db := l.db
	_, err := l.load.Commit()
	if db == nil {
		return err
	}
	l.db = nil // nothing is left to be discarded by Abort
	if err == nil {
		err = db.reveal(l.ix, alias)
	}
	if err != nil {
		return errors.Join(err, db.discard(l.ix))
	}
	return nil
}
