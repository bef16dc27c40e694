// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package audience

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/uproar-db/uproar"
	"github.com/uproar-db/uproar/store/memstore"
)

// TestRepeatsAgainstMap: rows with the key of another are counted, and the first of them is found,
// also when most of the keys are in temporary files.
func TestRepeatsAgainstMap(t *testing.T) {
	rows := 3 * keyedRows / 2
	if testing.Short() {
		rows = keyedRows + 1000
	}
	for _, named := range []bool{false, true} {
		t.Run(fmt.Sprint("named ", named), func(t *testing.T) { repeatsAgainstMap(t, newRepeats(named), rows) })
	}
}

func repeatsAgainstMap(t *testing.T, r *repeats, rows int) {
	defer r.end()
	type place struct{ table, line int }
	before := map[int]place{}
	want, first, of, text := int64(0), place{}, place{}, ""
	rng := rand.New(rand.NewPCG(1, 2))
	for i := range rows {
		if i%100_000 == 0 {
			r.begin()
		}
		key, at := rng.IntN(1<<34), place{i / 100_000, i%100_000 + 1}
		if i%50_000 == 49_000 {
			key = -i / 100_000 // of one row and another, far apart
		}
		if earlier, met := before[key]; met {
			if want++; want == 1 {
				first, of = at, earlier
				if r.named {
					text = fmt.Sprint("key ", key)
				}
			}
		} else {
			before[key] = at
		}
		if err := r.add(fmt.Sprint("key ", key), int64(at.line)); err != nil {
			t.Fatal(err)
		}
	}
	for range 2 { // counting again is of no effect
		told := 0
		if err := r.count(t.Context(), func() { told++ }); err != nil {
			t.Fatal(err)
		}
		if told != rows/perCount+1 {
			t.Errorf("told %d times of %d rows, want each %d", told, rows, perCount)
		}
		got := r.first
		if want == 0 || r.n != want || got == nil || (place{got.Table, int(got.Line)}) != first ||
			(place{got.First, int(got.Before)}) != of || got.Key != text {
			t.Fatalf("got %d repeated, the first of them %v, want %d, %q at %v of %v", r.n, got, want, text, first, of)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	looks := 0
	err := r.count(ctx, func() { looks++; cancel() })
	if !errors.Is(err, context.Canceled) || looks != 1 {
		t.Errorf("interrupted: got %v after %d looks, want an end at the second", err, looks)
	}
}

// TestRepeatedKeyIsCut: an error repeats a long key in part.
func TestRepeatedKeyIsCut(t *testing.T) {
	for length, want := range map[int]string{shownKey: `"` + strings.Repeat("k", shownKey) + `" of line 1 `,
		shownKey + 1: `"` + strings.Repeat("k", shownKey) + `"... of line 1 `,
		60_000:       `"` + strings.Repeat("k", shownKey) + `"... of line 1 `} {
		r := newRepeats(true)
		r.begin()
		for line := range int64(2) {
			if err := r.add(strings.Repeat("k", length), line+1); err != nil {
				t.Fatal(err)
			}
			r.sort()
			if err := r.runs.Add(r.rows); err != nil { // both are in files
				t.Fatal(err)
			}
			r.rows = r.rows[:0]
		}
		err := r.count(t.Context(), func() {})
		if err != nil || r.first == nil || !strings.Contains(r.first.Error(), want) {
			t.Errorf("%d bytes: got %v, %v, want %s", length, r.first, err, want)
		}
		r.end()
	}
}

// TestRepeatedKeys: a key may be there twice only where the caller says so; then the last row
// counts.
func TestRepeatedKeys(t *testing.T) {
	db, err := uproar.Open(t.Context(), memstore.New(), nil)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	city := uproar.Field{Name: "city", Type: uproar.Single}
	schema := Schema{Key: "id", Columns: []Column{{Name: "city", Field: city}}}
	read := func(name string, unique bool) (*Import, error) {
		im, err := Begin(t.Context(), db, name, schema, Options{Unique: unique})
		if err != nil {
			t.Fatal(err)
		}
		for _, text := range []string{"id,city\na,x\nb,y\n", "id,city\nc,z\nb,w\nb,v\n"} {
			if _, err := im.Read(strings.NewReader(text), CSV); err != nil {
				t.Fatal(err)
			}
		}
		return im, im.Commit()
	}
	_, err = read("once", true)
	repeated, ok := errors.AsType[*RepeatedKeyError](err)
	if !ok || repeated.Table != 1 || err.Error() !=
		"line 3, column id: got the key \"b\" of line 3 of table 1 once more, want another one in each row" {
		t.Errorf("got %v, want line 3 of the second table", err)
	}
	if _, err := db.Index("once"); !errors.Is(err, uproar.ErrUnknownIndex) {
		t.Errorf("after the error: got %v, want no index", err)
	}
	im, err := read("twice", false)
	if err != nil || im.Repeated() != 2 {
		t.Errorf("got %d repeated and %v, want 2", im.Repeated(), err)
	}
	ix, err := db.Index("twice")
	if err != nil {
		t.Fatal(err)
	}
	s := ix.Snapshot()
	defer s.Close()
	if has, err := s.Has("city", "b", "v"); err != nil || !has {
		t.Errorf("the last row: got %v, %v", has, err)
	}
}
