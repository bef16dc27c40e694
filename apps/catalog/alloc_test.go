// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package catalog_test

import (
	"fmt"
	"runtime/debug"
	"testing"

	"github.com/uproar-db/uproar/apps/catalog"
)

// raceEnabled says that the race detector is on.
var raceEnabled bool

// TestSearchAllocatesNothing checks that a search of values leaves nothing for the collector. The
// values are combined or not, and one record fits or several.
func TestSearchAllocatesNothing(t *testing.T) {
	if raceEnabled {
		t.Skip("the race detector allocates, and empties pools at random")
	}
	var records []catalog.Record
	for i := range 5000 {
		r := catalog.Record{Key: fmt.Sprint(i)}
		for k, n := range []int{40, 5, 25} {
			r.Conditions = append(r.Conditions, catalog.Condition{Attribute: string(rune('a' + k)),
				Value: fmt.Sprintf("some value of more than 32 bytes, %d", i/max(1, 5*k*k*k*k)%n)})
		}
		records = append(records, r)
	}
	_, c := open(t, `{"attributes": [{"name": "a"}, {"name": "b"}, {"name": "c"}], "combined": [["a", "b", "c"]]}`,
		records...)
	s, err := c.Snapshot()
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	var a catalog.Answer
	for n := 1; n <= 3; n++ {
		some := records[777].Conditions[:n]
		search := func() {
			if err := s.Search(t.Context(), &a, 2, some...); err != nil || a.Kind == catalog.Nothing {
				t.Fatalf("got %v, %v, want an answer", a.Kind, err)
			}
		}
		search()
		func() {
			defer debug.SetGCPercent(debug.SetGCPercent(-1)) // the collector would empty the pools
			least := testing.AllocsPerRun(50, search)
			for range 3 {
				least = min(least, testing.AllocsPerRun(50, search)) // others in the process allocate too
			}
			if least != 0 {
				t.Errorf("%d conditions: got %v allocations, want none", n, least)
			}
		}()
	}
}
