// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package uproar

import (
	"context"
	"errors"

	"github.com/uproar-db/uproar/internal/binding"
	"github.com/uproar-db/uproar/internal/eval"
	"github.com/uproar-db/uproar/internal/posting"
	"github.com/uproar-db/uproar/internal/posting/model"
	"github.com/uproar-db/uproar/internal/schema"
	"github.com/uproar-db/uproar/query"
)

// saveAtOnce is how many records a set may have to be stored in one commit.
const saveAtOnce = 1 << 17

// Save stores the records that a query fits under a name and returns their number. It replaces what
// was stored there. The set stays as it is when other fields change: query.Saved asks for it. The
// query may name the set itself: Save(ctx, "seen", {saved(seen) or ...}).
//
// Up to 131 072 records are stored in one commit. A larger set is stored by a bulk load, after a
// commit that empties the one before: a reader between the two sees none. It fails with ErrLoading
// while another load runs, before anything has changed.
//
// Errors: ErrInvalid (a name of no bytes or too many), those of Count, of Write and of Load.
func (ix *Index) Save(ctx context.Context, name string, q query.Expr) (n uint64, err error) {
	if err := binding.CheckKey("name of saved set", "", name); err != nil {
		return 0, err
	}
	for {
		n, err = ix.save(ctx, name, q)
		if !errors.Is(err, model.ErrDeleted) {
			return n, err
		}
		// A record of the set was deleted after the set was found: it is found anew.
	}
}

func (ix *Index) save(ctx context.Context, name string, q query.Expr) (n uint64, err error) {
	snap := ix.Snapshot()
	defer snap.Close()
	set, err := snap.Bitmap(ctx, q)
	if err != nil {
		return 0, err
	}
	if n = set.Len(); n > saveAtOnce {
		return ix.saveLarge(ctx, name, q)
	}
	var b posting.Batch
	row := b.Key(model.KeySpace(schema.SavedID), name)
	b.Empty(schema.SavedID, row)
	for id := range set.All() {
		b.Set(schema.SavedID, row, model.ID(id))
	}
	_, err = ix.lists.CommitFrom(ctx, snap.lists, &b)
	return n, err
}

// saveLarge stores a set by a load. The set is found once the load has begun, which from then on
// knows of records that are deleted.
func (ix *Index) saveLarge(ctx context.Context, name string, q query.Expr) (n uint64, err error) {
	load, err := ix.lists.Load(ctx, ix.memory/4, nil)
	if err != nil {
		return 0, err
	}
	defer load.Abort()
	snap := ix.Snapshot()
	defer snap.Close()
	set, err := snap.Bitmap(ctx, q)
	if err != nil {
		return 0, err
	}
	row, _ := load.Key(model.KeySpace(schema.SavedID), name)
	for id := range set.All() {
		if err := load.Set(schema.SavedID, row, model.ID(id)); err != nil {
			return 0, err
		}
	}
	var b posting.Batch
	b.Empty(schema.SavedID, b.Key(model.KeySpace(schema.SavedID), name))
	if _, err := ix.lists.CommitFrom(ctx, snap.lists, &b); err != nil {
		return 0, err
	}
	_, err = load.Commit()
	return set.Len(), err
}

// bindSaved says which row a saved set is.
func (s Snapshot) bindSaved(leaf query.Saved) (eval.Leaf, error) {
	row, ok, err := s.lists.Lookup(model.KeySpace(schema.SavedID), leaf.Name)
	if err == nil && !ok {
		err = &UnknownError{What: "saved set", Name: leaf.Name}
	}
	return eval.Leaf{Kind: eval.List, Field: schema.SavedID, Row: row}, err
}
