// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package roaring

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/uproar-db/uproar/internal/roaring/container"
	"github.com/uproar-db/uproar/internal/roaring/eliasfano"
	"github.com/uproar-db/uproar/internal/roaring/mutable"
	"github.com/uproar-db/uproar/internal/roaring/pack"
	"github.com/uproar-db/uproar/internal/roaring/pair"
	"github.com/uproar-db/uproar/internal/roaring/roaringtest"
	"github.com/uproar-db/uproar/internal/roaring/view"
)

// checkBody opens a body, validates it and compares it with its values.
func checkBody(t *testing.T, body []byte, values []uint64) view.View {
	t.Helper()
	v, err := view.OpenBody(body)
	if err != nil {
		t.Fatal(err)
	}
	if err := v.Validate(); err != nil {
		t.Fatal(err)
	}
	if got := v.AppendTo(nil); !slices.Equal(got, values) {
		t.Fatalf("got %d values, want %d", len(got), len(values))
	}
	return v
}

func TestBuild(t *testing.T) {
	roaringtest.Alone(t)
	r := rand.New(rand.NewPCG(11, 12))
	var byValue, byBlock pack.Builder
	for name, values := range roaringtest.SortedByName(roaringtest.Shapes(r)) {
		t.Run(name, func(t *testing.T) {
			prefix := []byte("prefix")
			smallest := pack.AppendBody(prefix, values)[len(prefix):]
			v := checkBody(t, smallest, values)

			byValue.Reset()
			for _, x := range values {
				byValue.Append(x)
				if r.IntN(10) == 0 {
					byValue.Append(x)
				}
			}
			if got := byValue.Len(); got != uint64(len(values)) {
				t.Errorf("Len of the builder: got %d, want %d", got, len(values))
			}
			if got := byValue.Body(nil); !slices.Equal(got, smallest) {
				t.Errorf("value by value: got another body, of %d bytes, want %d", len(got), len(smallest))
			}
			byBlock.Reset()
			byBlock.AppendView(v)
			if got := byBlock.Body(nil); !slices.Equal(got, smallest) {
				t.Errorf("block by block: got another body, of %d bytes, want %d", len(got), len(smallest))
			}

			shuffled := slices.Concat(values, values[:len(values)/3])
			r.Shuffle(len(shuffled), func(i, j int) { shuffled[i], shuffled[j] = shuffled[j], shuffled[i] })
			b := pair.Of(shuffled...)
			checkBitmap(t, b, values)
			fastest := len(b.View().Body())
			if fastest < len(smallest) {
				t.Errorf("Fastest has %d bytes, Smallest %d", fastest, len(smallest))
			}
			layout := b.View()
			for i := range layout.Count() {
				if layout.Form() != view.FormList && layout.KindAt(i) == container.Packed {
					t.Error("Fastest has a packed container")
				}
			}
			b.Pack(pack.Smallest)
			checkBitmap(t, b, values)
			if !slices.Equal(b.View().Body(), smallest) {
				t.Error("Pack(Smallest): got another body than AppendBody")
			}
			b.Pack(pack.Fastest)
			checkBitmap(t, b, values)
			if len(b.View().Body()) != fastest {
				t.Errorf("Pack(Fastest): got %d bytes, want %d", len(b.View().Body()), fastest)
			}
			checkBitmap(t, mutable.Clone(v), values)
			checked, err := view.Open(pack.AppendChecked(v, nil))
			if err != nil {
				t.Fatal(err)
			}
			if err := checked.Validate(); err != nil {
				t.Fatal(err)
			}
		})
	}
}

// checkBitmap opens and validates the bytes and compares them with the values.
func checkBitmap(t *testing.T, b *mutable.Bitmap, values []uint64) {
	t.Helper()
	v, err := view.Open(b.Bytes())
	if err != nil {
		t.Fatal(err)
	}
	if err := v.Validate(); err != nil {
		t.Fatal(err)
	}
	if got := v.AppendTo(nil); !slices.Equal(got, values) {
		t.Fatalf("got %d values, want %d", len(got), len(values))
	}
	if b.Len() != uint64(len(values)) || !slices.Equal(b.View().AppendTo(nil), values) {
		t.Fatalf("the view has other values than the bytes: %d, want %d", b.Len(), len(values))
	}
}

// TestListOverhead bounds the size of a list of random values by its entropy plus 4 bytes. Two of
// the 4 are the slot in a page. It tries all lengths and ranges, and above all ranges of a power of
// two per value, whose bound is exact.
func TestListOverhead(t *testing.T) {
	roaringtest.Alone(t)
	r := rand.New(rand.NewPCG(13, 14))
	var body []byte
	for i := range 3000 {
		n := 1 + r.IntN(1<<r.IntN(14))%view.MaxList
		if i%50 == 0 {
			n = view.MaxList - i/50
		}
		limit := r.Uint64() >> r.IntN(64)
		if i%3 == 0 {
			limit = uint64(n) << r.IntN(51)
		}
		limit = max(limit, uint64(n))
		values := make([]uint64, n)
		for i := range values {
			values[i] = r.Uint64N(limit)
		}
		values[0] = limit - 1
		slices.Sort(values)
		values = slices.Compact(values)
		n = len(values)
		bound := math.Ceil(float64(n) * (2 + math.Log2(float64(limit)/float64(n))) / 8)
		if body = pack.AppendBody(body[:0], values); float64(len(body)+2) > bound+4 {
			t.Fatalf("%d values below %d: got %d bytes with the slot, want at most %.0f + 4", n, limit, len(body)+2,
				bound)
		}
		checkBody(t, body, values)
	}
}

// TestListHeaderSaysNumberOfValues reads the number of values back from headers of blocks of all
// lengths that they may have.
func TestListHeaderSaysNumberOfValues(t *testing.T) {
	r := rand.New(rand.NewPCG(35, 36))
	for low := range uint(64) {
		for range 400 {
			n := 1 + r.IntN(view.MaxList)
			if r.IntN(4) == 0 {
				n = max(1, []int{n % 300, view.MaxList}[r.IntN(2)])
			}
			for _, zeros := range []int{n, n + r.IntN(n), 2*n - 1} {
				last := uint64(zeros) << low
				if last>>low != uint64(zeros) {
					continue
				}
				if eliasfano.LowWidth(n, last) != low {
					t.Fatalf("low width of %d values up to %d: got %d, want %d", n, last, eliasfano.LowWidth(n, last),
						low)
				}
				body := make([]byte, view.HeaderList+eliasfano.Bytes(n, last, low))
				view.PutListHeader(body, n, low)
				v := open(t, body)
				if v.Form() != view.FormList || v.Len() != uint64(n) || v.Kw() != uint8(low) {
					t.Fatalf("header of %d values in low width %d: got %d in %d", n, low, v.Len(), v.Kw())
				}
			}
		}
	}
}

func TestBuilderOrder(t *testing.T) {
	for name, f := range map[string]func(b *pack.Builder){
		"value":          func(b *pack.Builder) { b.Append(7); b.Append(6) },
		"value of chunk": func(b *pack.Builder) { b.Append(1 << 20); b.Append(6) },
		"block": func(b *pack.Builder) {
			b.Append(1 << 20)
			b.AppendBlock(container.OfLows(3, []uint16{1}, new(container.Scratch)))
		},
		"same chunk": func(b *pack.Builder) {
			b.AppendBlock(container.OfLows(3, []uint16{1}, new(container.Scratch)))
			b.Append(3 << 16)
		},
		"value of Body": func(b *pack.Builder) { b.Append(7); b.Body(nil); b.Append(6) },
	} {
		t.Run(name, func(t *testing.T) {
			defer func() {
				if p := recover(); p == nil || !strings.Contains(fmt.Sprint(p), "want ascending") {
					t.Errorf("got %v, want a panic that says so", p)
				}
			}()
			f(new(pack.Builder))
		})
	}
}

// TestBuilderGoesOn appends values after the set has been asked for, within chunks of every kind.
func TestBuilderGoesOn(t *testing.T) {
	r := rand.New(rand.NewPCG(37, 38))
	for name, values := range roaringtest.SortedByName(roaringtest.Shapes(r)) {
		b := new(pack.Builder)
		for i, x := range values {
			b.Append(x)
			if i > 0 && i == r.IntN(i+1) || i == len(values)/2 {
				checkBody(t, b.Body(nil), values[:i+1])
				b.Append(x) // is there already
			}
		}
		if b.Len() != uint64(len(values)) {
			t.Errorf("%s: got %d values, want %d", name, b.Len(), len(values))
		}
		checkBody(t, b.Body(nil), values)
	}
	b := new(pack.Builder)
	b.AppendBlock(container.OfLows(3, []uint16{1, 5}, new(container.Scratch)))
	b.Append(3<<16 + 9)
	checkBody(t, b.Body(nil), []uint64{3<<16 + 1, 3<<16 + 5, 3<<16 + 9})
}

// TestBuilderHostile appends blocks that are not valid: the set must be.
func TestBuilderHostile(t *testing.T) {
	words := make([]byte, container.MaxPayload)
	words[5] = 3
	for i, block := range []container.Block{
		{Key: 1, Data: []byte{5, 0, 4, 0, 4, 0, 3, 0}, N: 4, Kind: container.Array},
		{Key: 1, Data: []byte{5, 0, 5, 0}, N: 40000, Kind: container.Array},
		{Key: 1, Data: []byte{5, 0, 255, 255, 4, 0, 0, 0}, N: 1, Kind: container.Run},
		{Key: 1, Data: []byte{5, 0, 0, 0, 6, 0, 0, 0}, N: 2, Kind: container.Run},
		{Key: 1, Data: words, N: 65536, Kind: container.Bitset},
		{Key: 1, Data: make([]byte, container.MaxPayload), N: 65536, Kind: container.Bitset},
	} {
		for _, layout := range []pack.Layout{pack.Smallest, pack.Fastest, pack.AsTheyAre} {
			b := pack.Builder{Layout: layout}
			b.AppendBlock(block)
			b.AppendBlock(container.Block{Key: 1 << 30, Data: []byte{1, 0, 0, 0}, N: 1, Kind: container.Array})
			m := mutable.NewBitmap(&b, layout)
			v, err := view.Open(m.Bytes())
			if err != nil {
				t.Fatalf("block %d: %v", i, err)
			}
			if err := v.Validate(); err != nil && layout != pack.AsTheyAre {
				t.Fatalf("block %d: %v", i, err)
			}
		}
	}
}

func TestBuilderAllocatesNothing(t *testing.T) {
	if roaringtest.RaceEnabled {
		t.Skip("the race detector allocates")
	}
	r := rand.New(rand.NewPCG(15, 16))
	for name, values := range roaringtest.SortedByName(roaringtest.Shapes(r)) {
		var b pack.Builder
		var dst []byte
		build := func() {
			b.Reset()
			for _, x := range values {
				b.Append(x)
			}
			dst = b.Body(dst[:0])
		}
		build()
		if got := roaringtest.Allocations(3, build); got != 0 {
			t.Errorf("%s: got %v allocations, want 0", name, got)
		}
	}
}

func ExampleBuilder() {
	var b pack.Builder
	for x := uint64(10); x < 1000; x += 10 {
		b.Append(x)
	}
	body := b.Body(nil)
	v, _ := view.OpenBody(body)
	fmt.Println(v.Len(), "values in", len(body), "bytes")
	// Output: 99 values in 67 bytes
}
