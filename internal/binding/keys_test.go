// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package binding

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/uproar-db/uproar/internal/posting/model"
	"github.com/uproar-db/uproar/internal/posting/reader"
)

// plenty grants what is asked for.
func plenty(context.Context, int) error { return nil }

var errNoMore = errors.New("no more")

// crowd writes records r0, r1, … of that many, each with a tag of its own.
func crowd(p *people, records int) (ids []uint64, keys []string) {
	p.t.Helper()
	var batch []Write
	for i := range records {
		keys = append(keys, fmt.Sprint("r", i))
		ids = append(ids, uint64(i))
		batch = append(batch, set("tag", keys[i], fmt.Sprint("t", i)))
	}
	p.must(batch...)
	if err := p.lists.Flush(p.t.Context()); err != nil {
		p.t.Fatal(err)
	}
	return ids, keys
}

// TestKeysOfRecords reads keys in both forms: of none, one, and more than are read at a time.
func TestKeysOfRecords(t *testing.T) {
	p := newPeople(t)
	ids, keys := crowd(p, 3*keysPerLook+5)
	snap := p.lists.Snapshot()
	defer snap.Close()
	form := reader.KeyForm{Before: "<", After: ">", Between: "; "}
	for _, n := range []int{0, 1, 2, keysPerLook, keysPerLook + 1, len(ids)} {
		got, err := Keys(snap, ids[:n], plenty)
		if err != nil || !slices.Equal(got, keys[:n]) {
			t.Errorf("%d keys: got %q, %v", n, got, err)
		}
		want := "so: "
		if n > 0 {
			want += "<" + strings.Join(keys[:n], ">; <") + ">"
		}
		text, err := AppendKeys(t.Context(), snap, []byte("so: "), ids[:n], form, plenty)
		if err != nil || string(text) != want {
			t.Errorf("%d keys: got %s, %v, want %s", n, text, err, want)
		}
	}
	reversed := slices.Clone(ids)
	slices.Reverse(reversed)
	if got, err := Keys(snap, reversed, plenty); err != nil || got[0] != keys[len(keys)-1] || len(got) != len(keys) {
		t.Errorf("descending: got %d keys, %v", len(got), err)
	}
}

// TestKeysThatCannotBeRead: a record without a key is damage. The answer ends where no more room is
// granted, or with the context.
func TestKeysThatCannotBeRead(t *testing.T) {
	p := newPeople(t)
	ids, _ := crowd(p, 2*keysPerLook)
	snap := p.lists.Snapshot()
	defer snap.Close()
	const nobody = 1 << 30
	const text = "store: corrupt: record 1073741824 has no key"
	some := append(slices.Clone(ids[:5]), nobody)
	if _, err := Keys(snap, some, plenty); !errors.Is(err, model.ErrCorrupt) || err.Error() != text {
		t.Errorf("got %v, want %q", err, text)
	}
	if _, err := AppendKeys(t.Context(), snap, nil, some, reader.KeyForm{}, plenty); !errors.Is(err,
		model.ErrCorrupt) || err.Error() != text {
		t.Errorf("got %v, want %q", err, text)
	}
	asked := 0
	grow := func(context.Context, int) error {
		if asked++; asked > 1 {
			return errNoMore
		}
		return nil
	}
	if _, err := Keys(snap, ids, grow); !errors.Is(err, errNoMore) || asked != 2 {
		t.Errorf("got %v after %d questions, want %v after 2", err, asked, errNoMore)
	}
	asked = 0
	if got, err := AppendKeys(t.Context(), snap, nil, ids, reader.KeyForm{Between: ","}, grow); !errors.Is(err,
		errNoMore) || strings.Count(string(got), "r") != keysPerLook {
		t.Errorf("got %d keys, %v, want %d and %v", strings.Count(string(got), "r"), err, keysPerLook, errNoMore)
	}
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := AppendKeys(ended, snap, nil, ids, reader.KeyForm{}, plenty); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v, want context.Canceled", err)
	}
	const all = 1 << 22 // whose keys would take more than the bound on the memory
	if _, err := Keys(snap, make([]uint64, all), plenty); !errors.Is(err, model.ErrMemory) {
		t.Errorf("got %v, want ErrMemory", err)
	}
	before := p.memory.Usage().Queries
	if _, err := Keys(snap, ids, plenty); err != nil || p.memory.Usage().Queries != before {
		t.Errorf("got %v and %d bytes held, want %d", err, p.memory.Usage().Queries, before)
	}
}

// TestRowKeys reads the keys of rows in any order, some of them twice, with and without keeping
// them.
func TestRowKeys(t *testing.T) {
	p := newPeople(t)
	const knownOf = 1 << 13 // keys that are kept of leastKnown rows: this row takes the place of row 0
	crowd(p, knownOf+1)
	snap := p.lists.Snapshot()
	defer snap.Close()
	for _, keep := range []bool{false, true} {
		k := RowKeys{Lists: snap, Field: p.fields.Named("tag"), Keep: keep}
		for _, n := range []int{0, 1, leastKnown, leastKnown, 2 * leastKnown} {
			rows := make([]uint64, n)
			for i := range rows {
				rows[i] = uint64(i*7) % (2 * leastKnown)
			}
			told := 0
			err := k.Read(n, func(i int) uint64 { return rows[i] }, func(i int, key string) {
				told++
				if want := fmt.Sprint("t", rows[i]); key != want {
					t.Errorf("keep %v: row %d: got %q, want %q", keep, rows[i], key, want)
				}
			})
			if err != nil || told != n {
				t.Errorf("keep %v: got %d keys, %v, want %d", keep, told, err, n)
			}
		}
		for _, row := range []uint64{0, knownOf, 0} {
			if err := k.Read(1, func(int) uint64 { return row }, func(_ int, key string) {
				if want := fmt.Sprint("t", row); key != want {
					t.Errorf("keep %v: got %q, want %q", keep, key, want)
				}
			}); err != nil {
				t.Error(err)
			}
		}
		if got := k.known != nil; got != keep {
			t.Errorf("got keys kept %v, want %v", got, keep)
		}
		const text = "store: corrupt: tag: row 99999 has no key"
		err := k.Read(1, func(int) uint64 { return 99_999 }, func(int, string) { t.Error("got a key") })
		if !errors.Is(err, model.ErrCorrupt) || err.Error() != text {
			t.Errorf("got %v, want %q", err, text)
		}
	}
	follows := RowKeys{Lists: snap, Field: p.fields.Named("follows")} // whose rows are records
	if err := follows.Read(1, func(int) uint64 { return 3 }, func(_ int, key string) {
		if key != "r3" {
			t.Errorf("got %q, want r3", key)
		}
	}); err != nil {
		t.Error(err)
	}
}
