// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package uproar_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"strconv"
	"sync"
	"testing"

	"github.com/uproar-db/uproar"
	"github.com/uproar-db/uproar/query"
	"github.com/uproar-db/uproar/store"
	"github.com/uproar-db/uproar/store/memstore"
)

func people(t testing.TB) (*uproar.DB, *uproar.Index) {
	t.Helper()
	return peopleIn(t, memstore.New())
}

func peopleIn(t testing.TB, s store.Store) (*uproar.DB, *uproar.Index) {
	t.Helper()
	db, err := uproar.Open(context.Background(), s, nil)
	if err != nil {
		t.Fatal(err)
	}
	ix, err := db.CreateIndex(context.Background(), "people",
		uproar.Field{Name: "follows", Type: uproar.Relation, Inverse: "followers"},
		uproar.Field{Name: "tag", Type: uproar.Set},
		uproar.Field{Name: "city", Type: uproar.Single},
		uproar.Field{Name: "age", Type: uproar.Integer})
	if err != nil {
		t.Fatal(err)
	}
	return db, ix
}

func put(t testing.TB, ix *uproar.Index, fill func(*uproar.Batch)) {
	t.Helper()
	var b uproar.Batch
	fill(&b)
	if _, err := ix.Write(t.Context(), &b); err != nil {
		t.Fatal(err)
	}
}

// answer returns the keys that a query fits, in one string.
func answer(t testing.TB, ix *uproar.Index, q string) string {
	t.Helper()
	e, err := query.Parse(q)
	if err != nil {
		t.Fatal(err)
	}
	snap := ix.Snapshot()
	defer snap.Close()
	keys, err := snap.Keys(t.Context(), e, uproar.Page{})
	if err != nil {
		t.Fatal(err)
	}
	n, err := snap.Count(t.Context(), e)
	if err != nil || n != uint64(len(keys.Keys)) {
		t.Fatalf("%s: got count %d, %v, want %d", q, n, err, len(keys.Keys))
	}
	return fmt.Sprint(keys.Keys)
}

// TestDeleteRecord deletes a record and makes it anew, and looks before the flush, after it, and
// after more.
func TestDeleteRecord(t *testing.T) {
	db, ix := people(t)
	defer db.Close()
	put(t, ix, func(b *uproar.Batch) {
		b.Set("follows", "ann", "bob")
		b.Set("follows", "bob", "ann")
		b.Set("follows", "cid", "bob")
		b.Set("tag", "bob", "x")
		b.Set("tag", "ann", "x")
		b.Set("city", "bob", "Rome")
		b.SetInt("age", "bob", 40)
	})
	if err := ix.Flush(t.Context()); err != nil {
		t.Fatal(err)
	}
	gone := func() {
		t.Helper()
		for q, want := range map[string]string{
			"all": "[ann cid]", "tag = x": "[ann]", "follows(ann)": "[]", "followers(ann)": "[]", "follows(bob)": "[]",
			"not follows = bob": "[ann cid]", "city = Rome": "[]",
			"not tag = x": "[cid]",
		} {
			if got := answer(t, ix, q); got != want {
				t.Errorf("%s: got %s, want %s", q, got, want)
			}
		}
	}
	put(t, ix, func(b *uproar.Batch) { b.DeleteRecord("bob"); b.DeleteRecord("nobody") })
	gone()
	if err := ix.Flush(t.Context()); err != nil {
		t.Fatal(err)
	}
	gone()
	put(t, ix, func(b *uproar.Batch) { b.Set("tag", "bob", "y"); b.DeleteRecord("bob"); b.Set("tag", "bob", "z") })
	snap := ix.Snapshot()
	defer snap.Close()
	if _, ok, err := snap.Value("city", "bob"); ok || err != nil {
		t.Errorf("got a city of a new record, %v, want none", err)
	}
	for q, want := range map[string]string{"all": "[ann cid bob]", "tag = y": "[]", "tag = z": "[bob]",
		"follows(bob)": "[]", "followers(bob)": "[]"} {
		if got := answer(t, ix, q); got != want {
			t.Errorf("%s: got %s, want %s", q, got, want)
		}
	}
}

// TestDeleteRow empties lists of each kind of field that has rows.
func TestDeleteRow(t *testing.T) {
	db, ix := people(t)
	defer db.Close()
	put(t, ix, func(b *uproar.Batch) {
		for _, p := range []string{"a", "b", "c"} {
			b.Set("tag", p, "x")
			b.Set("city", p, "Rome")
			b.Set("follows", "star", p)
			b.Set("follows", p, "star")
		}
	})
	put(t, ix, func(b *uproar.Batch) {
		b.DeleteRow("tag", "x")
		b.DeleteRow("city", "Rome")
		b.DeleteRow("follows", "star")
		b.DeleteRow("tag", "never seen")
		b.Set("tag", "b", "x")
		b.Set("city", "b", "Rome")
	})
	for range 2 {
		for q, want := range map[string]string{"tag = x": "[b]", "city = Rome": "[b]", "follows(star)": "[]",
			"followers(star)": "[a b c]", "followers(a)": "[]", "all": "[a star b c]"} {
			if got := answer(t, ix, q); got != want {
				t.Errorf("%s: got %s, want %s", q, got, want)
			}
		}
		if err := ix.Flush(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	var b uproar.Batch
	b.DeleteRow("age", "1")
	if _, err := ix.Write(t.Context(), &b); !errors.Is(err, uproar.ErrInvalid) {
		t.Errorf("got %v, want ErrInvalid", err)
	}
}

// TestSingleValues shows that a value takes the place of the one before, and what is refused.
func TestSingleValues(t *testing.T) {
	db, ix := people(t)
	defer db.Close()
	city := func() string {
		snap := ix.Snapshot()
		defer snap.Close()
		v, ok, err := snap.Value("city", "ann")
		x, has, err2 := snap.Int("age", "ann")
		is, err3 := snap.Has("age", "ann", strconv.FormatInt(x, 10))
		if err := errors.Join(err, err2, err3); err != nil || is != has {
			t.Fatal(err, is, has)
		}
		return fmt.Sprintf("%s %v %d %v", v, ok, x, has)
	}
	for i, step := range []struct {
		write func(*uproar.Batch)
		want  string
	}{
		{func(b *uproar.Batch) { b.Set("city", "ann", "Rome"); b.Set("age", "ann", "-7") }, "Rome true -7 true"},
		{func(b *uproar.Batch) {
			b.Set("city", "ann", "Oslo")
			b.SetInt("age", "ann", math.MaxInt64)
		}, "Oslo true 9223372036854775807 true"},
		{func(b *uproar.Batch) {
			b.Clear("city", "ann", "Rome")
			b.Clear("age", "ann", "5")
		}, "Oslo true 9223372036854775807 true"},
		{func(b *uproar.Batch) { b.Clear("city", "ann", "Oslo"); b.Unset("age", "ann") }, " false 0 false"},
		{func(b *uproar.Batch) {
			b.Set("city", "ann", "Rome")
			b.SetInt("age", "ann", 0)
			b.Unset("city", "ann")
		}, " false 0 true"},
		{func(b *uproar.Batch) { b.Clear("age", "ann", "0"); b.Unset("city", "nobody") }, " false 0 false"},
	} {
		put(t, ix, step.write)
		if got := city(); got != step.want {
			t.Errorf("step %d: got %s, want %s", i, got, step.want)
		}
		if err := ix.Flush(t.Context()); err != nil {
			t.Fatal(err)
		}
		if got := city(); got != step.want {
			t.Errorf("step %d, flushed: got %s, want %s", i, got, step.want)
		}
	}
	for what, write := range map[string]func(*uproar.Batch){
		"text":            func(b *uproar.Batch) { b.Set("age", "ann", "old") },
		"Unset of a set":  func(b *uproar.Batch) { b.Unset("tag", "ann") },
		"SetInt of a set": func(b *uproar.Batch) { b.SetInt("tag", "ann", 1) },
	} {
		var b uproar.Batch
		write(&b)
		if _, err := ix.Write(t.Context(), &b); !errors.Is(err, uproar.ErrInvalid) {
			t.Errorf("%s: got %v, want ErrInvalid", what, err)
		}
	}
}

// TestDeleteBesideWriters deletes records while others are writing to them, with flushes between:
// each write lands in a record that exists, whole, and the single values agree with the lists.
func TestDeleteBesideWriters(t *testing.T) {
	db, ix := people(t)
	defer db.Close()
	const writers, rounds, names = 4, 150, 5
	var all sync.WaitGroup
	for w := range writers {
		all.Go(func() {
			for i := range rounds {
				name := fmt.Sprint("p", (i*7+w)%names)
				var b uproar.Batch
				if (i+w)%3 == 0 {
					b.DeleteRecord(name)
				} else {
					b.Set("city", name, fmt.Sprint("c", i%4))
					b.Set("tag", name, fmt.Sprint("t", i%4))
					b.Set("follows", name, fmt.Sprint("p", (i+1)%names))
				}
				if _, err := ix.Write(t.Context(), &b); err != nil {
					t.Error(err)
					return
				}
				if i%20 == 0 {
					if err := ix.Flush(t.Context()); err != nil {
						t.Error(err)
					}
				}
			}
		})
	}
	all.Wait()
	for range 2 {
		snap := ix.Snapshot()
		for n := range names {
			name, in := fmt.Sprint("p", n), 0
			city, has, err := snap.Value("city", name)
			if err != nil && !errors.Is(err, uproar.ErrUnknownRecord) {
				t.Fatal(err)
			}
			for c := range 4 {
				ok, err := snap.Has("city", name, fmt.Sprint("c", c))
				if err != nil && !errors.Is(err, uproar.ErrUnknownRecord) {
					t.Fatal(err)
				}
				if ok {
					in++
					if city != fmt.Sprint("c", c) {
						t.Errorf("%s: got city %q and the list of c%d", name, city, c)
					}
				}
			}
			if has && in != 1 || !has && in != 0 {
				t.Errorf("%s: got %d lists of cities, has %v", name, in, has)
			}
			for m := range names {
				other := fmt.Sprint("p", m)
				a, err1 := snap.Has("follows", name, other)
				b, err2 := snap.Has("followers", other, name)
				if (err1 == nil) != (err2 == nil) || a != b {
					t.Errorf("%s follows %s: got %v, %v one way and %v, %v the other", name, other, a, err1, b, err2)
				}
			}
		}
		snap.Close()
		if err := ix.Flush(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
}

// interrupted is a context that calls a function when it is asked for its error for the second
// time: in the middle of the look-up of a batch.
type interrupted struct {
	context.Context
	asked int
	fn    func()
}

func (c *interrupted) Err() error {
	if c.asked++; c.asked == 2 {
		c.fn()
	}
	return c.Context.Err()
}

// TestDeleteBesideLookup deletes a record, and flushes that, while a batch that names the record is
// being looked up: the record is made anew with what the batch says.
func TestDeleteBesideLookup(t *testing.T) {
	db, ix := people(t)
	defer db.Close()
	put(t, ix, func(b *uproar.Batch) { b.Set("tag", "a", "old") })
	ctx := &interrupted{Context: t.Context(), fn: func() {
		put(t, ix, func(b *uproar.Batch) { b.DeleteRecord("a") })
		if err := ix.Flush(t.Context()); err != nil {
			t.Fatal(err)
		}
	}}
	var b uproar.Batch
	b.Set("tag", "a", "new")
	for i := range 300 {
		b.Set("tag", "b"+strconv.Itoa(i), "other")
	}
	if _, err := ix.Write(ctx, &b); err != nil {
		t.Fatal(err)
	}
	if ctx.asked < 2 {
		t.Fatal("nothing was deleted while the batch was looked up")
	}
	for q, want := range map[string]string{"tag = new": "[a]", "tag = old": "[]"} {
		if got := answer(t, ix, q); got != want {
			t.Errorf("%s: got %s, want %s", q, got, want)
		}
	}
	if err := db.Verify(t.Context(), nil); err != nil {
		t.Error(err)
	}
}

func ExampleBatch_DeleteRecord() {
	ctx := context.Background()
	db, err := uproar.Open(ctx, memstore.New(), nil)
	if err != nil {
		panic(err)
	}
	defer db.Close()
	people, err := db.CreateIndex(ctx, "people",
		uproar.Field{Name: "city", Type: uproar.Single},
		uproar.Field{Name: "born", Type: uproar.Integer})
	if err != nil {
		panic(err)
	}
	var b uproar.Batch
	b.Set("city", "ada", "London")
	b.SetInt("born", "ada", 1815)
	b.Set("city", "ada", "Paris") // in the place of London
	b.Set("city", "bob", "Paris")
	b.DeleteRecord("bob")
	if _, err := people.Write(ctx, &b); err != nil {
		panic(err)
	}
	snap := people.Snapshot()
	defer snap.Close()
	keys, err := snap.Keys(ctx, query.Equal{Field: "city", Value: "Paris"}, uproar.Page{})
	fmt.Println(keys.Keys, err)
	fmt.Println(snap.Int("born", "ada"))
	// Output:
	// [ada] <nil>
	// 1815 true <nil>
}
