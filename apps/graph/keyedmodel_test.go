// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package graph_test

import (
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/uproar-db/uproar"
	"github.com/uproar-db/uproar/apps/graph"
	"github.com/uproar-db/uproar/store"
	"github.com/uproar-db/uproar/store/memstore"
)

// killable is a store whose database can be killed: nothing that it does from then on comes to be
// there, and another database goes on with what is.
type killable struct {
	*memstore.Store
	killed *atomic.Bool
}

var errKilled = errors.New("killed")

func (s killable) Apply(b *store.Batch, sync bool) error {
	if s.killed.Load() {
		return errKilled
	}
	return s.Store.Apply(b, sync)
}

func (s killable) Close() error { return nil }

// keyedModel is a graph with records as plain maps: of each relation and account, targets by keys,
// and those without.
type keyedModel map[string]*modelEdges

type modelEdges struct {
	records map[string]string
	plain   map[string]bool
}

func (m keyedModel) of(c graph.Change) *modelEdges {
	name := string(c.Relation) + " " + c.Account
	if m[name] == nil {
		m[name] = &modelEdges{map[string]string{}, map[string]bool{}}
	}
	return m[name]
}

// drop takes a record away, and its edge with the last.
func (e *modelEdges) drop(key string) {
	if target, ok := e.records[key]; ok {
		delete(e.records, key)
		delete(e.plain, target)
	}
}

func (m keyedModel) apply(c graph.Change) {
	switch c.Op {
	case graph.Delete:
		for name, e := range m {
			if strings.HasSuffix(name, " "+c.Account) {
				delete(m, name)
				continue
			}
			maps.DeleteFunc(e.records, func(_, target string) bool { return target == c.Account })
			delete(e.plain, c.Account)
		}
		return
	case graph.Replace:
		e := m.of(c)
		clear(e.records)
		clear(e.plain)
		for _, x := range c.Edges {
			if x.Key == "" {
				e.plain[x.Target] = true
			} else {
				e.records[x.Key] = x.Target
			}
		}
		return
	}
	e := m.of(c)
	switch {
	case c.Op == graph.Set && c.Key == "":
		e.plain[c.Target] = true
	case c.Op == graph.Set:
		if e.records[c.Key] != c.Target {
			e.drop(c.Key)
			e.records[c.Key] = c.Target
		}
	case c.Key != "":
		e.drop(c.Key)
	default:
		maps.DeleteFunc(e.records, func(_, target string) bool { return target == c.Target })
		delete(e.plain, c.Target)
	}
}

// list is what recordsOf lists.
func (m keyedModel) list(account string) string {
	e := m.of(graph.Change{Relation: graph.Follows, Account: account})
	var list []string
	keyed := make(map[string]bool)
	for key, target := range e.records {
		list = append(list, target+"="+key)
		keyed[target] = true
	}
	for target := range e.plain {
		if !keyed[target] {
			list = append(list, target+"=")
		}
	}
	slices.Sort(list)
	return strings.Join(list, " ")
}

// histories returns how many changes a test of random histories makes: UPROAR_HISTORIES says how
// many for a long run.
func histories(t *testing.T) int {
	if n, err := strconv.Atoi(os.Getenv("UPROAR_HISTORIES")); err == nil {
		return n
	}
	if testing.Short() {
		return 4000
	}
	return 20_000
}

// keyedHistory draws changes as a network sends them: new, repeated, updated and deleted records.
type keyedHistory struct {
	*rand.Rand
	keys []string
}

func newKeyedHistory(seed uint64) *keyedHistory {
	h := &keyedHistory{Rand: rand.New(rand.NewPCG(seed, 1))}
	for i := range 60 {
		h.keys = append(h.keys, fmt.Sprintf("3m6i4wtqk%c%c2l", 'a'+i/20, 'a'+i%20), fmt.Sprintf("text-%d", i%7))
	}
	return h
}

func (h *keyedHistory) account() string { return "a" + strconv.Itoa(h.IntN(14)) }

func (h *keyedHistory) change() graph.Change {
	c := graph.Change{Op: graph.Set, Relation: graph.Follows, Account: h.account(), Key: h.keys[h.IntN(len(h.keys))]}
	if h.IntN(5) == 0 {
		c.Relation = graph.Blocks
	}
	switch n := h.IntN(20); {
	case n < 11:
		c.Target = h.account()
	case n < 16:
		c.Op = graph.Clear
	case n < 17:
		c.Op, c.Key, c.Target = graph.Clear, "", h.account()
	case n < 18:
		c.Key, c.Target = "", h.account()
	default:
		c.Op, c.Key = graph.Replace, ""
		for range h.IntN(8) {
			c.Edges = append(c.Edges, graph.Edge{Target: h.account(), Key: h.keys[h.IntN(len(h.keys))]})
		}
		slices.SortFunc(c.Edges, func(a, b graph.Edge) int { return strings.Compare(a.Key, b.Key) })
		c.Edges = slices.CompactFunc(c.Edges, func(a, b graph.Edge) bool { return a.Key == b.Key })
	}
	return c
}

// TestKeyedHistories makes random histories in a graph, flushes, closes and kills it, and compares
// it with plain maps.
func TestKeyedHistories(t *testing.T) {
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	h, m, mem := newKeyedHistory(seed), keyedModel{}, memstore.New()
	var killed *atomic.Bool
	var db *uproar.DB
	var g *graph.Graph
	reopen := func() {
		killed = new(atomic.Bool)
		var err error
		if db, err = uproar.Open(t.Context(), killable{mem, killed}, nil); err != nil {
			t.Fatal(err)
		}
		g, err = graph.OpenWith(t.Context(), db, graph.Options{Keyed: []graph.Relation{graph.Follows, graph.Blocks}})
		if err != nil {
			t.Fatal(err)
		}
	}
	reopen()
	position := int64(0)
	for made, most := 0, histories(t); made < most; {
		var list []graph.Change
		if h.IntN(60) == 0 {
			list = append(list, graph.Change{Op: graph.Delete, Account: h.account()})
		} else {
			for range 1 + h.IntN(6) {
				c := h.change()
				if h.IntN(50) == 0 {
					c = graph.Change{Op: graph.Delete, Account: h.account()}
				}
				if list = append(list, c); h.IntN(8) == 0 {
					list = append(list, c) // redelivered
				}
			}
		}
		made += len(list)
		position++
		if _, err := g.Write(t.Context(), graph.Changes{List: list, Stream: "stream", Position: position}); err != nil {
			t.Fatalf("%+v: %v", list, err)
		}
		for _, c := range list {
			m.apply(c)
		}
		switch n := h.IntN(100); {
		case n < 6:
			if err := g.Index().Flush(t.Context()); err != nil {
				t.Fatal(err)
			}
		case n < 8:
			if err := db.Close(); err != nil {
				t.Fatal(err)
			}
			reopen()
		case n < 10:
			killed.Store(true)
			old := db
			reopen()
			_ = old.Close() // which is told that nothing can be written
		case n < 20:
		default:
			continue
		}
		for i := range 14 {
			account := "a" + strconv.Itoa(i)
			if got, want := recordsOf(t, g, account), m.list(account); got != want {
				t.Fatalf("%s after %d changes, the last %+v:\ngot  %s\nwant %s", account, made, list, got, want)
			}
		}
		if got, _, err := g.Position("stream"); got != position || err != nil {
			t.Fatalf("got position %d, %v, want %d", got, err, position)
		}
	}
	if err := g.Index().Flush(t.Context()); err != nil {
		t.Fatal(err)
	}
	if err := db.Verify(t.Context(), nil); err != nil {
		t.Fatal(err)
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
}
