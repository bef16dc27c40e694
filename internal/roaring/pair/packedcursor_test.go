// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package pair

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/uproar-db/uproar/internal/roaring/container"
	"github.com/uproar-db/uproar/internal/roaring/cpu"
	"github.com/uproar-db/uproar/internal/roaring/roaringtest"
	"github.com/uproar-db/uproar/internal/roaring/view"
)

// TestPackedCursorGoesWhereCursorsGo moves packed cursors and cursors through the same sets. It
// goes from chunk to chunk and with leaps, through all kinds of containers. Both must stand at the
// same blocks.
func TestPackedCursorGoesWhereCursorsGo(t *testing.T) {
	r := rand.New(rand.NewPCG(321, 1))
	blocks, packed := 0, 0
	for i := range 1200 {
		var cs []roaringtest.Container
		for key := uint64(r.IntN(4)); len(cs) < 1+r.IntN(1<<(i%6)); key += 1 + uint64(r.IntN(3)) {
			c := roaringtest.Container{Key: key, Kind: uint8(r.IntN(4))}
			if i%4 == 0 {
				c.Kind = container.Packed
			}
			span := uint64(1)
			if c.Kind == container.Packed {
				span += uint64(r.IntN(4))
				packed++
			}
			c.Values = roaringtest.RandomValues(r, 1+r.IntN(1<<(1+r.IntN(9))), span<<16)
			if c.Values[0] >= 1<<16 {
				c.Values[0] = 7 // the first value lies in the first chunk
			}
			c.Low = roaringtest.BestLow(c.Values)
			for j := range c.Values {
				c.Values[j] += key << 16
			}
			cs = append(cs, c)
			key += span - 1
		}
		body := roaringtest.CompactBody(cs, 0)
		if i%10 == 0 {
			body = roaringtest.ListBody(cs[0].Values, roaringtest.BestLow(cs[0].Values))
		}
		v := open(t, body)
		for skip := range uint64(4) {
			var s packedCursor
			if !s.open(&v) {
				break // the smallest directory
			}
			c := v.Cursor(nil)
			for key := uint64(0); ; key = c.Pos + 1 + skip {
				found, want := s.seek(key), c.Seek(key)
				if found != want || found && s.Pos != c.Pos {
					t.Fatalf("set %d, from %d on: got a block at %d, %t, want %d, %t", i, key, s.Pos, found, c.Pos,
						want)
				}
				if !found {
					break
				}
				if got, want := s.Block().AppendTo(nil), c.Block().AppendTo(nil); !slices.Equal(got, want) {
					t.Fatalf("set %d, block %d: got %d values, want %d", i, s.Pos, len(got), len(want))
				}
				blocks++
			}
			s.Release()
			c.Release()
		}
	}
	if blocks < 5000 || packed < 1000 {
		t.Errorf("%d blocks, %d packed containers: this tests too little", blocks, packed)
	}
}

// TestPackedCursorEndsWhateverTheKeys: whatever the keys are, a packed cursor only goes on, and
// comes to an end.
func TestPackedCursorEndsWhateverTheKeys(t *testing.T) {
	r := rand.New(rand.NewPCG(322, 1))
	for range 2000 {
		var cs []roaringtest.Container
		for key := range uint64(2 + r.IntN(20)) {
			cs = append(cs, roaringtest.Container{Key: key, Kind: []uint8{container.Array, container.Packed}[r.IntN(2)],
				Low:    8,
				Values: []uint64{key<<16 + 3, key<<16 + 5, key<<16 + 900}})
		}
		body := roaringtest.CompactBody(cs, 0)
		for range 1 + r.IntN(6) {
			body[3+r.IntN(len(body)-3)] ^= byte(1 << r.IntN(8))
		}
		v, err := view.OpenBody(body)
		if err != nil {
			continue
		}
		var s packedCursor
		if !s.open(&v) {
			continue
		}
		n := 0
		for key := uint64(0); key <= container.MaxKey && s.seek(key); key = s.Pos + 1 {
			if n++; s.Pos < key || n > 1<<16 {
				t.Fatalf("from %d on: block %d, the %d. one", key, s.Pos, n)
			}
		}
		s.Release()
	}
}

// TestPackedCursorLeavesOutOverlap: values of a packed container from the key of the next one on
// are none, as for a Cursor.
func TestPackedCursorLeavesOutOverlap(t *testing.T) {
	body := roaringtest.CompactBody([]roaringtest.Container{
		{Key: 1, Kind: container.Packed, Low: 14, Values: []uint64{1<<16 + 5, 3<<16 + 7, 3<<16 + 8}},
		{Key: 3, Kind: container.Packed, Low: 14, Values: []uint64{3<<16 + 9, 4<<16 + 1}},
	}, 0)
	v := open(t, body)
	var s packedCursor
	if !s.open(&v) {
		t.Fatal("a directory that a packed cursor does not know")
	}
	defer s.Release()
	var got []uint64
	for key := uint64(0); s.seek(key); key = s.Pos + 1 {
		got = s.Block().AppendTo(got)
	}
	if want := []uint64{1<<16 + 5, 3<<16 + 9, 4<<16 + 1}; !slices.Equal(got, want) {
		t.Errorf("got %d, want %d", got, want)
	}
}

// TestPackedCursorsReachTheLastChunk intersects sets that share values in the last chunk of all. No
// chunk is behind it.
func TestPackedCursorsReachTheLastChunk(t *testing.T) {
	taken := cpu.Active
	defer cpu.Use(taken)
	top := uint64(container.MaxKey) << 16
	sets := [][]roaringtest.Container{
		// of so few bytes that no eight stand behind its keys
		{{Key: container.MaxKey, Kind: container.Packed, Low: 15, Values: []uint64{top + 0xFFFF}}},
		{{Key: container.MaxKey - 2, Kind: container.Packed, Low: 15, Values: []uint64{top - 2<<16 + 1, top + 3, top +
			0xFFFF}}},
		{{Key: 1, Values: []uint64{1<<16 + 1}}, {Key: container.MaxKey, Kind: container.Packed, Low: 14,
			Values: []uint64{top + 3, top + 5, top + 0xFFFF}}},
		{{Key: container.MaxKey - 1, Values: []uint64{top - 1<<16}}, {Key: container.MaxKey,
			Values: []uint64{top, top + 3, top + 0xFFFF}}},
	}
	for i, x := range sets {
		for j, y := range sets {
			var values [2][]uint64
			for k, cs := range [][]roaringtest.Container{x, y} {
				for _, c := range cs {
					values[k] = append(values[k], c.Values...)
				}
			}
			want := roaringtest.CombineSorted(values[0], values[1], viewOps[0].F)
			a, b := open(t, slices.Clip(roaringtest.CompactBody(x, 0))),
				open(t, slices.Clip(roaringtest.CompactBody(y, 0)))
			for _, path := range cpu.Paths() {
				cpu.Use(path)
				if n, ok := strideLen(&a, &b); !ok || n != uint64(len(want)) || AndLen(a, b) != n {
					t.Errorf("%v, sets %d and %d: got %d in common, %t, and %d, want %d", path, i, j, n, ok,
						AndLen(a, b), len(want))
				}
				if got := slices.Collect(And(a, b).All()); !slices.Equal(got, want) {
					t.Errorf("%v, sets %d and %d: got %d, want %d", path, i, j, got, want)
				}
			}
		}
	}
}

// TestPackedCursorsMeetFullArrays intersects dense lists with arrays of many values that are
// crowded somewhere in their chunks: of a list of low width 2, nearly all of a chunk is left behind
// an array that ends early, and the next array passes it.
func TestPackedCursorsMeetFullArrays(t *testing.T) {
	taken := cpu.Active
	defer cpu.Use(taken)
	r := rand.New(rand.NewPCG(323, 1))
	found := 0
	for i := range 60 {
		low := uint(2 + i%6)
		var list, arrays, want []uint64
		for x := uint64(0); x < 4<<16; x += 1 + r.Uint64N(3<<low-1) {
			list = append(list, x)
		}
		for key := range uint64(5) {
			if r.IntN(8) == 0 {
				continue
			}
			n := min(container.ChunkValues/4>>low+r.IntN(1<<10), container.MaxArray)
			from := []int{0, container.ChunkValues - n, r.IntN(container.ChunkValues - n + 1)}[r.IntN(3)]
			for at := range n {
				arrays = append(arrays, key<<16+uint64(from+at))
			}
		}
		for _, x := range list {
			if _, ok := slices.BinarySearch(arrays, x); ok {
				want = append(want, x)
			}
		}
		body := roaringtest.ListBody(list, low)
		if len(list) > view.MaxList {
			body = roaringtest.LongListBody(list, low)
		}
		x, y := open(t, body), open(t, roaringtest.DirectoryOf(arrays))
		for _, path := range cpu.Paths() {
			cpu.Use(path)
			if got := AndLen(x, y); got != uint64(len(want)) {
				t.Errorf("%v: %d values of low width %d, %d in arrays: got %d in common, want %d", path, len(list), low,
					len(arrays), got, len(want))
			}
			if got := slices.Collect(And(y, x).All()); !slices.Equal(got, want) {
				t.Errorf("%v: %d values of low width %d, %d in arrays: And has %d values, want %d", path, len(list),
					low, len(arrays), len(got), len(want))
			}
		}
		found += len(want)
	}
	if found < 10_000 {
		t.Errorf("%d values in common: this tests too little", found)
	}
}
