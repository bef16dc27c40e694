// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package uproar_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/uproar-db/uproar"
	"github.com/uproar-db/uproar/query"
	"github.com/uproar-db/uproar/store"
	"github.com/uproar-db/uproar/store/memstore"
	"github.com/uproar-db/uproar/store/pebblestore"
)

func openDB(t testing.TB, s store.Store, opts *uproar.Options) *uproar.DB {
	t.Helper()
	db, err := uproar.Open(context.Background(), s, opts)
	if err != nil {
		t.Fatal(err)
	}
	return db
}

func newAccounts(t testing.TB, db *uproar.DB) *uproar.Index {
	t.Helper()
	ix, err := db.CreateIndex(context.Background(), "accounts", uproar.Field{Name: "follows", Type: uproar.Relation,
		Inverse: "followers"},
		uproar.Field{Name: "country", Type: uproar.Set})
	if err != nil {
		t.Fatal(err)
	}
	return ix
}

func writeAll(t testing.TB, ix *uproar.Index, fill func(*uproar.Batch)) {
	t.Helper()
	var b uproar.Batch
	fill(&b)
	if _, err := ix.Write(context.Background(), &b); err != nil {
		t.Fatal(err)
	}
}

func ask(t testing.TB, ix *uproar.Index, text string) string {
	t.Helper()
	q, err := query.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	snap := ix.Snapshot()
	defer snap.Close()
	keys, err := snap.Keys(context.Background(), q, uproar.Page{})
	if err != nil {
		return "error: " + err.Error()
	}
	n, err := snap.Count(context.Background(), q)
	if err != nil || n != uint64(len(keys.Keys)) {
		t.Errorf("count of %s: got %d, %v, want %d", text, n, err, len(keys.Keys))
	}
	slices.Sort(keys.Keys)
	return strings.Join(keys.Keys, " ")
}

// TestQuestions asks each form of question, in the delta, in pages, and after opening again, on
// both back ends.
func TestQuestions(t *testing.T) {
	questions := []struct{ q, want string }{
		{"all", "alice bob carol dave erin loner"},
		{"nothing", ""},
		{"follows(alice)", "bob carol"},
		{"followers(bob)", "alice carol dave"},
		{"follows(alice) and followers(bob)", "carol"},
		{"follows = bob", "alice carol dave"},
		{"followers = alice", "bob carol"},
		{"country = de", "alice dave"},
		{"country = xx", ""},
		{"not country = de", "bob carol erin loner"},
		{"follows(alice) or country = de", "alice bob carol dave"},
		{"not (follows(alice) or country = de)", "erin loner"},
		{"followers(bob) and not country = de", "carol"},
		{"follows(erin)", ""},
		{"follows(nobody)", ""},
		{"follows = nobody", ""},
		{"follows in (bob, nobody)", "alice carol dave"},
		{"not follows = nobody", "alice bob carol dave erin loner"},
		{"follows != nobody", "alice bob carol dave erin loner"},
		{"follows(alice) and follows(nobody)", ""},
		{"follows(alice) xor follows(nobody)", "bob carol"},
		{"at least 1 of (follows(nobody), follows(alice))", "bob carol"},
		{"follows(followers(nobody))", ""},
		{"folows(alice)", "error: uproar: unknown field \"folows\": did you mean \"follows\"?"},
		{"country(alice)",
			"error: uproar: invalid: country(alice): got a field of type \"set\", want a relation; try country = alice"},
	}
	for _, backend := range []string{"memory", "pebble"} {
		t.Run(backend, func(t *testing.T) {
			dir := t.TempDir()
			mem := memstore.New()
			open := func() (*uproar.DB, *uproar.Index) {
				var s store.Store = keepOpen{mem}
				if backend == "pebble" {
					var err error
					if s, err = pebblestore.Open(dir, nil); err != nil {
						t.Fatal(err)
					}
				}
				db := openDB(t, s, nil)
				ix, err := db.Index("accounts")
				if err != nil {
					ix = newAccounts(t, db)
				}
				return db, ix
			}
			db, ix := open()
			writeAll(t, ix, func(b *uproar.Batch) {
				b.Set("follows", "alice", "bob")
				b.Set("follows", "alice", "carol")
				b.Set("follows", "alice", "erin")
				b.Set("followers", "bob", "carol")
				b.Set("country", "alice", "de")
				b.Set("country", "dave", "de")
				b.Set("country", "dave", "fr")
			})
			writeAll(t, ix, func(b *uproar.Batch) {
				b.AddRecord("loner")
				b.Set("follows", "dave", "bob")
				b.Clear("follows", "alice", "erin")
				b.Clear("follows", "stranger", "bob")
				b.Clear("country", "dave", "fr")
				b.Clear("country", "dave", "it")
			})
			check := func(when string) {
				t.Helper()
				for _, c := range questions {
					if got := ask(t, ix, c.q); got != c.want {
						t.Errorf("%s, %s: got %q, want %q", when, c.q, got, c.want)
					}
				}
			}
			check("in the delta")
			if err := ix.Flush(t.Context()); err != nil {
				t.Fatal(err)
			}
			check("in pages")
			if err := db.Close(); err != nil {
				t.Fatal(err)
			}
			db, ix = open()
			defer db.Close()
			check("opened again")
		})
	}
}

// keepOpen is a store that survives the closing of its database, as a disk does.
type keepOpen struct{ store.Store }

func (keepOpen) Close() error { return nil }

func TestHas(t *testing.T) {
	db := openDB(t, memstore.New(), nil)
	defer db.Close()
	ix := newAccounts(t, db)
	writeAll(t, ix, func(b *uproar.Batch) {
		b.Set("follows", "alice", "bob")
		b.Set("country", "alice", "de")
	})
	snap := ix.Snapshot()
	defer snap.Close()
	for _, c := range []struct {
		field, record, value string
		want                 bool
		err                  error
	}{
		{"follows", "alice", "bob", true, nil},
		{"follows", "bob", "alice", false, nil},
		{"followers", "bob", "alice", true, nil},
		{"country", "alice", "de", true, nil},
		{"country", "bob", "de", false, nil},
		{"country", "alice", "xx", false, nil},
		{"follows", "alice", "nobody", false, uproar.ErrUnknownRecord},
		{"follows", "nobody", "alice", false, uproar.ErrUnknownRecord},
		{"nofield", "alice", "bob", false, uproar.ErrUnknownField},
	} {
		got, err := snap.Has(c.field, c.record, c.value)
		if got != c.want || !errors.Is(err, c.err) {
			t.Errorf("%s of %s has %s: got %v, %v, want %v, %v", c.field, c.record, c.value, got, err, c.want, c.err)
		}
	}
	in, err := snap.Contains(t.Context(), query.Related{Field: "follows", Key: "alice"}, "bob")
	if err != nil || !in {
		t.Errorf("follows(alice) contains bob: got %v, %v, want true", in, err)
	}
}

// TestPages walks an answer page by page while it is written to: what was there stays in order,
// nothing comes twice.
func TestPages(t *testing.T) {
	db := openDB(t, memstore.New(), nil)
	defer db.Close()
	ix := newAccounts(t, db)
	writeAll(t, ix, func(b *uproar.Batch) {
		for i := range 100 {
			b.Set("follows", "alice", fmt.Sprintf("friend-%02d", i))
		}
	})
	var got []string
	for from := uint64(0); ; {
		snap := ix.Snapshot()
		page, err := snap.Keys(t.Context(), query.Related{Field: "follows", Key: "alice"},
			uproar.Page{From: from, Limit: 7})
		snap.Close()
		if err != nil || len(page.Keys) > 7 {
			t.Fatal(len(page.Keys), err)
		}
		got = append(got, page.Keys...)
		if !page.More {
			break
		}
		from = page.Next
		writeAll(t, ix, func(b *uproar.Batch) {
			b.Clear("follows", "alice", got[0]) // already passed
			b.Set("country", "alice", fmt.Sprint(from))
		})
	}
	var want []string
	for i := range 100 {
		want = append(want, fmt.Sprintf("friend-%02d", i))
	}
	if !slices.Equal(got, want) {
		t.Errorf("got %d keys, want %d: %v", len(got), len(want), got)
	}
}

// TestSnapshotStays holds a snapshot over writes, a flush and a load: it answers as when it was
// taken.
func TestSnapshotStays(t *testing.T) {
	db := openDB(t, memstore.New(), nil)
	defer db.Close()
	ix := newAccounts(t, db)
	writeAll(t, ix, func(b *uproar.Batch) { b.Set("follows", "alice", "bob") })
	snap := ix.Snapshot()
	if got := snap.IDBound(); got != 2 {
		t.Errorf("two records: got bound %d of their IDs, want 2", got)
	}
	writeAll(t, ix, func(b *uproar.Batch) { b.Clear("follows", "alice", "bob"); b.Set("follows", "alice", "carol") })
	if err := ix.Flush(t.Context()); err != nil {
		t.Fatal(err)
	}
	l, err := ix.Load(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := ix.Load(t.Context(), nil); !errors.Is(err, uproar.ErrLoading) {
		t.Errorf("a second load: got %v, want ErrLoading", err)
	}
	if err := l.Set("follows", "alice", "dave"); err != nil {
		t.Fatal(err)
	}
	if got := ask(t, ix, "follows(alice)"); got != "carol" {
		t.Errorf("during the load: got %q, want carol", got)
	}
	if got := ask(t, ix, "all"); got != "alice bob carol" {
		t.Errorf("during the load: got %q, want no record of the load", got)
	}
	if err := l.Commit(); err != nil {
		t.Fatal(err)
	}
	l.Abort()
	if got := ask(t, ix, "follows(alice)"); got != "carol dave" {
		t.Errorf("after the load: got %q, want carol dave", got)
	}
	keys, err := snap.Keys(t.Context(), query.Related{Field: "follows", Key: "alice"}, uproar.Page{})
	if err != nil || !slices.Equal(keys.Keys, []string{"bob"}) {
		t.Errorf("the old snapshot: got %v, %v, want bob", keys.Keys, err)
	}
	snap.Close()
	if err := ix.Flush(t.Context()); err != nil {
		t.Fatal(err)
	}
	if got := ask(t, ix, "followers(dave)"); got != "alice" {
		t.Errorf("got %q, want alice", got)
	}
}

// TestLoadAborted leaves nothing of a load that is aborted or cancelled.
func TestLoadAborted(t *testing.T) {
	db := openDB(t, memstore.New(), nil)
	defer db.Close()
	ix := newAccounts(t, db)
	written := uint64(0) // after the first load, which names the keys
	for _, how := range []string{"abort", "cancel", "abort"} {
		ctx, cancel := context.WithCancel(t.Context())
		l, err := ix.Load(ctx, &uproar.LoadOptions{MemoryBytes: 10_000})
		if err != nil {
			t.Fatal(err)
		}
		for i := range 3000 {
			if err := l.Set("follows", fmt.Sprint("a", i%50), fmt.Sprint("b", i)); err != nil {
				t.Fatal(err)
			}
		}
		if how == "cancel" {
			cancel()
			if err := l.Commit(); !errors.Is(err, context.Canceled) {
				t.Errorf("got %v, want context.Canceled", err)
			}
		}
		l.Abort()
		cancel()
		if got := ask(t, ix, "all"); got != "" {
			t.Errorf("%s: got %q, want nothing", how, got)
		}
		stats, err := ix.Stats()
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range stats.Fields {
			if f.Type != "keys" && f.Type != "hashes" {
				t.Errorf("%s: got %d pages of %s, want none", how, f.Pages, f.Name)
			}
		}
		if written > 0 && stats.Sequence != written {
			t.Errorf("%s: got sequence %d, want %d: all keys were known", how, stats.Sequence, written)
		}
		written = stats.Sequence
	}
	writeAll(t, ix, func(b *uproar.Batch) { b.Set("follows", "a1", "b1") })
	if got := ask(t, ix, "all"); got != "a1 b1" {
		t.Errorf("got %q, want a1 b1", got)
	}
}

func TestInvalid(t *testing.T) {
	db := openDB(t, memstore.New(), nil)
	ix := newAccounts(t, db)
	for _, c := range []struct {
		name string
		fill func(*uproar.Batch)
		want error
	}{
		{"unknown field", func(b *uproar.Batch) { b.Set("x", "alice", "bob") }, uproar.ErrUnknownField},
		{"empty record", func(b *uproar.Batch) { b.Set("follows", "", "bob") }, uproar.ErrInvalid},
		{"empty value", func(b *uproar.Batch) { b.Set("country", "alice", "") }, uproar.ErrInvalid},
		{"long key", func(b *uproar.Batch) { b.Set("follows", strings.Repeat("x", 1<<16), "bob") }, uproar.ErrInvalid},
		{"too large", func(b *uproar.Batch) {
			for i := range 300 {
				b.Set("follows", fmt.Sprint(i, strings.Repeat("x", 60_000)), "bob")
			}
		}, uproar.ErrTooLarge},
	} {
		var b uproar.Batch
		b.Set("follows", "first", "of the batch")
		c.fill(&b)
		if _, err := ix.Write(t.Context(), &b); !errors.Is(err, c.want) {
			t.Errorf("%s: got %.200v, want %v", c.name, err, c.want)
		}
	}
	if got := ask(t, ix, "all"); got != "" {
		t.Errorf("after refused batches: got %q, want nothing", got)
	}
	for _, fields := range [][]uproar.Field{
		{{Name: "9", Type: uproar.Set}}, {{Name: "", Type: uproar.Set}}, {{Name: "a b", Type: uproar.Set}},
		{{Name: "x", Type: "blob"}},
		{{Name: "x", Type: uproar.Relation}}, {{Name: "x", Type: uproar.Set, Inverse: "y"}},
		{{Name: "x", Type: uproar.Set}, {Name: "x", Type: uproar.Set}},
		{{Name: "x", Type: uproar.Relation, Inverse: "x"}},
	} {
		if _, err := db.CreateIndex(t.Context(), "other", fields...); !errors.Is(err, uproar.ErrInvalid) {
			t.Errorf("fields %v: got %v, want ErrInvalid", fields, err)
		}
	}
	if _, err := db.CreateIndex(t.Context(), "accounts"); !errors.Is(err, uproar.ErrIndexExists) {
		t.Errorf("got %v, want ErrIndexExists", err)
	}
	if _, err := db.Index("acounts"); !errors.Is(err, uproar.ErrUnknownIndex) ||
		!strings.Contains(err.Error(), "accounts") {
		t.Errorf("got %v, want ErrUnknownIndex with a suggestion", err)
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := ix.Write(t.Context(), func() *uproar.Batch {
		b := new(uproar.Batch)
		b.AddRecord("late")
		return b
	}()); !errors.Is(err, uproar.ErrClosed) && !errors.Is(err, store.ErrClosed) {
		t.Errorf("a write after Close: got %v, want ErrClosed", err)
	}
	snap := ix.Snapshot()
	defer snap.Close()
	if _, err := snap.Count(t.Context(), query.All{}); !errors.Is(err, uproar.ErrClosed) {
		t.Errorf("a question after Close: got %v, want ErrClosed", err)
	}
	if err := db.Close(); !errors.Is(err, uproar.ErrClosed) {
		t.Errorf("a second Close: got %v, want ErrClosed", err)
	}
}

// TestForeignStore refuses what is not a database, is from another version, or is damaged.
func TestForeignStore(t *testing.T) {
	put := func(key, value []byte) store.Store {
		s := memstore.New()
		db := openDB(t, keepOpen{s}, nil)
		newAccounts(t, db)
		db.Close()
		var b store.Batch
		b.Put(key, value)
		if err := s.Apply(&b, true); err != nil {
			t.Fatal(err)
		}
		return s
	}
	foreign := memstore.New()
	var b store.Batch
	b.Put([]byte("somebody's"), []byte("data"))
	if err := foreign.Apply(&b, true); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name string
		s    store.Store
		want error
	}{
		{"foreign", foreign, uproar.ErrNotDatabase},
		{"header of another version", put([]byte{0}, []byte{0xB9, 2, 0, 0, 0, 0, 0, 0}), uproar.ErrVersion},
		{"damaged header", put([]byte{0}, []byte{0xB9, 1, 0, 0, 0, 0, 0, 1}), uproar.ErrCorrupt},
		{"damaged catalog", put([]byte{1}, []byte{0xB9, 2, 0, 0, 0, 0, 0, 1, '{', '}'}), uproar.ErrCorrupt},
		{"short catalog", put([]byte{1}, []byte{0xB9}), uproar.ErrNotDatabase},
		{"damaged log", put([]byte{3, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 1}, []byte("not a log entry")),
			uproar.ErrCorrupt},
		{"log with a hole", put([]byte{3, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 9}, []byte("whatever")), uproar.ErrCorrupt},
		{"damaged manifest", put([]byte{2, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 1}, []byte("not a manifest record")),
			uproar.ErrCorrupt},
	} {
		if _, err := uproar.Open(t.Context(), c.s, nil); !errors.Is(err, c.want) {
			t.Errorf("%s: got %v, want %v", c.name, err, c.want)
		}
	}
}
