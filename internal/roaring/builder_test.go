// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package roaring

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/uproar-db/uproar/internal/roaring/container"
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
