// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package extsort

import (
	"cmp"
	"encoding/binary"
	"math/rand/v2"
	"os"
	"slices"
	"testing"
)

// item is a number, and which one of several equal numbers it is.
type item struct{ x, n uint64 }

var codec = Codec[item]{
	Compare: func(a, b *item) int { return cmp.Compare(a.x, b.x) },
	Append: func(dst []byte, before, x *item) []byte {
		return binary.AppendUvarint(binary.AppendUvarint(dst, x.x-before.x), x.n)
	},
	Read: func(b []byte, before *item) (x item, n int) {
		gap, n := binary.Uvarint(b)
		if n <= 0 {
			return x, 0
		}
		order, m := binary.Uvarint(b[n:])
		if m <= 0 {
			return x, 0
		}
		return item{before.x + gap, order}, n + m
	},
	Most: 2 * binary.MaxVarintLen64,
}

// TestMerge compares the merge of runs in files, in memory and plain with a stable sort of all.
func TestMerge(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	rng := rand.New(rand.NewPCG(3, 4))
	for round := range 60 {
		var all, last []item
		r := Runs[item]{Codec: codec, Buffer: int64(rng.IntN(1 << 18))}
		add := func() (run []item) {
			limit := uint64(1) << rng.IntN(64)
			for range rng.IntN(5000) {
				run = append(run, item{x: rng.Uint64N(limit)})
			}
			slices.SortFunc(run, func(a, b item) int { return cmp.Compare(a.x, b.x) })
			for i := range run {
				run[i].n = uint64(len(all) + i)
			}
			all = append(all, run...)
			return run
		}
		for range rng.IntN(6) {
			if err := r.Add(add()); err != nil {
				t.Fatal(err)
			}
		}
		for range rng.IntN(4) {
			w := r.Hold()
			for _, x := range add() {
				if err := w.Put(&x); err != nil {
					t.Fatal(err)
				}
			}
			if err := w.End(); err != nil {
				t.Fatal(err)
			}
		}
		if round%2 == 0 {
			if err := r.Spill(); err != nil {
				t.Fatal(err)
			}
			if n := r.Held(); n > 0 {
				t.Fatalf("got %d bytes in memory, want none", n)
			}
		}
		if last = add(); r.Items != len(all)-len(last) {
			t.Fatalf("got %d items, want %d", r.Items, len(all)-len(last))
		}
		slices.SortStableFunc(all, func(a, b item) int { return cmp.Compare(a.x, b.x) })
		for range 2 { // it can be merged again
			m, err := r.Merge(last)
			if err != nil {
				t.Fatal(err)
			}
			for i, want := range all {
				if got, ok, err := m.Next(); got != want || !ok || err != nil {
					t.Fatalf("round %d, item %d: got %v, %v, %v, want %v", round, i, got, ok, err, want)
				}
			}
			if got, ok, err := m.Next(); ok || err != nil {
				t.Fatalf("got %v, %v behind the last item", got, err)
			}
		}
		if err := r.Close(); err != nil {
			t.Fatal(err)
		}
	}
	if left, err := os.ReadDir(os.TempDir()); err != nil || len(left) > 0 {
		t.Errorf("got %d files, %v, want none", len(left), err)
	}
}

// TestMergeOfCutFile: a file that was cut off is an error, not an end.
func TestMergeOfCutFile(t *testing.T) {
	r := Runs[item]{Codec: codec}
	defer r.Close()
	if err := r.Add([]item{{1, 1}, {300, 300}}); err != nil {
		t.Fatal(err)
	}
	if err := r.Open[0].Truncate(3); err != nil {
		t.Fatal(err)
	}
	m, err := r.Merge(nil)
	for ok := err == nil; ok; {
		_, ok, err = m.Next()
	}
	if err == nil {
		t.Error("got no error")
	}
}

func TestSortWords(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	for range 200 {
		words := make([]uint64, rng.IntN(3000))
		for i := range words {
			words[i] = rng.Uint64() >> rng.IntN(64)
		}
		from := rng.IntN(60)
		width := rng.IntN(64 - from + 1)
		want := slices.Clone(words)
		part := func(w uint64) uint64 { return w >> from & (1<<width - 1) }
		slices.SortStableFunc(want, func(a, b uint64) int { return cmp.Compare(part(a), part(b)) })
		if got, _ := SortWords(words, make([]uint64, len(words)), from, width); !slices.Equal(got, want) {
			t.Fatalf("bits %d from %d on: not in order", width, from)
		}
	}
}
