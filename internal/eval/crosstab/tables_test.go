// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package crosstab

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/uproar-db/uproar/internal/eval/evaltest"
	"github.com/uproar-db/uproar/internal/posting"
	"github.com/uproar-db/uproar/internal/posting/memory"
	"github.com/uproar-db/uproar/internal/posting/model"
	"github.com/uproar-db/uproar/internal/roaring/mutable"
	"github.com/uproar-db/uproar/internal/roaring/pair"
	"github.com/uproar-db/uproar/store/memstore"
)

const (
	gender = 8
	age    = 12
)

// openPeople opens an empty index with two single-valued fields of few rows.
func openPeople(t *testing.T) *posting.Index {
	t.Helper()
	memory, err := memory.New(256 << 20)
	if err != nil {
		t.Fatal(err)
	}
	ix, err := posting.Open(memstore.New(), posting.Config{ID: 1, Memory: memory, DeltaBytes: 64 << 20,
		Fields: []model.Field{{ID: gender, Kind: model.Rows}, {ID: age, Kind: model.Rows}}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { ix.Close() })
	return ix
}

// people is the row that each record has in each field.
type people map[uint32]map[uint64]uint64

// write gives some records rows below a number, and takes those of others away.
func (p people) write(t *testing.T, ix *posting.Index, rng *rand.Rand, records uint64, rows map[uint32]uint64) {
	t.Helper()
	var b posting.Batch
	for field, n := range rows {
		for i := range n {
			b.Key(model.KeySpace(field), fmt.Sprint(i))
		}
		for range 1500 {
			switch record := rng.Uint64N(records); {
			case rng.IntN(8) == 0:
				b.Unassign(field, model.ID(record))
				delete(p[field], record)
			default:
				row := rng.Uint64N(n)
				b.Set(model.Exists, model.ID(0), model.ID(record))
				b.Assign(field, model.ID(record), model.ID(row))
				p[field][record] = row
			}
		}
	}
	if _, err := ix.Commit(t.Context(), &b); err != nil {
		t.Fatal(err)
	}
}

// groups is a plain Tables of one table.
func (p people) groups(fields []uint32, set []uint64) (groups []Group) {
	counts := map[[MaxFields]uint64]uint64{}
	for _, record := range set {
		var rows [MaxFields]uint64
		all := true
		for i, field := range fields {
			row, ok := p[field][record]
			rows[i], all = row, all && ok
		}
		if all {
			counts[rows]++
		}
	}
	for rows, n := range counts {
		g := Group{Rows: rows, Count: n}
		if len(fields) == 1 {
			for _, row := range p[fields[0]] {
				if row == rows[0] {
					g.Total++
				}
			}
		}
		groups = append(groups, g)
	}
	slices.SortFunc(groups, func(a, b Group) int {
		if a.Count != b.Count {
			return int(b.Count) - int(a.Count)
		}
		return slices.Compare(a.Rows[:], b.Rows[:])
	})
	return groups
}

// fieldsOf groups by fields without bands.
func fieldsOf(fields ...uint32) (by []By) {
	for _, field := range fields {
		by = append(by, By{Field: field})
	}
	return by
}

func tablesOf(tables [][]uint32) (by [][]By) {
	for _, fields := range tables {
		by = append(by, fieldsOf(fields...))
	}
	return by
}

// TestThinTables compares tables of thin and of dense sets with a plain count. Thin sets have few
// records a block, and are read record by record. A delta gives some records another value, one
// that no page knows, or none. It is then flushed.
func TestThinTables(t *testing.T) {
	const records = 300_000
	rng := rand.New(rand.NewPCG(8, 41))
	ix, p := openPeople(t), people{gender: {}, age: {}}
	questions := [][][]uint32{
		{{gender}, {age}, {gender, age}, {age, gender}}, {{gender}, {age}}, {{age}}, {{age}, {age}, {gender}},
		{{gender, gender}}, {{gender}, {age, gender}, {age, age, gender}},
		append(slices.Repeat([][]uint32{{gender, age}}, 33), []uint32{age}),
	}
	for round, rows := range []map[uint32]uint64{{gender: 2, age: 5}, {gender: 3, age: 9},
		{gender: 15, age: 15}, {gender: 3, age: 16}, {gender: 3, age: 40},
		{gender: 1, age: 64}} {
		p.write(t, ix, rng, records, rows)
		for _, flushed := range []bool{false, true} {
			if flushed {
				if err := ix.Flush(t.Context()); err != nil {
					t.Fatal(err)
				}
			}
			var thin, dense []uint64
			for record := range uint64(records) {
				if rng.IntN(400) == 0 {
					thin = append(thin, record)
				}
				if rng.IntN(3) > 0 {
					dense = append(dense, record)
				}
			}
			for name, set := range map[string][]uint64{"thin": thin, "dense": dense} {
				view := pair.FromSorted(set).View()
				if got := isThin(view); got != (name == "thin") {
					t.Fatalf("%s: got thin %v", name, got)
				}
				snap := ix.Snapshot()
				plain := map[string][]Group{}
				for _, tables := range questions {
					got, err := Tables(t.Context(), snap, tablesOf(tables), view, 0)
					if err != nil {
						t.Fatal(err)
					}
					for i, fields := range tables {
						by := fmt.Sprint(fields)
						if _, ok := plain[by]; !ok {
							plain[by] = p.groups(fields, set)
						}
						if want := plain[by]; !slices.Equal(got[i], want) {
							t.Fatalf("round %d, flushed %v, %s, by %v of %v: got %v, want %v", round, flushed, name,
								fields, tables, got[i], want)
						}
					}
				}
				snap.Close()
			}
		}
	}
}

// TestThinTableWithoutMemory: a table for which there is no room is counted in another way, and is
// no error.
func TestThinTableWithoutMemory(t *testing.T) {
	ix, p := openPeople(t), people{gender: {}, age: {}}
	rng := rand.New(rand.NewPCG(9, 41))
	p.write(t, ix, rng, 1000, map[uint32]uint64{gender: 2})
	if err := ix.Flush(t.Context()); err != nil {
		t.Fatal(err)
	}
	p.write(t, ix, rng, 1000, map[uint32]uint64{gender: 2})
	snap := ix.Snapshot()
	defer snap.Close()
	taken := int64(0)
	for step := int64(1 << 30); step > 0; step /= 2 {
		if snap.Take(step) == nil {
			taken += step
		}
	}
	defer snap.Give(taken)
	if groups, ok, err := tabulated(t.Context(), snap, fieldsOf(gender), pair.Of(1, 2, 3).View()); ok || err != nil {
		t.Errorf("got %v, %v, %v, want no groups and no error", groups, ok, err)
	}
}

// TestGroupsOfColumns: a field has the same groups whether its rows have lists alone or a column.
func TestGroupsOfColumns(t *testing.T) {
	rng := rand.New(rand.NewPCG(9, 9))
	const records = 20_000
	ix, _ := evaltest.BuildColumns(t, rng, records)
	snap := ix.Snapshot()
	defer snap.Close()
	for range 10 {
		var set mutable.Bitmap
		for share, record := rng.Uint64N(101), uint64(0); record < records; record++ {
			if rng.Uint64N(100) < share {
				set.Add(record)
			}
		}
		want, err := Groups(t.Context(), snap, fieldsOf(evaltest.Lists), set.View(), 9, nil)
		if err != nil {
			t.Fatal(err)
		}
		for _, field := range []uint32{evaltest.Fast, evaltest.Small} {
			got, err := Groups(t.Context(), snap, fieldsOf(field), set.View(), 9, nil)
			if err != nil || !slices.Equal(got, want) {
				t.Fatalf("field %d: got groups %v (%v), want %v", field, got, err, want)
			}
		}
	}
}
