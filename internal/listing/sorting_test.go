// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package listing_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/uproar-db/uproar"
	"github.com/uproar-db/uproar/internal/listing"
	"github.com/uproar-db/uproar/query"
	"github.com/uproar-db/uproar/store/memstore"
)

// read reads all records of a sorting, some at a time.
func read(t *testing.T, r *rand.Rand, s *uproar.Sorting) (records []uint64) {
	t.Helper()
	for {
		n := 1 + r.IntN(50)
		before := len(records)
		var err error
		if records, err = s.Next(records, n); err != nil {
			t.Fatal(err)
		}
		if len(records)-before < n {
			return records
		}
	}
}

// TestSorting lists all records in every order, from places on and up to limits, in memory and in
// files of several levels, and compares them with a plain sort.
func TestSorting(t *testing.T) {
	for seed := range uint64(2) {
		r := rand.New(rand.NewPCG(seed, 3))
		w := newWorld(t, r, 300)
		s := w.index.Snapshot()
		all, err := s.Select(t.Context(), query.All{})
		if err != nil {
			t.Fatal(err)
		}
		var orders [][]uproar.Order
		for _, a := range []string{"age", "paid", "city", ""} {
			down := r.IntN(2) == 0
			orders = append(orders, []uproar.Order{{Field: a, Descending: down}})
			for _, b := range []string{"age", "city", ""} {
				orders = append(orders, []uproar.Order{{Field: a, Descending: !down}, {Field: b, Descending: down}})
			}
		}
		for _, by := range append(orders, nil) {
			want := w.sorted(by)
			for _, files := range []int{0, 2, 3} {
				var after *uproar.Place
				from, limit := 0, 0
				if r.IntN(2) == 0 {
					page, err := all.Sorted(t.Context(), by, nil, 1+r.IntN(len(want)))
					if err != nil {
						t.Fatal(err)
					}
					from, after = len(page), &page[len(page)-1]
				}
				end := len(want)
				if r.IntN(2) == 0 {
					limit = 1 + r.IntN(len(want))
					end = min(end, from+limit)
				}
				sorting, err := all.Sort(t.Context(), by, after, limit)
				if err != nil {
					t.Fatal(err)
				}
				if files > 0 {
					sorting.Narrow(3<<10, files)
				}
				got := read(t, r, sorting)
				if files == 2 && by != nil && from < len(want)/2 && sorting.Files() < 2 {
					t.Errorf("seed %d, by %v: got %d files, want several", seed, by, sorting.Files())
				}
				if err := sorting.Close(); err != nil {
					t.Error(err)
				}
				ids := make([]uint64, 0, end-from)
				for _, p := range want[from:end] {
					ids = append(ids, p.id)
				}
				if !slices.Equal(got, ids) {
					t.Fatalf("seed %d, by %v from %d, limit %d, %d files: got %v\nwant %v", seed, by, from, limit, files,
						got, ids)
				}
			}
		}
		s.Close()
	}
}

// TestSortingOfAnyText: keys may have any bytes, also those that end texts in lines.
func TestSortingOfAnyText(t *testing.T) {
	db, err := uproar.Open(t.Context(), memstore.New(), nil)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	index, err := db.CreateIndex(t.Context(), "texts")
	if err != nil {
		t.Fatal(err)
	}
	r := rand.New(rand.NewPCG(5, 5))
	known := make(map[string]bool)
	var b uproar.Batch
	for range 400 {
		text := make([]byte, 1+r.IntN(4))
		for i := range text {
			text[i] = []byte{0, 1, 'a', 254, 255}[r.IntN(5)]
		}
		known[string(text)] = true
		b.AddRecord(string(text))
	}
	if _, err := index.Write(t.Context(), &b); err != nil {
		t.Fatal(err)
	}
	s := index.Snapshot()
	defer s.Close()
	all, err := s.Select(t.Context(), query.All{})
	if err != nil {
		t.Fatal(err)
	}
	var want []string
	for text := range known {
		want = append(want, text)
	}
	slices.Sort(want)
	for _, down := range []bool{false, true} {
		sorting, err := all.Sort(t.Context(), []uproar.Order{{Descending: down}}, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		sorting.Narrow(1<<10, 2)
		got, err := s.KeysOf(read(t, r, sorting))
		if err != nil || !slices.Equal(got, want) {
			t.Errorf("descending %t: got %q, %v\nwant %q", down, got, err, want)
		}
		_ = sorting.Close()
		slices.Reverse(want)
	}
}

// TestSortingEnds: a sorting that is given up leaves no file and no memory behind, and says why.
func TestSortingEnds(t *testing.T) {
	w := newWorld(t, rand.New(rand.NewPCG(7, 7)), 300)
	s := w.index.Snapshot()
	defer s.Close()
	all, err := s.Select(t.Context(), query.All{})
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	sorting, err := all.Sort(ctx, []uproar.Order{{}}, nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	sorting.Narrow(1<<10, 2)
	if some, err := sorting.Next(nil, 10); len(some) != 10 || err != nil {
		t.Fatalf("got %v, %v", some, err)
	}
	cancel()
	if some, err := sorting.Next(nil, 10); len(some) != 0 || !errors.Is(err, context.Canceled) {
		t.Errorf("after the end: got %v, %v, want an error", some, err)
	}
	if err := errors.Join(sorting.Close(), sorting.Close()); err != nil || sorting.Files() != 0 {
		t.Errorf("got %v and %d files, want none", err, sorting.Files())
	}
	for _, by := range [][]uproar.Order{{{Field: "likes"}}, {{Field: "none"}}} {
		if _, err := all.Sort(t.Context(), by, nil, 0); err == nil {
			t.Errorf("by %v: got no error", by)
		}
	}
}

// FuzzReadBehind: no bytes of a file make a line that is not one, and what was written is read.
func FuzzReadBehind(f *testing.F) {
	f.Add([]byte{0, 8, 1, 2, 3, 4, 5, 6, 7, 8}, []byte("before...."))
	f.Add([]byte{255, 255, 255, 255, 255, 255, 255, 255, 255, 1, 1}, []byte{})
	f.Fuzz(func(t *testing.T, b, before []byte) {
		line, n := listing.ReadBehind(b, &before)
		if n > len(b) || n > 0 && len(line) < 8 {
			t.Fatalf("%q behind %q: got %q of %d bytes", b, before, line, n)
		}
		if n == 0 {
			return
		}
		again := listing.AppendBehind(nil, &before, &line)
		if got, n := listing.ReadBehind(again, &before); n != len(again) || !bytes.Equal(got, line) {
			t.Fatalf("%q behind %q: got %q", line, before, got)
		}
	})
}

// BenchmarkSort sorts all records of indexes of several sizes. The time of a record does not grow
// with their number, but for comparisons.
func BenchmarkSort(b *testing.B) {
	for _, records := range []int{10_000, 100_000, 1_000_000} {
		s := sizedIndex(b, records)
		all, err := s.Select(b.Context(), query.All{})
		if err != nil {
			b.Fatal(err)
		}
		for _, by := range []uproar.Order{{Field: "age"}, {Field: "city"}, {}} {
			b.Run(fmt.Sprintf("by=%s/records=%d", by.Field, records), func(b *testing.B) {
				var ids []uint64
				for b.Loop() {
					sorting, err := all.Sort(b.Context(), []uproar.Order{by}, nil, 0)
					if err != nil {
						b.Fatal(err)
					}
					for n := 0; ; n += len(ids) {
						if ids, err = sorting.Next(ids[:0], 1000); err != nil {
							b.Fatal(err)
						}
						if len(ids) < 1000 {
							break
						}
					}
					if err := sorting.Close(); err != nil {
						b.Fatal(err)
					}
				}
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(records), "ns/record")
			})
		}
	}
}

// sizedIndex makes an index of so many records in memory. Of its fields, audience has every record
// of a power of ten from 1 000 on.
func sizedIndex(b *testing.B, records int) uproar.Snapshot {
	b.Helper()
	db, err := uproar.Open(b.Context(), memstore.New(), nil)
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { _ = db.Close() })
	index, err := db.CreateIndex(b.Context(), "people", uproar.Field{Name: "age", Type: uproar.Integer},
		uproar.Field{Name: "city", Type: uproar.Single}, uproar.Field{Name: "audience", Type: uproar.Set})
	if err != nil {
		b.Fatal(err)
	}
	r := rand.New(rand.NewPCG(1, 1))
	for from := 0; from < records; from += 10_000 {
		var batch uproar.Batch
		for i := from; i < min(records, from+10_000); i++ {
			key := fmt.Sprintf("%08x-%d", r.Uint32(), i)
			batch.SetInt("age", key, r.Int64N(40_000))
			batch.Set("city", key, fmt.Sprint("city", r.IntN(500)))
			for size := 1000; size <= records; size *= 10 {
				if i%(records/size) == 0 {
					batch.Set("audience", key, fmt.Sprint(size))
				}
			}
		}
		if _, err := index.Write(b.Context(), &batch); err != nil {
			b.Fatal(err)
		}
	}
	if err := index.Flush(b.Context()); err != nil {
		b.Fatal(err)
	}
	s := index.Snapshot()
	b.Cleanup(s.Close)
	return s
}

// BenchmarkFirst finds the ten with the greatest integers of audiences of several sizes, of a
// million records.
func BenchmarkFirst(b *testing.B) {
	s := sizedIndex(b, 1_000_000)
	for size := 1000; size <= 1_000_000; size *= 10 {
		of, err := s.Select(b.Context(), query.Equal{Field: "audience", Value: fmt.Sprint(size)})
		if err != nil || of.Len() != uint64(size) {
			b.Fatalf("got %d records, %v, want %d", of.Len(), err, size)
		}
		b.Run(fmt.Sprintf("records=%d", size), func(b *testing.B) {
			for b.Loop() {
				page, err := of.Sorted(b.Context(), []uproar.Order{{Field: "age", Descending: true}}, nil, 10)
				if err != nil || len(page) != 10 {
					b.Fatal(len(page), err)
				}
			}
		})
	}
}
