// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package posting

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/uproar-db/uproar/internal/posting/memory"
	"github.com/uproar-db/uproar/internal/posting/model"
	"github.com/uproar-db/uproar/internal/posting/overlay"
	"github.com/uproar-db/uproar/internal/posting/reader"
	"github.com/uproar-db/uproar/store/memstore"
)

// recordsOf lists a list.
func recordsOf(l *overlay.List) (ids []uint64) {
	var c overlay.Cursor
	c.Reset(l)
	for ok := c.Seek(0); ok; ok = c.Next() {
		ids = append(ids, c.Block().AppendTo(nil)...)
	}
	return ids
}

// checkRows compares a walk over the rows of a field with the reads of single lists.
func checkRows(t testing.TB, snap reader.Snapshot, field uint32, from, end uint64) {
	t.Helper()
	var one overlay.List
	next := from
	unvisited := func(to uint64) {
		for ; next < to; next++ {
			if err := snap.List(field, next, &one); err != nil {
				t.Fatal(err)
			}
			if one.Len() > 0 {
				t.Fatalf("field %d: row %d has %d records and was not visited", field, next, one.Len())
			}
		}
	}
	err := snap.Rows(context.Background(), field, from, func(row uint64, l *overlay.List) error {
		if row < next {
			t.Fatalf("field %d: got row %d, want %d or a later one", field, row, next)
		}
		unvisited(min(row, end))
		if err := snap.List(field, row, &one); err != nil {
			t.Fatal(err)
		}
		got, want := recordsOf(l), recordsOf(&one)
		if !slices.Equal(got, want) || l.Len() != uint64(len(want)) {
			t.Fatalf("field %d, row %d: got %d records, Len %d, want %d", field, row, len(got), l.Len(), len(want))
		}
		next = row + 1
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	unvisited(end)
}

// checkAllRows walks over every field, from the first row and from one in the middle.
func checkAllRows(t testing.TB, snap reader.Snapshot, r *rand.Rand) {
	t.Helper()
	for _, field := range []uint32{model.Exists, follows, followers, country, city, age} {
		end := uint64(0)
		for _, space := range []uint32{model.RecordSpace, model.KeySpace(country), model.KeySpace(city)} {
			end = max(end, snap.St.Active.Next()[space])
		}
		checkRows(t, snap, field, 0, end)
		checkRows(t, snap, field, r.Uint64N(end+1), end)
	}
}

// TestRows: a walk sees rows with one page for many of them, and with many pages for one, and those
// that only a delta has; it stops when it is told to.
func TestRows(t *testing.T) {
	config := testConfig(t, 64<<20)
	ix := open(t, memstore.New(), config)
	defer ix.Close()
	r := rand.New(rand.NewPCG(81, 82))
	var b Batch
	for row := range uint64(300) {
		for range row % 7 {
			b.Set(country, model.ID(5*row), model.ID(r.Uint64N(1<<40)))
		}
	}
	for range 20_000 {
		b.Set(country, model.ID(700), model.ID(r.Uint64N(1<<40))) // in pieces
	}
	if _, err := ix.Commit(t.Context(), &b); err != nil {
		t.Fatal(err)
	}
	if err := ix.Flush(t.Context()); err != nil {
		t.Fatal(err)
	}
	b = Batch{}
	for range 200 {
		b.Set(country, model.ID(r.Uint64N(2000)), model.ID(r.Uint64N(1<<40)))
	}
	b.Empty(country, model.ID(10))
	if _, err := ix.Commit(t.Context(), &b); err != nil {
		t.Fatal(err)
	}
	snap := ix.Snapshot()
	defer snap.Close()
	if refs := snap.St.Version.Pages(country, 700); len(refs) < 2 {
		t.Fatalf("row 700 lies on %d pages, want pieces", len(refs))
	}
	for _, from := range []uint64{0, 1, 10, 11, 699, 700, 701, 1499, 5000} {
		checkRows(t, snap, country, from, 2001)
	}
	n, enough := 0, errors.New("enough")
	if err := snap.Rows(t.Context(), country, 0, func(uint64, *overlay.List) error {
		if n++; n == 3 {
			return enough
		}
		return nil
	}); err != enough || n != 3 {
		t.Errorf("got %v after %d rows, want the caller's error after 3", err, n)
	}
	ctx, cancel := context.WithCancel(t.Context())
	if err := snap.Rows(ctx, country, 0, func(uint64, *overlay.List) error {
		cancel()
		return nil
	}); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v, want context.Canceled", err)
	}
}

// BenchmarkRows walks over a field of many small lists, with none or all of them in the cache. It
// also measures a copy of the same bytes.
func BenchmarkRows(b *testing.B) {
	b.Run("cold", func(b *testing.B) { benchmarkRows(b, 4<<20) })
	b.Run("cached", func(b *testing.B) { benchmarkRows(b, 1<<30) })
}

func benchmarkRows(b *testing.B, memoryBytes int64) {
	const rows = 200_000
	config := testConfig(b, 1<<30)
	memory, err := memory.New(memoryBytes)
	if err != nil {
		b.Fatal(err)
	}
	config.Memory = memory
	ix := open(b, memstore.New(), config)
	defer ix.Close()
	l, err := ix.Load(b.Context(), 1<<20, nil)
	if err != nil {
		b.Fatal(err)
	}
	defer l.Abort()
	r := rand.New(rand.NewPCG(83, 84))
	for row := range uint64(rows) {
		for range 1 + r.IntN(40) {
			if err := l.Set(country, model.ID(row), model.ID(r.Uint64N(5_000_000))); err != nil {
				b.Fatal(err)
			}
		}
	}
	if _, err := l.Commit(); err != nil {
		b.Fatal(err)
	}
	snap := ix.Snapshot()
	defer snap.Close()
	bytes := int64(0)
	var from, to [][]byte
	for _, ref := range snap.St.Version.Fields[country].Refs {
		bytes += int64(ref.Bytes)
		if _, err := ix.source.View(&ref, ref.First); err != nil { // fills the cache as far as it goes
			b.Fatal(err)
		}
		from, to = append(from, make([]byte, ref.Bytes)), append(to, make([]byte, ref.Bytes))
	}
	b.Run("copy", func(b *testing.B) {
		b.SetBytes(bytes)
		for b.Loop() {
			for i := range from {
				copy(to[i], from[i])
			}
		}
	})
	for _, ask := range []string{"nothing", "Len"} {
		b.Run(fmt.Sprintf("rows=%d/ask=%s", rows, ask), func(b *testing.B) {
			b.SetBytes(bytes)
			b.ReportAllocs()
			for b.Loop() {
				n, sum := 0, uint64(0)
				if err := snap.Rows(b.Context(), country, 0, func(_ uint64, l *overlay.List) error {
					if n++; ask == "Len" {
						sum += l.Len()
					}
					return nil
				}); err != nil || n != rows {
					b.Fatal(n, err)
				}
			}
		})
	}
}
