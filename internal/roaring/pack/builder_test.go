// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package pack_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/uproar-db/uproar/internal/roaring/container"
	"github.com/uproar-db/uproar/internal/roaring/pack"
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
