// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package model

import (
	"errors"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/uproar-db/uproar/store"
)

// TestNormalizedEditsAreTheLast: of the edits of a record of a list the last one is kept, and all
// ascend by field, row and record.
func TestNormalizedEditsAreTheLast(t *testing.T) {
	const seed = 43
	rng := rand.New(rand.NewPCG(seed, 0))
	for range 300 {
		edits, last := make([]Edit, rng.IntN(200)), map[Edit]bool{}
		for i := range edits {
			e := Edit{Field: 4 * rng.Uint32N(3), Row: rng.Uint64N(4), Record: rng.Uint64N(6)}
			last[e] = rng.IntN(2) == 0
			e.Set = last[e]
			edits[i] = e
		}
		got := NormalizeEdits(edits)
		if len(got) != len(last) {
			t.Fatalf("seed %d: got %d edits, want %d", seed, len(got), len(last))
		}
		for i, e := range got {
			if i > 0 && CompareEdits(got[i-1], e) >= 0 {
				t.Fatalf("seed %d: got %+v behind %+v", seed, e, got[i-1])
			}
			set := e.Set
			if e.Set = false; last[e] != set {
				t.Fatalf("seed %d: %+v: got %v, want what was written last", seed, e, set)
			}
		}
	}
}

// TestEditsAreOrderedByTheirFirstDifference: a field comes before a row, and a row before a record.
func TestEditsAreOrderedByTheirFirstDifference(t *testing.T) {
	ascending := []Edit{{Field: 4, Row: 9, Record: 9}, {Field: 8, Row: 1, Record: 9}, {Field: 8, Row: 2, Record: 1},
		{Field: 8, Row: 2, Record: 2, Set: true}}
	for i, a := range ascending {
		for j, b := range ascending {
			if got, want := CompareEdits(a, b), min(1, max(-1, i-j)); got != want {
				t.Errorf("%+v and %+v: got %d, want %d", a, b, got, want)
			}
		}
	}
	values := []ValueEdit{{Field: 4, Record: 9, Word: 5}, {Field: 8, Record: 1, Word: 7}, {Field: 8, Record: 2}}
	for i, a := range values {
		for j, b := range values {
			if got, want := CompareValueEdits(a, b), min(1, max(-1, i-j)); got != want || a.Less(b) != (i < j) {
				t.Errorf("%+v and %+v: got %d and %v, want %d", a, b, got, a.Less(b), want)
			}
		}
	}
}

// TestRefsStandForIDsAndKeys: an ID stands for itself, a key of the batch for what it was given,
// and what is above the greatest ID for nothing.
func TestRefsStandForIDsAndKeys(t *testing.T) {
	ids := []uint64{70, 80}
	for _, c := range []struct {
		ref  Ref
		want uint64
	}{{ID(0), 0}, {ID(5), 5}, {ID(MaxID), MaxID}, {KeyRef, 70}, {KeyRef | 1, 80}} {
		if got := Resolve(uint64(c.ref), ids); got != c.want {
			t.Errorf("%x: got %d, want %d", uint64(c.ref), got, c.want)
		}
	}
	for _, id := range []uint64{MaxID + 1, 1<<64 - 1} {
		if got := ID(id); got != NoRef {
			t.Errorf("%d: got the Ref %x, want none", id, uint64(got))
		}
	}
}

// TestCorruptSaysWhere: the error matches that of the store, and names the entry.
func TestCorruptSaysWhere(t *testing.T) {
	err := Corrupt("page 7", "got %d values, want %d", 3, 4)
	if !errors.Is(err, ErrCorrupt) || !errors.Is(err, store.ErrCorrupt) ||
		!strings.HasSuffix(err.Error(), ": page 7: got 3 values, want 4") {
		t.Errorf("got %v", err)
	}
}

// TestFieldsOwnFourNumbers: keys and values of a field have numbers of its own.
func TestFieldsOwnFourNumbers(t *testing.T) {
	var owned []uint32
	for _, field := range []uint32{4, 8, 12} {
		owned = append(owned, field, KeySpace(field), KeySpace(field)+1, ValueField(field))
	}
	if !slices.IsSorted(owned) || len(slices.Compact(slices.Clone(owned))) != len(owned) || owned[0] <= RecordSpace+1 {
		t.Errorf("got the numbers %d, want each once, behind those of the system", owned)
	}
}
