// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package crosstab

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"os"
	"slices"
	"testing"

	"github.com/uproar-db/uproar/internal/posting"
	"github.com/uproar-db/uproar/internal/posting/memory"
	"github.com/uproar-db/uproar/internal/posting/model"
	"github.com/uproar-db/uproar/internal/posting/reader"
	"github.com/uproar-db/uproar/internal/roaring/pair"
	"github.com/uproar-db/uproar/internal/sentinel"
	"github.com/uproar-db/uproar/store/memstore"
)

// The fields of a crowd, one of each kind.
const (
	crowdPlain  = 4 * (iota + 1) // a set field of many rows, without a column
	crowdFast                    // with one
	crowdSmall                   // with one that is coded
	crowdSingle                  // of many rows
	crowdFew                     // of few
	crowdAge                     // small integers
	crowdAny                     // any integers
	crowdFar                     // a set field with rows that have no key, far apart
)

var crowdFields = []uint32{crowdPlain, crowdFast, crowdSmall, crowdSingle, crowdFew, crowdAge, crowdAny, crowdFar}

// crowdRows is how many rows a field has.
var crowdRows = map[uint32]uint64{crowdPlain: 300, crowdFast: 50, crowdSmall: 1000, crowdSingle: 700, crowdFew: 5,
	crowdFar: 9}

// crowd is an index and a plain reference of it: what each record has in each field, rows or what
// integerRow says.
type crowd struct {
	ix     *posting.Index
	memory *memory.Bound
	rng    *rand.Rand
	has    map[uint64]map[uint32][]uint64
	next   uint64
}

func openCrowd(t testing.TB, limit int64, seed uint64) *crowd {
	t.Helper()
	bound, err := memory.New(limit)
	if err != nil {
		t.Fatal(err)
	}
	ix, err := posting.Open(memstore.New(), posting.Config{ID: 1, Memory: bound, DeltaBytes: limit / 8,
		Fields: []model.Field{
			{ID: crowdPlain}, {ID: crowdFast, Column: model.FastColumn},
			{ID: crowdSmall, Column: model.SmallColumn},
			{ID: crowdSingle, Kind: model.Rows}, {ID: crowdFew, Kind: model.Rows},
			{ID: crowdAge, Kind: model.Integers},
			{ID: crowdAny, Kind: model.Integers}, {ID: crowdFar}}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { ix.Close() })
	var b posting.Batch
	for field, rows := range crowdRows {
		for i := range rows {
			if field != crowdFar {
				b.Key(model.KeySpace(field), fmt.Sprint(i))
			}
			if i%100 == 99 || i == rows-1 {
				if _, err := ix.Commit(t.Context(), &b); err != nil {
					t.Fatal(err)
				}
				b.Reset()
			}
		}
	}
	return &crowd{ix: ix, memory: bound, rng: rand.New(rand.NewPCG(seed, 30)), has: map[uint64]map[uint32][]uint64{}}
}

// write gives some new records values, changes those of others, and deletes some.
func (c *crowd) write(t testing.TB, records int) {
	t.Helper()
	var b posting.Batch
	for range records {
		record := c.next
		if c.next > 10 && c.rng.IntN(3) == 0 {
			record = c.rng.Uint64N(c.next)
			if c.has[record] == nil {
				continue
			}
			if c.rng.IntN(4) == 0 {
				b.Delete(model.ID(record))
				delete(c.has, record)
				continue
			}
		} else {
			c.next += 1 + c.rng.Uint64N(40)
			c.has[record] = map[uint32][]uint64{}
			b.Set(model.Exists, model.ID(0), model.ID(record))
		}
		for _, field := range crowdFields {
			if c.rng.IntN(6) > 0 {
				c.change(&b, field, record)
			}
		}
	}
	if c.rng.IntN(2) == 0 {
		field, row := uint32(crowdPlain), c.rng.Uint64N(40)
		if c.rng.IntN(2) == 0 {
			field = crowdSingle
		}
		var empty posting.Batch
		empty.Empty(field, model.ID(row))
		defer func() {
			if _, err := c.ix.Commit(t.Context(), &empty); err != nil {
				t.Fatal(err)
			}
			for _, of := range c.has {
				of[field] = slices.DeleteFunc(of[field], func(x uint64) bool { return x == row })
			}
		}()
	}
	if _, err := c.ix.Commit(t.Context(), &b); err != nil {
		t.Fatal(err)
	}
}

// change gives a record a value, or takes it away.
func (c *crowd) change(b *posting.Batch, field uint32, record uint64) {
	of, id := c.has[record], model.ID(record)
	switch field {
	case crowdAge, crowdAny:
		x := c.rng.Int64N(140) - 30
		if field == crowdAny {
			x = []int64{math.MaxInt64, math.MinInt64 + 1, math.MinInt64, 0, -1, int64(c.rng.Uint64()),
				int64(c.rng.Uint64() >> c.rng.IntN(64))}[c.rng.IntN(7)]
		}
		b.AssignInt(field, id, x)
		of[field] = []uint64{integerRow(x)}
	case crowdSingle, crowdFew:
		if c.rng.IntN(10) == 0 {
			b.Unassign(field, id)
			of[field] = nil
			return
		}
		row := c.rng.Uint64N(crowdRows[field])
		b.Assign(field, id, model.ID(row))
		of[field] = []uint64{row}
	default:
		for range c.rng.IntN(4) {
			row := c.rng.Uint64N(crowdRows[field])
			if field == crowdFar {
				row <<= 7 * row
			}
			if i := slices.Index(of[field], row); i >= 0 && c.rng.IntN(2) == 0 {
				b.Clear(field, model.ID(row), id)
				of[field] = slices.Delete(of[field], i, i+1)
			} else if i < 0 {
				b.Set(field, model.ID(row), id)
				of[field] = append(of[field], row)
			}
		}
	}
}

// groups counts the records of a set the plain way.
func (c *crowd) groups(by []By, set []uint64) (groups []Group) {
	counts := map[[MaxFields]uint64]uint64{}
	for _, record := range set {
		tuples := map[[MaxFields]uint64]bool{{}: true}
		for k, b := range by {
			next := map[[MaxFields]uint64]bool{}
			for tuple := range tuples {
				for _, v := range c.has[record][b.Field] {
					if b.Field == crowdAge || b.Field == crowdAny {
						v = integerRow(b.Band.low(b.Band.index(RowInteger(v))))
					}
					tuple[k] = v
					next[tuple] = true
				}
			}
			tuples = next
		}
		for tuple := range tuples {
			counts[tuple]++
		}
	}
	for rows, n := range counts {
		groups = append(groups, Group{Rows: rows, Count: n})
	}
	slices.SortFunc(groups, orderGroups)
	return groups
}

// by chooses fields, and bands for those of integers.
func (c *crowd) by() (by []By) {
	for range 1 + c.rng.IntN(MaxFields) {
		b := By{Field: crowdFields[c.rng.IntN(len(crowdFields))]}
		if b.Field == crowdAge || b.Field == crowdAny {
			b.Band = []Band{{}, {Width: 10}, {Width: 7, Offset: 3}, {Months: 1, Day: 1}, {Months: 12, Day: 86400},
				{Width: 1 << 40}}[c.rng.IntN(6)]
		}
		by = append(by, b)
	}
	return by
}

// sets returns sets of all, most, some and very few of the records.
func (c *crowd) sets() map[string][]uint64 {
	all := slices.Sorted(maps.Keys(c.has))
	sets := map[string][]uint64{"all": all, "none": nil}
	for name, one := range map[string]int{"most": 2, "some": 9, "few": 300} {
		for _, record := range all {
			if (c.rng.IntN(one) > 0) == (name == "most") {
				sets[name] = append(sets[name], record)
			}
		}
	}
	return sets
}

// check compares groups of a set with the plain ones: all, one after the other, and pages of them.
func (c *crowd) check(t *testing.T, what string, snap reader.Snapshot, by []By, set []uint64) {
	t.Helper()
	view, want := pair.FromSorted(set).View(), c.groups(by, set)
	if got, err := Groups(t.Context(), snap, by, view, 0, nil); err != nil || !slices.Equal(got, want) {
		t.Fatalf("%s, by %+v: got %d groups, %v, want %d\n got %v\nwant %v", what, by, len(got), err, len(want),
			got[:min(9, len(got))], want[:min(9, len(want))])
	}
	var after *Group
	limit, rest := 1+c.rng.IntN(len(want)/3+2), want
	for {
		page, err := Groups(t.Context(), snap, by, view, limit, after)
		if err != nil || !slices.Equal(page, rest[:min(limit, len(rest))]) {
			t.Fatalf("%s, by %+v, %d after %v: got %v, %v, want %v", what, by, limit, after, page, err,
				rest[:min(limit, len(rest))])
		}
		if rest = rest[len(page):]; len(rest) == 0 {
			break
		}
		after = &page[len(page)-1]
	}
	stop, n := errors.New("stop"), 0
	err := EachGroup(t.Context(), snap, by, view, func(g Group) error {
		if n++; n > len(want)/2 {
			return stop
		}
		return nil
	})
	if len(want) > 0 && err != stop {
		t.Fatalf("%s, by %+v: got %v, want the error of the function", what, by, err)
	}
}

// TestGroups compares groups by fields of every kind, in any order, with a plain count: of writes
// that are not flushed yet, deletions and emptied rows among them, and when they are.
func TestGroups(t *testing.T) {
	for seed := range uint64(3) {
		c := openCrowd(t, 64<<20, seed)
		for range 3 {
			c.write(t, 1500)
			for _, flushed := range []bool{false, true} {
				if flushed {
					if err := c.ix.Flush(t.Context()); err != nil {
						t.Fatal(err)
					}
				}
				snap := c.ix.Snapshot()
				for name, set := range c.sets() {
					for range 4 {
						c.check(t, fmt.Sprintf("seed %d, flushed %v, %s", seed, flushed, name), snap, c.by(), set)
					}
				}
				snap.Close()
			}
		}
		if n := c.memory.Usage().Queries; n != 0 {
			t.Errorf("seed %d: got %d bytes that were not given back", seed, n)
		}
	}
}

// TestGroupsInLittleMemory: what has no room is sorted in files, which go, and the answers are the
// same.
func TestGroupsInLittleMemory(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	c := openCrowd(t, memory.Min, 7)
	for range 150 {
		c.write(t, 60)
		if err := c.ix.Flush(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	snap := c.ix.Snapshot()
	defer snap.Close()
	all := slices.Sorted(maps.Keys(c.has))
	for step := int64(memory.Min); step > 0; step /= 2 {
		if snap.Take(step) == nil {
			defer snap.Give(step)
		}
	}
	const left = 320 << 10
	snap.Give(left)
	defer func() {
		if err := snap.Take(left); err != nil {
			t.Error(err)
		}
	}()
	held := c.memory.Usage().Queries
	for _, fields := range [][]uint32{{crowdPlain, crowdSmall}, {crowdSingle, crowdPlain, crowdFast},
		{crowdAny, crowdSingle}, {crowdAny, crowdAny, crowdPlain}} {
		by, got := fieldsOf(fields...), []Group(nil)
		err := EachGroup(t.Context(), snap, by, pair.FromSorted(all).View(), func(g Group) error {
			got = append(got, g)
			return nil
		})
		if want := c.groups(by, all); err != nil || !slices.Equal(got, want) {
			t.Fatalf("by %v: got %d groups, %v, want %d", fields, len(got), err, len(want))
		}
	}
	if files, err := os.ReadDir(os.TempDir()); err != nil || len(files) > 0 || c.memory.Usage().Queries != held {
		t.Errorf("got %d files, %v, and %d bytes, want none", len(files), err, c.memory.Usage().Queries-held)
	}
}

// TestGroupsRefuses: errors come as they are documented, and a context ends the work.
func TestGroupsRefuses(t *testing.T) {
	c := openCrowd(t, 64<<20, 9)
	c.write(t, 500)
	snap := c.ix.Snapshot()
	defer snap.Close()
	set := pair.FromSorted(slices.Sorted(maps.Keys(c.has))).View()
	for _, fields := range [][]uint32{nil, {4, 4, 4, 4}} {
		if _, err := Groups(t.Context(), snap, fieldsOf(fields...), set, 0, nil); !errors.Is(err, sentinel.ErrLimit) {
			t.Errorf("%d fields: got %v, want sentinel.ErrLimit", len(fields), err)
		}
	}
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	for _, fields := range [][]uint32{{crowdPlain, crowdSmall}, {crowdSingle, crowdAge}, {crowdAny, crowdAny, crowdAny},
		{crowdAge}} {
		if _, err := Groups(ended, snap, fieldsOf(fields...), set, 0, nil); !errors.Is(err, context.Canceled) {
			t.Errorf("%v: got %v, want context.Canceled", fields, err)
		}
	}
}
