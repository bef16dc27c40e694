// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package roaring

import (
	"encoding/binary"
	"fmt"
	"math/bits"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/uproar-db/uproar/internal/roaring/container"
	"github.com/uproar-db/uproar/internal/roaring/kernel/bitset"
	"github.com/uproar-db/uproar/internal/roaring/mutable"
	"github.com/uproar-db/uproar/internal/roaring/pack"
	"github.com/uproar-db/uproar/internal/roaring/pair"
	"github.com/uproar-db/uproar/internal/roaring/roaringtest"
	"github.com/uproar-db/uproar/internal/roaring/view"
)

// many adds or removes values at once.
func (h *history) many(values []uint64, add bool) {
	h.t.Helper()
	before, given := len(h.m), slices.Clone(values)
	var got int
	for _, x := range values {
		if add {
			h.m[x] = struct{}{}
		} else {
			delete(h.m, x)
		}
	}
	want := len(h.m) - before
	if add {
		got = h.b.AddMany(values...)
	} else {
		got, want = h.b.RemoveMany(values...), -want
	}
	if got != want {
		h.t.Fatalf("step %d: %d values, add=%v: got %d changed, want %d", h.steps, len(values), add, got, want)
	}
	if !slices.Equal(values, given) {
		h.t.Fatalf("step %d: the caller's values were changed", h.steps)
	}
	h.steps++
}

// rangeOp runs AddRange, RemoveRange or Flip on a short range.
func (h *history) rangeOp(op int, first, last uint64) {
	h.t.Helper()
	before := len(h.m)
	for i := uint64(0); i <= last-first; i++ {
		x := first + i
		_, had := h.m[x]
		switch {
		case op == 0 || op == 2 && !had:
			h.m[x] = struct{}{}
		default:
			delete(h.m, x)
		}
	}
	switch grown := len(h.m) - before; op {
	case 0:
		if got := h.b.AddRange(first, last); got != uint64(grown) {
			h.t.Fatalf("step %d: AddRange(%d, %d): got %d, want %d", h.steps, first, last, got, grown)
		}
	case 1:
		if got := h.b.RemoveRange(first, last); got != uint64(-grown) {
			h.t.Fatalf("step %d: RemoveRange(%d, %d): got %d, want %d", h.steps, first, last, got, -grown)
		}
	default:
		h.b.Flip(first, last)
	}
	h.steps++
}

// dense applies changes to a Bitmap and to a model of a few chunks from base on.
type dense struct {
	t     *testing.T
	b     mutable.Bitmap
	base  uint64
	has   []uint64 // a bit for each value
	steps int
}

const (
	denseChunks = 6
	denseValues = denseChunks << 16
)

// denseBases are the beginnings of models: the smallest values, some in between, and the largest.
var denseBases = []uint64{0, 1<<40 - 3<<16, -denseChunks << 16 & (1<<64 - 1)}

func newDense(t *testing.T, base uint64) *dense {
	return &dense{t: t, base: base, has: make([]uint64, denseValues/64)}
}

// contains reports whether the model has value x.
func (h *dense) contains(x int) bool { return h.has[x/64]>>(x%64)&1 != 0 }

// set adds (op 0), removes (1) or flips (2) values lo to hi of the model. It returns how many
// changed.
func (h *dense) set(lo, hi int, op byte) (changed int) {
	for x := lo; x <= hi; {
		mask := ^uint64(0)
		if x%64 != 0 || x+63 > hi {
			mask = 1 << (x % 64)
		}
		old := h.has[x/64]
		now := old ^ mask
		switch op {
		case 0:
			now = old | mask
		case 1:
			now = old &^ mask
		}
		h.has[x/64] = now
		changed += bits.OnesCount64(old ^ now)
		x += bits.OnesCount64(mask)
	}
	return changed
}

// value reads a value of the model: most often near the beginning or the end of a chunk.
func (h *dense) value(s *script) int {
	chunk, low := int(s.byte())%denseChunks, int(binary.LittleEndian.Uint16([]byte{s.byte(), s.byte()}))
	switch s.byte() % 4 {
	case 0:
		low %= 3
	case 1:
		low = 65535 - low%3
	}
	return chunk<<16 + low
}

// command runs one command.
func (h *dense) command(s *script) {
	h.t.Helper()
	op := s.byte()
	if op >= 250 { // above the multiples of 10: recorded inputs mean what they meant
		r := rand.New(rand.NewPCG(uint64(op), uint64(s.byte())))
		h.b = *recoded(h.t, r, h.b.View().AppendTo(nil))
		h.steps++
		return
	}
	switch op %= 10; op {
	case 0: // many values
		var values []uint64
		x, step := h.value(s), 1+int(s.byte())*int(1+s.byte())
		for i := range int(s.byte()) * int(s.byte()%32) {
			values = append(values, h.base+uint64((x+i*step)%denseValues))
		}
		want := 0
		for _, y := range values {
			want += h.set(int(y-h.base), int(y-h.base), 0)
		}
		if got := h.b.AddMany(values...); got != want {
			h.t.Fatalf("step %d: AddMany: got %d, want %d", h.steps, got, want)
		}
	case 1: // many values removed
		var values []uint64
		x, step := h.value(s), 1+int(s.byte())
		want := 0
		for i := range int(s.byte()) * int(s.byte()) {
			y := (x + i*step) % denseValues
			values = append(values, h.base+uint64(y))
			want += h.set(y, y, 1)
		}
		if got := h.b.RemoveMany(values...); got != want {
			h.t.Fatalf("step %d: RemoveMany: got %d, want %d", h.steps, got, want)
		}
	case 2:
		x := h.value(s)
		if got := h.b.Add(h.base + uint64(x)); got == h.contains(x) {
			h.t.Fatalf("step %d: Add(%d): got %v", h.steps, x, got)
		}
		h.set(x, x, 0)
	case 3, 4, 5, 6, 7:
		lo, hi := h.value(s), h.value(s)
		if lo > hi {
			lo, hi = hi, lo
		}
		changed := uint64(h.set(lo, hi, (op-3)/2))
		first, last := h.base+uint64(lo), h.base+uint64(hi)
		got := changed
		switch op {
		case 3, 4:
			got = h.b.AddRange(first, last)
		case 5, 6:
			got = h.b.RemoveRange(first, last)
		default:
			h.b.Flip(first, last)
		}
		if got != changed {
			h.t.Fatalf("step %d: operation %d on %d to %d: got %d changed, want %d", h.steps, op, first, last, got,
				changed)
		}
	case 8:
		h.b.Pack(pack.Smallest)
	case 9:
		h.b.Pack(pack.Fastest)
	}
	h.steps++
}

// check validates the bytes and compares every value.
func (h *dense) check() {
	h.t.Helper()
	v, err := view.Open(h.b.Bytes())
	if err == nil {
		err = v.Validate()
	}
	if err != nil {
		h.t.Fatalf("step %d: %v", h.steps, err)
	}
	got := make([]uint64, len(h.has))
	for c := v.Cursor(nil); c.Next(); {
		var words bitset.Words
		container.Fill(&words, c.Block())
		for i := range len(words) / 8 {
			got[(c.Key()-h.base>>16)<<10+uint64(i)] = binary.LittleEndian.Uint64(words[8*i:])
		}
	}
	for i, want := range h.has {
		if got[i] != want {
			t, base := h.t, h.base+uint64(64*i)
			t.Fatalf("step %d: values %d to %d: got the bits %x, want %x", h.steps, base, base+63, got[i], want)
		}
	}
	n := 0
	for _, word := range h.has {
		n += bits.OnesCount64(word)
	}
	if h.b.Len() != uint64(n) {
		h.t.Fatalf("step %d: Len: got %d, want %d", h.steps, h.b.Len(), n)
	}
}

// TestRanges runs random commands on whole chunks and parts of them, at both ends of all values and
// between.
func TestRanges(t *testing.T) {
	r := rand.New(rand.NewPCG(51, 52))
	rounds := roaringtest.Paced(60, 8)
	for _, base := range denseBases {
		for range rounds {
			data := make([]byte, 300)
			for i := range data {
				data[i] = byte(r.Uint32())
			}
			h := newDense(t, base)
			for s := (&script{data: data}); len(s.data) > 0; {
				h.command(s)
				h.check()
			}
		}
	}
}

// TestWideRanges checks ranges of many chunks by their counts and edges.
func TestWideRanges(t *testing.T) {
	var b mutable.Bitmap
	valid := func() {
		t.Helper()
		v, err := view.Open(b.Bytes())
		if err == nil {
			err = v.Validate()
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	const first, last = 99_999, 1<<32 + 12
	if got := b.AddRange(first, last); got != last-first+1 {
		t.Errorf("AddRange: got %d, want %d", got, uint64(last-first+1))
	}
	valid()
	if got, most := len(b.Bytes()), 65_536*24*5/4; got > most {
		t.Errorf("bytes of 65 536 whole chunks: got %d, want at most %d", got, most)
	}
	if b.Contains(first-1) || !b.Contains(first) || !b.Contains(last) || b.Contains(last+1) {
		t.Error("the ends of the range are not its ends")
	}
	if got := b.AddRange(first, last); got != 0 {
		t.Errorf("the same range again: got %d, want 0", got)
	}
	b.Flip(first-1, last-1)
	valid()
	if values := b.View().AppendTo(nil); !slices.Equal(values, []uint64{first - 1, last}) {
		t.Errorf("flipped: got %v, want the two values at the ends", values)
	}
	if got := b.RemoveRange(0, 1<<64-1); got != 2 || !b.IsEmpty() {
		t.Errorf("RemoveRange of everything: got %d, want 2", got)
	}
	valid()
	b.AddRange(1<<64-70_000, 1<<64-1)
	b.AddRange(5, 4)
	b.Flip(1<<64-1, 1<<64-1)
	valid()
	if x, _ := b.Max(); b.Len() != 69_999 || x != 1<<64-2 {
		t.Errorf("at the end: got %d values up to %d, want 69999 up to 2^64-2", b.Len(), x)
	}
	for name, call := range map[string]func(first, last uint64){"AddRange": func(first, last uint64) {
		b.AddRange(first, last)
	}, "Flip": b.Flip} {
		func() {
			defer func() {
				if got := fmt.Sprint(recover()); !strings.Contains(got, name) {
					t.Errorf("%s of all values: got %q, want a panic that names the call", name, got)
				}
			}()
			call(0, 1<<64-1)
		}()
	}
	valid()
}

// TestManyInBatches adds and removes batches of every size and order, and bounds bytes and work.
func TestManyInBatches(t *testing.T) {
	n := roaringtest.Paced(100_000, 20_000)
	r := rand.New(rand.NewPCG(53, 54))
	for _, src := range sources {
		t.Run(src.name, func(t *testing.T) {
			h := newHistory(t)
			var all []uint64
			for step := 0; step < n; {
				values := make([]uint64, 1+r.IntN(1<<r.IntN(14)))
				for i := range values {
					values[i] = src.next(r, step+i)
				}
				step += len(values)
				all = append(all, values...)
				h.many(values, true)
			}
			h.check()
			checkNear(t, h.b, "added")
			if got := h.b.Moved() / uint64(n); got > 5000 {
				t.Errorf("%d bytes moved for each value, want at most 5000", got)
			}
			r.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
			for half := all[:len(all)/2]; len(half) > 0; {
				k := min(len(half), 1+r.IntN(1<<r.IntN(14)))
				h.many(half[:k], false)
				half = half[k:]
			}
			h.check()
			checkNear(t, h.b, "half removed")
			h.many(all, false)
			h.check()
			if !h.b.IsEmpty() || len(h.b.Bytes()) > 2000 {
				t.Errorf("all values removed: %d bytes are left", len(h.b.Bytes()))
			}
		})
	}
}

// checkNear compares the bytes with the same set, packed.
func checkNear(t *testing.T, b *mutable.Bitmap, what string) {
	t.Helper()
	packed := b.Clone()
	packed.Pack(pack.Fastest)
	got, want := len(b.Bytes()), len(packed.Bytes())
	packed.Pack(pack.Smallest)
	t.Logf("%s: %d values, %d bytes; packed %d and %d; moved %d", what, b.Len(), got, want, len(packed.Bytes()),
		b.Moved())
	if got > 2*want+1000 {
		t.Errorf("%s: got %d bytes, want at most twice the %d of the packed set", what, got, want)
	}
}

func ExampleBitmap_AddMany() {
	var b mutable.Bitmap
	fmt.Println(b.AddMany(30, 10, 20, 10))
	fmt.Println(b.RemoveMany(10, 11), b.View().AppendTo(nil))
	// Output:
	// 3
	// 1 [20 30]
}

func ExampleBitmap_AddRange() {
	var b mutable.Bitmap
	fmt.Println(b.AddRange(1_000_000, 1_999_999), "values in", len(b.Bytes()), "bytes")
	fmt.Println(b.RemoveRange(1_000_001, 1_999_998), b.View().AppendTo(nil))
	// Output:
	// 1000000 values in 482 bytes
	// 999998 [1000000 1999999]
}

func ExampleBitmap_Flip() {
	b := pair.Of(1, 3, 5)
	b.Flip(0, 6)
	fmt.Println(b.View().AppendTo(nil))
	// Output: [0 2 4 6]
}
