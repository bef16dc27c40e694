// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package uproar_test

import (
	"bytes"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"testing"

	"github.com/uproar-db/uproar"
	"github.com/uproar-db/uproar/query"
	"github.com/uproar-db/uproar/store/bboltstore"
	"github.com/uproar-db/uproar/store/memstore"
)

// edgeRecord is a record of the model.
type edgeRecord struct {
	city    string
	age     *int64
	born    *int64
	likes   map[string]bool
	follows map[string]bool
}

// edges is an index, and a plain model of what it must have.
type edges struct {
	t     *testing.T
	rng   *rand.Rand
	path  string
	db    *uproar.DB
	ix    *uproar.Index
	model map[string]*edgeRecord

	beside bool // a load is being merged: a Clear looks at the integer before it
}

// edgeInts are integers of records; few programs handle all of them correctly.
var edgeInts = []int64{math.MinInt64, math.MinInt64 + 1, math.MinInt64 + 2, math.MinInt32, -11, -10, -9, -1,
	0, 1, 9, 10, 63, 64, math.MaxInt64 - 1, math.MaxInt64}

func (e *edges) open() {
	e.t.Helper()
	s, err := bboltstore.Open(e.path, nil)
	if err != nil {
		e.t.Fatal(err)
	}
	if e.db, err = uproar.Open(e.t.Context(), s, &uproar.Options{MemoryBytes: 64 << 20}); err != nil {
		e.t.Fatal(err)
	}
}

func (e *edges) of(key string) *edgeRecord {
	p := e.model[key]
	if p == nil {
		p = &edgeRecord{likes: map[string]bool{}, follows: map[string]bool{}}
		e.model[key] = p
	}
	return p
}

func (e *edges) key() string  { return fmt.Sprint("r", e.rng.IntN(20)) }
func (e *edges) city() string { return fmt.Sprint("c", e.rng.IntN(5)) }
func (e *edges) like() string { return fmt.Sprint("l", e.rng.IntN(45)) }
func (e *edges) day() int64   { return e.rng.Int64N(1500) - 700 }

// int returns an integer, often one of the two that have the same word in a value column.
func (e *edges) int() int64 {
	if e.rng.IntN(3) == 0 {
		return edgeInts[e.rng.IntN(2)]
	}
	return edgeInts[e.rng.IntN(len(edgeInts))]
}

func (e *edges) write() {
	var b uproar.Batch
	for range 1 + e.rng.IntN(30) {
		k := e.key()
		switch e.rng.IntN(16) {
		case 0, 1, 2:
			x := e.int()
			b.SetInt("age", k, x)
			e.of(k).age = &x
		case 3, 4:
			c := e.city()
			b.Set("city", k, c)
			e.of(k).city = c
		case 5, 6, 7:
			l := e.like()
			b.Set("likes", k, l)
			e.of(k).likes[l] = true
		case 8, 9:
			o := e.key()
			b.Set("follows", k, o)
			e.of(k).follows[o] = true
			e.of(o)
		case 10:
			b.Unset("age", k)
			if p := e.model[k]; p != nil {
				p.age = nil
			}
		case 11:
			x := e.int()
			if e.beside {
				continue
			}
			b.Clear("age", k, fmt.Sprint(x))
			if p := e.model[k]; p != nil && p.age != nil && *p.age == x {
				p.age = nil
			}
		case 12:
			if e.rng.IntN(2) == 0 {
				b.DeleteRecord(k)
				delete(e.model, k)
				for _, p := range e.model {
					delete(p.follows, k)
				}
			} else {
				o := e.key()
				b.Clear("follows", k, o)
				if p := e.model[k]; p != nil {
					delete(p.follows, o)
				}
			}
		case 13:
			switch e.rng.IntN(3) {
			case 0:
				l := e.like()
				b.DeleteRow("likes", l)
				for _, p := range e.model {
					delete(p.likes, l)
				}
			case 1:
				c := e.city()
				b.DeleteRow("city", c)
				for _, p := range e.model {
					if p.city == c {
						p.city = ""
					}
				}
			case 2:
				b.DeleteRow("follows", k)
				if p := e.model[k]; p != nil {
					clear(p.follows)
				}
			}
		case 14:
			x := e.day()
			b.SetInt("born", k, x)
			e.of(k).born = &x
		case 15:
			b.AddRecord(k)
			e.of(k)
			l := e.like()
			b.Clear("likes", k, l)
			delete(e.of(k).likes, l)
		}
	}
	if _, err := e.ix.Write(e.t.Context(), &b); err != nil {
		e.t.Fatal(err)
	}
}

// load loads, with writes beside it: those before the commit go below the load, those after that
// over it.
func (e *edges) load() {
	var then []func()
	merge := func(int64, int64) {
		for _, f := range then {
			f()
		}
		then, e.beside = nil, true
		if e.rng.IntN(2) == 0 {
			e.write()
		}
		e.beside = false
	}
	l, err := e.ix.Load(e.t.Context(), &uproar.LoadOptions{Progress: merge})
	if err != nil {
		e.t.Fatal(err)
	}
	defer l.Abort()
	check := func(err error) {
		if err != nil {
			e.t.Fatal(err)
		}
	}
	for range 1 + e.rng.IntN(20) {
		k := fmt.Sprint("r", e.rng.IntN(30))
		switch e.rng.IntN(5) {
		case 0, 1:
			x := e.int()
			check(l.SetInt("age", k, x))
			then = append(then, func() { e.of(k).age = &x })
		case 2:
			c := e.city()
			check(l.Set("city", k, c))
			then = append(then, func() { e.of(k).city = c })
		case 3:
			c := e.like()
			check(l.Set("likes", k, c))
			then = append(then, func() { e.of(k).likes[c] = true })
		case 4:
			o := e.key()
			check(l.Set("follows", k, o))
			then = append(then, func() { e.of(k).follows[o] = true; e.of(o) })
		}
	}
	if e.rng.IntN(3) == 0 {
		e.write()
	}
	if e.rng.IntN(5) == 0 {
		return // aborted
	}
	check(l.Commit())
}

func (e *edges) find(fits func(k string, p *edgeRecord) bool) map[string]bool {
	out := map[string]bool{}
	for k, p := range e.model {
		if fits(k, p) {
			out[k] = true
		}
	}
	return out
}

func (e *edges) check(ix *uproar.Index) {
	t, ctx := e.t, e.t.Context()
	t.Helper()
	snap := ix.Snapshot()
	defer snap.Close()
	for round := range 1 + 12*e.rng.IntN(2) {
		text, want := e.question(2)
		q, err := query.Parse(text)
		if err != nil {
			t.Fatal(text, err)
		}
		keys, err := snap.Keys(ctx, q, uproar.Page{})
		if err != nil {
			t.Fatal(text, err)
		}
		slices.Sort(keys.Keys)
		var right []string
		for k := range want {
			right = append(right, k)
		}
		slices.Sort(right)
		if !slices.Equal(keys.Keys, right) {
			t.Fatalf("round %d: %s:\n got %v\nwant %v", round, text, keys.Keys, right)
		}
		if n, err := snap.Count(ctx, q); err != nil || n != uint64(len(right)) {
			t.Fatalf("%s: got count %d, %v, want %d", text, n, err, len(right))
		}
		of, err := snap.Select(ctx, q)
		if err != nil {
			t.Fatal(err)
		}
		e.checkGroups(of, want)
		e.checkNumbers(of, want)
		e.checkTop(of, want)
	}
	for k, p := range e.model {
		x, ok, err := snap.Int("age", k)
		if err != nil || ok != (p.age != nil) || ok && x != *p.age {
			t.Fatalf("%s: got %d %v %v, want %v", k, x, ok, err, p.age)
		}
	}
}

// restore restores the backup and its increments to another database, and checks that.
func (e *edges) restore(backups [][]byte) {
	var readers []io.Reader
	for _, b := range backups {
		readers = append(readers, bytes.NewReader(b))
	}
	s := memstore.New()
	if _, err := uproar.Restore(e.t.Context(), s, readers...); err != nil {
		e.t.Fatal(err)
	}
	db, err := uproar.Open(e.t.Context(), s, nil)
	if err != nil {
		e.t.Fatal(err)
	}
	defer db.Close()
	ix, err := db.Index("people")
	if err != nil {
		e.t.Fatal(err)
	}
	e.check(ix)
	if err := db.Verify(e.t.Context(), nil); err != nil {
		e.t.Fatal(err)
	}
}

// TestEdgesModel asks random questions of an index and of a plain model: of unflushed, flushed,
// restarted, loaded, compacted and restored states.
func TestEdgesModel(t *testing.T) {
	runs, steps := uint64(4), 30
	if testing.Short() {
		runs = 1
	}
	for seed := range runs {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			e := &edges{t: t, rng: rand.New(rand.NewPCG(seed, 30)), model: map[string]*edgeRecord{}}
			e.path = filepath.Join(t.TempDir(), "db")
			e.open()
			var column uproar.Column
			if e.rng.IntN(2) == 0 {
				column = uproar.FastColumn
			}
			var err error
			e.ix, err = e.db.CreateIndex(t.Context(), "people", uproar.Field{Name: "city", Type: uproar.Single},
				uproar.Field{Name: "likes", Type: uproar.Set, Column: column},
				uproar.Field{Name: "age", Type: uproar.Integer},
				uproar.Field{Name: "born", Type: uproar.Integer, Format: uproar.Date},
				uproar.Field{Name: "follows", Type: uproar.Relation, Inverse: "followers"})
			if err != nil {
				t.Fatal(err)
			}
			var backups [][]byte
			var last *uproar.BackupInfo
			for range steps {
				switch e.rng.IntN(12) {
				case 0:
					if err := e.ix.Flush(t.Context()); err != nil {
						t.Fatal(err)
					}
				case 1:
					if err := e.db.Close(); err != nil {
						t.Fatal(err)
					}
					e.open()
					if e.ix, err = e.db.Index("people"); err != nil {
						t.Fatal(err)
					}
				case 2, 3:
					e.load()
				case 4:
					var b bytes.Buffer
					o := &uproar.BackupOptions{}
					if last != nil {
						o.Since = last
					}
					info, err := e.db.Backup(t.Context(), &b, o)
					if err != nil {
						t.Fatal(err)
					}
					last, backups = info, append(backups, b.Bytes())
					e.restore(backups)
				case 5:
					if err := e.db.Compact(t.Context(), nil); err != nil {
						t.Fatal(err)
					}
				default:
					e.write()
				}
				e.check(e.ix)
			}
			if err := e.db.Verify(t.Context(), nil); err != nil {
				t.Fatal(err)
			}
			if err := e.db.Close(); err != nil {
				t.Fatal(err)
			}
		})
	}
}
