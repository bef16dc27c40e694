// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package posting

import (
	"context"
	"errors"
	"maps"
	"testing"

	"github.com/uproar-db/uproar/internal/posting/model"
	"github.com/uproar-db/uproar/internal/posting/overlay"
	"github.com/uproar-db/uproar/internal/posting/reader"
	"github.com/uproar-db/uproar/store/memstore"
)

// checkAny compares the records that have any value in each field with a world.
func (w *world) checkAny(t *testing.T, snap reader.Snapshot) {
	t.Helper()
	want := map[uint32]map[string]bool{follows: {}, followers: {}, country: {}, city: {}, age: {}}
	for r, values := range w.tags {
		if len(values) > 0 {
			want[country][r] = true
		}
	}
	for r, others := range w.follows {
		for o := range others {
			want[follows][r], want[followers][o] = true, true
		}
	}
	for r, c := range w.city {
		if c != "" {
			want[city][r] = true
		}
	}
	for r := range w.age {
		want[age][r] = true
	}
	var l overlay.List
	var c overlay.Cursor
	for field, want := range want {
		if err := snap.Any(t.Context(), field, &l); err != nil {
			t.Fatal(err)
		}
		got := map[string]bool{}
		c.Reset(&l)
		for ok := c.Seek(0); ok; ok = c.Next() {
			for _, id := range c.Block().AppendTo(nil) {
				key, ok, err := snap.AppendKey(nil, model.RecordSpace, id)
				if err != nil || !ok {
					t.Fatalf("field %d: got no key of record %d (%v)", field, id, err)
				}
				got[string(key)] = true
			}
		}
		if !maps.Equal(got, want) || l.Len() != uint64(len(want)) {
			t.Fatalf("field %d: got %v with any value, want %v", field, got, want)
		}
	}
}

// TestAnyObeys ends Any with its context and with the index.
func TestAnyObeys(t *testing.T) {
	ix := open(t, memstore.New(), testConfig(t, 1<<20))
	commitNumbered(t, ix, 0, 3)
	if err := ix.Flush(t.Context()); err != nil {
		t.Fatal(err)
	}
	snap := ix.Snapshot()
	defer snap.Close()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	var l overlay.List
	for _, field := range []uint32{follows, country} {
		if err := snap.Any(ctx, field, &l); !errors.Is(err, context.Canceled) {
			t.Errorf("field %d: got %v, want context.Canceled", field, err)
		}
	}
	ix.Close()
	for _, field := range []uint32{follows, country, city, age} {
		if err := snap.Any(t.Context(), field, &l); !errors.Is(err, model.ErrClosed) {
			t.Errorf("field %d: got %v, want ErrClosed", field, err)
		}
	}
}
