// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package reader

import (
	"fmt"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/uproar-db/uproar/internal/posting/memory"
)

// TestMergedTable: many lists find their places in a table that grows, and only theirs.
func TestMergedTable(t *testing.T) {
	memory, err := memory.New(64 << 20)
	if err != nil {
		t.Fatal(err)
	}
	var m MergedLists
	for i := range uint64(1000) {
		m.put(memory, &mergedList{Field: uint32(4 * (i % 3)), Row: i, Bytes: 100})
	}
	for i := range uint64(1000) {
		for field := range uint32(3) {
			l := m.get(4*field, i)
			if (l != nil) != (uint64(field) == i%3) || l != nil && l.Row != i {
				t.Fatalf("field %d, row %d: got %+v", 4*field, i, l)
			}
		}
	}
	m.End(memory)
	m.put(memory, &mergedList{Field: 4, Row: 5000, Bytes: 100})
	if use := memory.Usage().Indexes; use != 0 || m.get(4, 5000) != nil {
		t.Errorf("got %d bytes counted after the end, want 0 and no new list", use)
	}
	full := MergedLists{Bytes: memory.Limit / mergedShare}
	full.put(memory, &mergedList{Field: 4, Row: 1, Bytes: 1})
	if full.get(4, 1) != nil {
		t.Error("got a list beyond the share of the memory")
	}
}

// TestMergedGetBesidePut: who looks for a list while others are put gets it or none, never the one
// of another row. All rows begin at one slot, so that every list is put where the look-up of the
// absent one ends.
func TestMergedGetBesidePut(t *testing.T) {
	memory, err := memory.New(64 << 20)
	if err != nil {
		t.Fatal(err)
	}
	var rows []uint64
	for row := uint64(0); len(rows) < leastMergedSlots/2; row++ {
		if mergedHash(4, row)%leastMergedSlots == 7 {
			rows = append(rows, row)
		}
	}
	absent, rows := rows[0], rows[1:]
	for range 1000 {
		var m MergedLists
		var done atomic.Bool
		var looking sync.WaitGroup
		looking.Go(func() {
			for !done.Load() {
				if l := m.get(4, absent); l != nil {
					t.Errorf("row %d: got the list of row %d", absent, l.Row)
					return
				}
			}
		})
		for _, row := range rows {
			m.put(memory, &mergedList{Field: 4, Row: row, Bytes: 1})
		}
		done.Store(true)
		looking.Wait()
		m.End(memory)
	}
}

// TestMergedListsOfManyIndexes: many states with merged lists, which nobody ends, leave memory to
// queries.
func TestMergedListsOfManyIndexes(t *testing.T) {
	bound, err := memory.New(64 << 20)
	if err != nil {
		t.Fatal(err)
	}
	states := make([]MergedLists, 40)
	for i := range states {
		for row := range uint64(4) {
			states[i].put(bound, &mergedList{Field: 4, Row: row, Bytes: bound.Limit / mergedShare / 4})
		}
	}
	if use := bound.Usage().Indexes; use != bound.Limit/memory.AllMergedShare {
		t.Errorf("got %d bytes of merged lists, want %d", use, bound.Limit/memory.AllMergedShare)
	}
	if err := bound.Take(memory.Queries, bound.Limit/2); err != nil {
		t.Errorf("half of the memory is not left to a query: %v", err)
	}
	states[0].End(bound)
	states[39].put(bound, &mergedList{Field: 4, Row: 9, Bytes: 100})
	if states[39].get(4, 9) == nil {
		t.Error("got no list, want one once another state has given its memory back")
	}
}

// BenchmarkMergedGet looks for lists that are not merged, as every reader does.
func BenchmarkMergedGet(b *testing.B) {
	for _, lists := range []int{0, 100, 10_000} {
		b.Run(fmt.Sprint(lists), func(b *testing.B) {
			memory, err := memory.New(1 << 30)
			if err != nil {
				b.Fatal(err)
			}
			var m MergedLists
			for i := range lists {
				m.put(memory, &mergedList{Field: 4, Row: uint64(i), Bytes: 100})
			}
			for i := range b.N {
				m.get(8, uint64(i))
			}
		})
	}
}
