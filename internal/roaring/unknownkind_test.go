// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package roaring

import (
	"encoding/binary"
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/uproar-db/uproar/internal/roaring/container"
	"github.com/uproar-db/uproar/internal/roaring/mutable"
	"github.com/uproar-db/uproar/internal/roaring/pair"
	"github.com/uproar-db/uproar/internal/roaring/roaringtest"
	"github.com/uproar-db/uproar/internal/roaring/view"
)

// TestUnknownKind reads sets with a container of a kind that is not known: its payload begins with
// a byte that is no low width. Validate refuses it, and whatever reads values finds none there.
func TestUnknownKind(t *testing.T) {
	r := rand.New(rand.NewPCG(41, 42))
	low := roaringtest.Container{Key: 1, Values: roaringtest.Span(1<<16, 1<<16+90, 3)}
	odd := roaringtest.Container{Key: 5, Kind: container.Packed, Values: roaringtest.Span(5<<16, 6<<16, 200), Low: 7}
	high := roaringtest.Container{Key: 6, Kind: container.Bitset, Values: roaringtest.Span(6<<16, 7<<16, 2)}
	want := append(slices.Clone(low.Values), high.Values...)
	for _, first := range []byte{view.MaxLowWidth + 1, view.MaxLowWidth + 2, 128, 254} {
		if container.Decoders[first] != nil {
			continue
		}
		cs := []roaringtest.Container{low, odd, high}
		compact, loose := roaringtest.CompactBody(cs, 0), roaringtest.LooseBody(cs, r)
		v := open(t, compact)
		compact[view.Payloads(&v)+len(low.Payload())] = first
		entry := binary.LittleEndian.Uint64(loose[16:]) + 16
		loose[binary.LittleEndian.Uint64(loose[entry+8:])>>16] = first
		for _, body := range [][]byte{compact, loose} {
			v := open(t, body)
			if err := v.Validate(); !errors.Is(err, view.ErrVersion) {
				t.Fatalf("validate first byte %d: got %v, want ErrVersion", first, err)
			}
			checkLacks(t, v, odd.Values, want)
		}
	}
}

// checkLacks compares v, which should have the values of want and none of gone, with these.
func checkLacks(t *testing.T, v view.View, gone, want []uint64) {
	t.Helper()
	same := func(what string, got []uint64) {
		t.Helper()
		if !slices.Equal(got, want) {
			t.Errorf("%s: got %d values, want %d", what, len(got), len(want))
		}
	}
	same("AppendTo", v.AppendTo(nil))
	same("All", slices.Collect(v.All()))
	backward := slices.Collect(v.Backward())
	slices.Reverse(backward)
	same("Backward", backward)
	var ranges, blocks []uint64
	for first, last := range v.Ranges() {
		for x := first; x <= last; x++ {
			ranges = append(ranges, x)
		}
	}
	same("Ranges", ranges)
	c := v.Cursor(nil)
	for c.Next() {
		blocks = c.Block().AppendTo(blocks)
	}
	c.Release()
	same("Cursor", blocks)
	changed := mutable.Clone(v)
	changed.Add(0)
	changed.Remove(0)
	same("Bitmap", changed.View().AppendTo(nil))

	all, none := pair.FromSorted(append(slices.Clone(gone), want...)).View(), pair.FromSorted(gone).View()
	spread := open(t, roaringtest.ListBody(gone, roaringtest.BestLow(gone)))
	for _, o := range []view.View{all, v} {
		same("And", pair.And(v, o).View().AppendTo(nil))
		same("And", pair.And(o, v).View().AppendTo(nil))
		same("Or", pair.Or(v, pair.And(v, o).View()).View().AppendTo(nil))
		if n := pair.AndLen(v, o); n != uint64(len(want)) {
			t.Errorf("AndLen: got %d, want %d", n, len(want))
		}
	}
	for _, o := range []view.View{none, spread} {
		if n, m := pair.AndLen(v, o), pair.AndLen(o, v); n != 0 || m != 0 || pair.Intersects(v, o) {
			t.Errorf("with what is unknown: got %d and %d values in common, want none", n, m)
		}
		same("AndNot", pair.AndNot(v, o).View().AppendTo(nil))
	}
	for _, x := range gone {
		if v.Contains(x) {
			t.Fatalf("Contains(%d): got true, want false", x)
		}
	}
	if x, ok := v.Next(gone[0]); !ok || x < 6<<16 {
		t.Errorf("Next: got %d, %v, want a value of the container behind it", x, ok)
	}
	if x, ok := v.Previous(gone[len(gone)-1]); !ok || x >= 5<<16 {
		t.Errorf("Previous: got %d, %v, want a value of the container before it", x, ok)
	}
	if x, ok := v.Select(uint64(v.Rank(gone[0]))); ok && slices.Contains(gone, x) {
		t.Errorf("Select: got %d, which is not there", x)
	}
	if x, ok := v.Max(); !ok || x != want[len(want)-1] || v.Rank(math.MaxUint64) != v.Len() {
		t.Errorf("Max: got %d, %v, want %d", x, ok, want[len(want)-1])
	}
}
