// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package salvage

import (
	"bytes"
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"strconv"
	"testing"

	"github.com/uproar-db/uproar"
	"github.com/uproar-db/uproar/query"
	"github.com/uproar-db/uproar/store"
)

// fact is that a record has a value in a field; field "" says that it exists.
type fact struct{ field, record, value string }

// world is all that is true of a database.
type world struct {
	facts map[fact]bool
	ever  map[fact]bool        // and all that was true before
	one   map[[2]string]string // the values of fields that have one for a record
}

// add adds what is true from now on.
func (w *world) add(f fact) { w.facts[f], w.ever[f] = true, true }

// assign gives a record its only value of a field.
func (w *world) assign(field, record, value string) {
	w.add(fact{field, record, value})
	w.one[[2]string{field, record}] = value
}

var fields = []uproar.Field{
	{Name: "tags", Type: uproar.Set},
	{Name: "fast", Type: uproar.Set, Column: uproar.FastColumn},
	{Name: "small", Type: uproar.Set, Column: uproar.SmallColumn},
	{Name: "follows", Type: uproar.Relation, Inverse: "followers"},
	{Name: "city", Type: uproar.Single},
	{Name: "age", Type: uproar.Integer},
}

// fill makes a database with every kind of field in a store, which it closes: some of it in pages,
// some in the log only. It returns all that is true of it.
func fill(t *testing.T, s store.Store, records int, seed uint64) *world {
	t.Helper()
	ctx, rng := t.Context(), rand.New(rand.NewPCG(seed, 1))
	db, err := uproar.Open(ctx, s, nil)
	must(t, err)
	ix, err := db.CreateIndex(ctx, "things", fields...)
	must(t, err)
	must(t, db.SetNote(ctx, "things", []byte("a note")))
	must(t, db.SetAlias(ctx, "stuff", "things"))
	w := &world{map[fact]bool{}, map[fact]bool{}, map[[2]string]string{}}
	write := func(from, to int) {
		for at := from; at < to; at += 500 {
			b := new(uproar.Batch)
			for i := at; i < min(to, at+500); i++ {
				w.writeRecord(rng, b, i, records)
			}
			_, err := ix.Write(ctx, b)
			must(t, err)
		}
	}
	write(0, records)
	b := new(uproar.Batch)
	for range 20 {
		record := key(rng.IntN(records))
		b.DeleteRecord(record)
		w.forget(record)
	}
	_, err = ix.Write(ctx, b)
	must(t, err)
	must(t, ix.Flush(ctx))
	write(records-500, records+500)
	_, err = ix.Save(ctx, "vips", query.Equal{Field: "tags", Value: "tag3"})
	must(t, err)
	for f := range w.facts {
		if f.field == "tags" && f.value == "tag3" {
			w.add(fact{uproar.SavedField, f.record, "vips"})
		}
	}
	must(t, db.Close())
	return w
}

func key(i int) string {
	return fmt.Sprintf("record-%d-%x", i, uint64(i)*0x9E3779B97F4A7C15)
}

// forget takes out what is said of a record.
func (w *world) forget(record string) {
	for f := range w.facts {
		if f.record == record || f.field == "follows" && f.value == record {
			delete(w.facts, f)
			delete(w.one, [2]string{f.field, f.record})
		}
	}
}

// writeRecord writes a record anew.
func (w *world) writeRecord(rng *rand.Rand, b *uproar.Batch, i, records int) {
	record := key(i)
	b.AddRecord(record)
	w.add(fact{"", record, ""})
	for _, field := range []string{"tags", "fast", "small"} {
		for range rng.IntN(4) {
			value := "tag" + strconv.Itoa(int(math.Pow(300, rng.Float64())))
			b.Set(field, record, value)
			w.add(fact{field, record, value})
		}
	}
	for range rng.IntN(6) {
		other := key(rng.IntN(records))
		b.Set("follows", record, other)
		w.add(fact{"", other, ""})
		w.add(fact{"follows", record, other})
	}
	for _, field := range []string{"city", "age"} {
		if old, ok := w.one[[2]string{field, record}]; ok {
			delete(w.facts, fact{field, record, old})
			delete(w.one, [2]string{field, record})
		}
	}
	if rng.IntN(4) > 0 {
		city := "city" + strconv.Itoa(rng.IntN(100))
		b.Set("city", record, city)
		w.assign("city", record, city)
	} else {
		b.Unset("city", record)
	}
	if rng.IntN(4) > 0 {
		x := rng.Int64N(200) - 100
		if rng.IntN(100) == 0 {
			x = [...]int64{math.MinInt64, math.MinInt64 + 1, math.MaxInt64}[rng.IntN(3)]
		}
		b.SetInt("age", record, x)
		w.assign("age", record, strconv.FormatInt(x, 10))
	} else {
		b.Unset("age", record)
	}
}

// all returns all that is true of a database.
func all(t *testing.T, db *uproar.DB) map[fact]bool {
	t.Helper()
	ctx := context.Background()
	facts := map[fact]bool{}
	ix, err := db.Index("stuff")
	must(t, err)
	if got := string(ix.Note()); got != "a note" {
		t.Fatalf("the note of the new database: got %q, want %q", got, "a note")
	}
	s := ix.Snapshot()
	defer s.Close()
	everyone, err := s.Keys(ctx, query.All{}, uproar.Page{})
	must(t, err)
	for _, record := range everyone.Keys {
		facts[fact{"", record, ""}] = true
		x, ok, err := s.Int("age", record)
		must(t, err)
		if ok {
			facts[fact{"age", record, strconv.FormatInt(x, 10)}] = true
		}
	}
	for _, field := range []string{"tags", "fast", "small", "city", uproar.SavedField} {
		for row, err := range s.Rows(ctx, field) {
			must(t, err)
			var q query.Expr = query.Equal{Field: field, Value: row.Key}
			if field == uproar.SavedField {
				q = query.Saved{Name: row.Key}
			}
			with, err := s.Keys(ctx, q, uproar.Page{})
			must(t, err)
			for _, record := range with.Keys {
				facts[fact{field, record, row.Key}] = true
			}
		}
	}
	for row, err := range s.Rows(ctx, "follows") {
		must(t, err)
		with, err := s.Keys(ctx, query.Related{Field: "follows", Key: row.Key}, uproar.Page{})
		must(t, err)
		for _, other := range with.Keys {
			facts[fact{"follows", row.Key, other}] = true
		}
	}
	return facts
}

// content returns all entries of a store.
func content(t *testing.T, s store.Store) (ops []store.Op) {
	t.Helper()
	must(t, s.Scan(nil, nil, func(key, value []byte) error {
		ops = append(ops, store.Op{Key: bytes.Clone(key), Value: bytes.Clone(value)})
		return nil
	}))
	return ops
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
