// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package uproar_test

import (
	"errors"
	"fmt"
	"slices"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/uproar-db/uproar"
	"github.com/uproar-db/uproar/query"
	"github.com/uproar-db/uproar/store"
	"github.com/uproar-db/uproar/store/memstore"
)

// hookedStore calls a function once, before it next reads an entry, or before it next writes.
type hookedStore struct {
	store.Store
	beforeGet, beforeApply atomic.Pointer[func()]
}

// Get implements store.Store.
func (s *hookedStore) Get(key []byte, fn func(value []byte) error) error {
	if hook := s.beforeGet.Swap(nil); hook != nil {
		(*hook)()
	}
	return s.Store.Get(key, fn)
}

// Apply implements store.Store.
func (s *hookedStore) Apply(b *store.Batch, sync bool) error {
	if hook := s.beforeApply.Swap(nil); hook != nil {
		(*hook)()
	}
	return s.Store.Apply(b, sync)
}

// Close implements store.Store. What was written stays.
func (s *hookedStore) Close() error { return nil }

// nameField writes to a field of every record that fillDroppable has, and to one that is new; and
// to the field that is kept.
func nameField(b *uproar.Batch, field string) {
	value := map[string]string{"age": "5", "follows": "r3", "followers": "r3"}[field]
	if value == "" {
		value = "new"
	}
	for i := range 200 {
		b.Set(field, fmt.Sprint("r", i), value)
	}
	b.Set(field, "a new record", value)
	b.Set("kept", "a new record", "new")
}

// mustBeWithout fails unless an index is as after DropField: it does not know the field, and one
// that takes its name has no values. It checks the values that were kept, and all the pages.
func mustBeWithout(t *testing.T, db *uproar.DB, field string, kept uint64) {
	t.Helper()
	ix, err := db.Index("people")
	if err != nil {
		t.Fatal(err)
	}
	snap := ix.Snapshot()
	defer snap.Close()
	if _, err := snap.Count(t.Context(), query.Any{Field: field}); !errors.Is(err, uproar.ErrUnknownField) {
		t.Errorf("any(%s): got %v, want ErrUnknownField", field, err)
	}
	if got := countOf(t, snap, "kept = new"); got != kept {
		t.Errorf("kept = new: got %d, want %d", got, kept)
	}
	for c, err := range ix.Changes(t.Context(), 0) {
		if err != nil {
			t.Fatal(err)
		}
		if slices.ContainsFunc(c.Changes, func(x uproar.Change) bool { return x.Field == field }) {
			t.Errorf("commit %d tells of field %s, which is not there", c.Sequence, field)
		}
	}
	if err := db.Verify(t.Context(), nil); err != nil {
		t.Error(err)
	}
}

// TestDropFieldWhileBatchIsBound drops a field while a batch that names it is bound, and while it
// is logged: the batch is refused as a whole, or written without values of that field. A field that
// takes the name has none of them, in the log, in pages, and after opening again.
func TestDropFieldWhileBatchIsBound(t *testing.T) {
	ctx := t.Context()
	for _, field := range []string{"likes", "city", "age", "follows", "followers"} {
		for _, when := range []string{"before the write", "while it is bound", "while it is bound, with a flush",
			"while it is logged"} {
			t.Run(field+" "+when, func(t *testing.T) {
				s := &hookedStore{Store: memstore.New()}
				db := openDB(t, s, nil)
				ix, err := db.CreateIndex(ctx, "people", droppable...)
				if err != nil {
					t.Fatal(err)
				}
				fillDroppable(t, ix)
				if err := ix.Flush(ctx); err != nil {
					t.Fatal(err)
				}
				if err := db.Close(); err != nil {
					t.Fatal(err)
				}
				db = openDB(t, s, nil) // with no page in memory
				if ix, err = db.Index("people"); err != nil {
					t.Fatal(err)
				}
				dropped := false
				drop := func() {
					name := field
					if name == "followers" {
						name = "follows"
					}
					err := db.DropField(ctx, "people", name)
					if dropped = err == nil; err != nil {
						t.Error(err)
					}
				}
				var b uproar.Batch
				nameField(&b, field)
				switch when {
				case "before the write":
					drop()
				case "while it is bound":
					s.beforeGet.Store(&drop)
				case "while it is logged":
					s.beforeApply.Store(&drop)
				default:
					both := func() {
						drop()
						if err := ix.Flush(ctx); err != nil {
							t.Error(err)
						}
					}
					s.beforeGet.Store(&both)
				}
				_, err = ix.Write(ctx, &b)
				if !dropped {
					t.Fatalf("the field was not dropped meanwhile; the write: %v", err)
				}
				if err != nil && !errors.Is(err, uproar.ErrUnknownField) || when == "before the write" && err == nil {
					t.Fatalf("got %v, want ErrUnknownField, or none of a batch that was bound before", err)
				}
				kept := uint64(0)
				if err == nil {
					kept = 1
				}
				mustBeWithout(t, db, field, kept)
				if err := ix.Flush(ctx); err != nil {
					t.Fatal(err)
				}
				mustBeWithout(t, db, field, kept)
				if err := db.Close(); err != nil {
					t.Fatal(err)
				}
				db = openDB(t, s, nil)
				defer db.Close()
				mustBeWithout(t, db, field, kept)
				for _, as := range []uproar.FieldType{uproar.Set, uproar.Single, uproar.Integer} {
					mustTakeName(t, db, uproar.Field{Name: field, Type: as})
				}
			})
		}
	}
}

// mustTakeName adds a field of a name that is free, finds no values in it, and drops it again.
func mustTakeName(t *testing.T, db *uproar.DB, field uproar.Field) {
	t.Helper()
	ix, err := db.AddFields(t.Context(), "people", field)
	if err != nil {
		t.Fatal(err)
	}
	snap := ix.Snapshot()
	defer snap.Close()
	if n, err := snap.Count(t.Context(), query.Any{Field: field.Name}); n != 0 || err != nil {
		t.Errorf("a %s field of the name %s: got %d records, %v, want none", field.Type, field.Name, n, err)
	}
	if err := db.DropField(t.Context(), "people", field.Name); err != nil {
		t.Fatal(err)
	}
}

// TestDropFieldBesideWriters drops a field and adds another one of its name and of another type,
// over and over, while writers name it and flushes run. Each batch is there as a whole or not at
// all, and no value outlives its field.
func TestDropFieldBesideWriters(t *testing.T) {
	const writers, rounds = 3, 12
	ctx := t.Context()
	db := openDB(t, memstore.New(), &uproar.Options{DeltaBytes: 50_000})
	defer db.Close()
	ix, err := db.CreateIndex(ctx, "people", uproar.Field{Name: "kept", Type: uproar.Set})
	if err != nil {
		t.Fatal(err)
	}
	types := []uproar.Field{{Name: "f", Type: uproar.Set}, {Name: "f", Type: uproar.Single},
		{Name: "f", Type: uproar.Integer}, {Name: "f", Type: uproar.Relation, Inverse: "g"},
		{Name: "f", Type: uproar.Set, Column: uproar.SmallColumn}}
	written := map[string]bool{} // batches, and whether they were taken
	for round := range rounds {
		field := types[round%len(types)]
		if _, err := db.AddFields(ctx, "people", field); err != nil {
			t.Fatal(err)
		}
		snap := ix.Snapshot()
		if n, err := snap.Count(ctx, query.Any{Field: "f"}); n != 0 || err != nil {
			t.Fatalf("round %d: got %d records with a value of a new field, %v, want none", round, n, err)
		}
		snap.Close()
		var mu sync.Mutex
		var some sync.WaitGroup // has each writer's first batches
		var all sync.WaitGroup
		some.Add(writers)
		for w := range writers {
			all.Go(func() {
				for i := 0; ; i++ {
					name := fmt.Sprintf("%d-%d-%d", round, w, i)
					var b uproar.Batch
					for k := range 5 {
						b.Set("f", fmt.Sprint("r", (i+k)%50), fmt.Sprint(i%7))
					}
					b.Set("kept", name, "yes")
					_, err := ix.Write(ctx, &b)
					mu.Lock()
					written[name] = err == nil
					mu.Unlock()
					if i == 10 {
						some.Done()
					}
					if errors.Is(err, uproar.ErrUnknownField) {
						return
					}
					if err != nil {
						t.Errorf("%s: %v", name, err)
						return
					}
				}
			})
		}
		all.Go(func() {
			if err := ix.Flush(ctx); err != nil {
				t.Error(err)
			}
		})
		some.Wait()
		if err := db.DropField(ctx, "people", "f"); err != nil {
			t.Fatal(err)
		}
		all.Wait()
		if round%3 == 0 {
			if err := ix.Flush(ctx); err != nil {
				t.Fatal(err)
			}
		}
	}
	snap := ix.Snapshot()
	defer snap.Close()
	for name, taken := range written {
		has, err := snap.Has("kept", name, "yes")
		if errors.Is(err, uproar.ErrUnknownRecord) {
			has, err = false, nil
		}
		if err != nil || has != taken {
			t.Errorf("batch %s: got %v, %v, want %v", name, has, err, taken)
		}
	}
	if err := db.Verify(ctx, nil); err != nil {
		t.Error(err)
	}
}
