// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package listing_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/uproar-db/uproar"
	"github.com/uproar-db/uproar/query"
)

// TestCarry: each record is read once, in the order of the IDs, and its line carries what was told
// of it, in memory and in files, unless that is too much or few records are wanted.
func TestCarry(t *testing.T) {
	w := newWorld(t, rand.New(rand.NewPCG(9, 9)), 300)
	s := w.index.Snapshot()
	defer s.Close()
	all, err := s.Select(t.Context(), query.All{})
	if err != nil {
		t.Fatal(err)
	}
	told := func(record uint64) string {
		if record%50 == 7 {
			return strings.Repeat("x", 5000)
		}
		return strings.Repeat(fmt.Sprint(record, "."), int(record%4))
	}
	by := []uproar.Order{{Field: "city", Descending: true}, {Field: "age"}}
	for _, limit := range []int{0, 200, 20} {
		for _, room := range []int64{1 << 20, 3 << 10} {
			sorting, err := all.Sort(t.Context(), by, nil, limit)
			if err != nil {
				t.Fatal(err)
			}
			sorting.Narrow(room, 2)
			var read []uint64
			sorting.Carry(func(records []uint64, tell func(i int, of []byte) error) error {
				read = append(read, records...)
				for i, record := range records {
					if err := tell(i, []byte(told(record))); err != nil {
						return err
					}
				}
				return nil
			})
			var got []uint64
			for {
				some, err := sorting.Next(nil, 30)
				if err != nil {
					t.Fatal(err)
				}
				carried := sorting.Carried()
				if limit == 20 && len(carried) > 0 || limit != 20 && len(carried) != len(some) {
					t.Fatalf("limit %d: got %d that are carried of %d", limit, len(carried), len(some))
				}
				for i, of := range carried {
					if want := told(some[i]); string(of) != want && (len(want) < 5000 || len(of) > 0) {
						t.Fatalf("record %d carries %.100q, want %.100q", some[i], of, want)
					}
				}
				if got = append(got, some...); len(some) < 30 {
					break
				}
			}
			if err := sorting.Close(); err != nil {
				t.Error(err)
			}
			var want []uint64
			for _, p := range w.sorted(by) {
				want = append(want, p.id)
			}
			if limit > 0 {
				want = want[:limit]
			}
			if !slices.Equal(got, want) {
				t.Errorf("limit %d: got %v, want %v", limit, got, want)
			}
			if ids := slices.Collect(all.View().All()); limit != 20 && !slices.Equal(read, ids) ||
				limit == 20 && len(read) > 0 {
				t.Errorf("limit %d: %d records were read, want each of %d once", limit, len(read), len(ids))
			}
		}
	}
}
