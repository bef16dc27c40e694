// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package roaring

import (
	"encoding/binary"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/uproar-db/uproar/internal/roaring/container"
	"github.com/uproar-db/uproar/internal/roaring/mutable"
	"github.com/uproar-db/uproar/internal/roaring/pack"
	"github.com/uproar-db/uproar/internal/roaring/pair"
	"github.com/uproar-db/uproar/internal/roaring/roaringtest"
	"github.com/uproar-db/uproar/internal/roaring/view"
)

// maxHostile bounds the bytes of one input: more would only take longer.
const maxHostile = 1 << 15

// hostile makes every call on sets over bytes at the very end of readable memory. Then it makes
// them over bytes at the very beginning.
type hostile struct {
	t             *testing.T
	first, second *roaringtest.Guarded
	opened        int
}

func newHostile(t *testing.T) *hostile {
	t.Helper()
	return &hostile{t: t, first: roaringtest.NewGuarded(t, maxHostile), second: roaringtest.NewGuarded(t, maxHostile)}
}

// check reads two bodies, as they are and in an envelope: what can be opened is exercised, with
// itself and with the other. Every call gives the same answer wherever the bytes stand.
func (h *hostile) check(x, y []byte) {
	h.t.Helper()
	if len(x) > maxHostile || len(y) > maxHostile {
		return
	}
	roaringtest.Run(h.t, readCalls(), rawBytes{h.first.Put(x, true), h.t}, roaringtest.BudgetFor(0, len(x)))
	var answers [2][]uint64
	for i, atEnd := range []bool{true, false} {
		a, err := openAny(h.first.Put(x, atEnd))
		if err != nil {
			return
		}
		b, err := openAny(h.second.Put(y, atEnd))
		if err != nil {
			b = a
		}
		answers[i] = append(exercise(h.t, a, b), view.Hash(a), a.Rank(1<<63))
		if atEnd {
			exercise(h.t, b, a)
			if a.Validate() == nil && listable(a) {
				checkView(h.t, rand.New(rand.NewPCG(1, uint64(len(x)))), a, a.AppendTo(nil))
			}
		}
	}
	h.opened++
	for i, sum := range answers[0] {
		if sum != answers[1][i] && i < len(setCalls()) {
			h.t.Fatalf("%s: another answer the second time", setCalls()[i].Name)
		}
	}
}

// openAny opens a body, or what begins like an envelope.
func openAny(b []byte) (view.View, error) {
	if v, err := view.Open(b); err == nil {
		return v, nil
	}
	return view.OpenBody(b)
}

// FuzzReaders gives any bytes to everything that reads bytes: this format and the others, beside
// pages that may not be touched.
func FuzzReaders(f *testing.F) {
	for _, m := range []*mutable.Bitmap{new(mutable.Bitmap), pair.Of(1, 2, 300, 1<<40),
		pair.FromSorted(roaringtest.Span(0, 20_000, 7))} {
		f.Add(m.Bytes())
		f.Add(pack.AppendChecked(m.View(), nil))
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		if len(b) > maxHostile {
			return
		}
		g := roaringtest.NewGuarded(t, maxHostile)
		var answers [2][]uint64
		for i, atEnd := range []bool{true, false} {
			answers[i] = roaringtest.Run(t, readCalls(), rawBytes{g.Put(b, atEnd), t},
				roaringtest.BudgetFor(0, len(b)))
		}
		if !slices.Equal(answers[0], answers[1]) {
			t.Fatalf("another answer the second time: got %v, want %v", answers[1], answers[0])
		}
	})
}

// FuzzOpen reads any bytes as two sets: after a successful Open or OpenBody every operation of this
// package returns, the same wherever the bytes stand, touches nothing outside them, and takes no
// more memory and time than its operands account for.
func FuzzOpen(f *testing.F) {
	r := rand.New(rand.NewPCG(17, 18))
	list := roaringtest.Samples(r, 3)
	for i, s := range list {
		if len(s.Body) < 3000 {
			other := list[(7*i+3)%len(list)].Body
			if len(other) > 3000 {
				other = nil
			}
			f.Add(s.Body, other, uint16(0), byte(0))
			f.Add(other, s.Body, uint16(3), byte(0xFF))
		}
	}
	long := roaringtest.LongListBody(roaringtest.Span(0, view.MaxList+1, 1), 0)
	f.Add(long, long, uint16(1), byte(0x80))
	f.Add(long, []byte(nil), uint16(0), byte(0xFA^0xD2))
	f.Fuzz(func(t *testing.T, x, y []byte, at uint16, flip byte) {
		if len(x) > 0 {
			x = slices.Clone(x)
			x[int(at)%len(x)] ^= flip
		}
		newHostile(t).check(x, y)
	})
}

// TestHostileDirectories pairs directories that break one rule with themselves and with valid ones
// of the same keys.
func TestHostileDirectories(t *testing.T) {
	r := rand.New(rand.NewPCG(31, 32))
	few := roaringtest.Container{Key: 5, Values: []uint64{5<<16 | 1, 5<<16 | 9, 5<<16 | 11, 5<<16 | 65535}}
	later := roaringtest.Container{Key: 6, Values: []uint64{6 << 16, 6<<16 | 3}}
	dense := roaringtest.Container{Key: 5, Kind: container.Bitset, Values: roaringtest.Span(5<<16, 6<<16, 2)}
	runs := roaringtest.Container{Key: 5, Kind: container.Run, Values: roaringtest.Span(5<<16|9, 5<<16|900, 1)}
	spread := roaringtest.Container{Key: 5, Kind: container.Packed, Values: []uint64{5<<16 | 1, 6<<16 | 3, 7 << 16},
		Low: 15}
	var bodies [][]byte
	for _, first := range []roaringtest.Container{few, dense, runs, spread} {
		for _, key := range []uint64{1, 5, 6, 7} {
			// Keys twice or descending, in one order or the other.
			second := later
			second.Key = key
			if first.Kind == container.Packed && key <= 7 {
				first.Values = first.Values[:1]
			}
			for _, cs := range [][]roaringtest.Container{{first, second}, {second, first}, {first, second, first}} {
				bodies = append(bodies, roaringtest.CompactBody(cs, 0), roaringtest.LooseBody(cs, r))
			}
		}
		for kind := range byte(4) {
			// Payloads of another kind than the directory says.
			cs := []roaringtest.Container{first, later}
			compact, loose := roaringtest.CompactBody(cs, 5), roaringtest.LooseBody(cs, r)
			end := 2 + 6 + 2*6 + 2*2
			compact[end] = compact[end]&^3 | kind
			entry := binary.LittleEndian.Uint64(loose[16:]) + 9
			loose[entry] = loose[entry]&^0xC0 | kind<<6
			bodies = append(bodies, compact, loose)
		}
	}
	h := newHostile(t)
	for i, x := range bodies {
		if i%(1+len(bodies)/roaringtest.Paced(len(bodies), 30)) != 0 {
			continue
		}
		for _, y := range [][]byte{x, bodies[(7*i+3)%len(bodies)], bodies[(13*i+5)%len(bodies)]} {
			h.check(x, y)
		}
	}
}

// TestHostileBytes is FuzzOpen without the fuzzer: random changes to valid bytes.
func TestHostileBytes(t *testing.T) {
	r := rand.New(rand.NewPCG(19, 20))
	rounds := roaringtest.Paced(600, 60)
	h := newHostile(t)
	var list []roaringtest.Sample
	for i := range rounds {
		if i%20 == 0 {
			list = slices.DeleteFunc(roaringtest.Samples(r, 2), func(s roaringtest.Sample) bool {
				return len(s.Body) > maxHostile
			})
		}
		h.check(roaringtest.Damage(r, list[r.IntN(len(list))].Body), roaringtest.Damage(r,
			list[r.IntN(len(list))].Body))
	}
	if h.opened < rounds/3 {
		t.Fatalf("only %d of %d sets opened", h.opened, rounds)
	}
}

// TestHostileGolden changes the bytes of the golden sets, one after the other.
func TestHostileGolden(t *testing.T) {
	files, err := filepath.Glob(goldenDir + "/*.txt")
	if err != nil || len(files) == 0 {
		t.Fatalf("got %d golden files, %v", len(files), err)
	}
	every, values := 24, []byte{0, 1, 0x7F, 0x80, 0xFF}
	switch {
	case roaringtest.RaceEnabled:
		every, values = 64, values[3:4]
	case testing.Short():
		every, values = 48, values[2:]
	case roaringtest.Long():
		every = 1
	}
	h := newHostile(t)
	for i, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		b := goldenBytes(t, string(text))
		for at := i % every; at < min(len(b), 64); at += every {
			for _, c := range values {
				x := slices.Clone(b)
				x[at] = c
				h.check(x, b)
			}
		}
	}
	if h.opened == 0 {
		t.Fatal("no set opened")
	}
}

// goldenBytes makes the bytes that a golden file describes.
func goldenBytes(t *testing.T, text string) []byte {
	t.Helper()
	head, _, _ := strings.Cut(text, separator)
	g := golden{t: t}
	for line := range strings.Lines(head) {
		g.run(strings.TrimSpace(line))
	}
	return g.bytes
}

// TestListThatDescends combines an invalid list with a valid one: any set may be returned. The
// values of the list do not ascend, and the last is less than their number.
func TestListThatDescends(t *testing.T) {
	v, err := view.OpenBody([]byte{0xA6, 5, 0xFF, 0, 0, 0xFF, 0, 0, 0, 0xFF, 0xFF, 0, 0, 0xFF, 0, 0, 0, 0xFF, 0, 0, 0,
		0})
	if err != nil || v.Validate() == nil {
		t.Fatalf("got %v, and valid: %v, want a set that is not valid", err, v.Validate() == nil)
	}
	other := pair.Of(1<<32, 5<<32, 7<<33).View()
	for name, f := range map[string]func(a, b view.View) *mutable.Bitmap{"And": pair.And, "Or": pair.Or,
		"AndNot": pair.AndNot,
		"Xor":    pair.Xor} {
		for _, pair := range [][2]view.View{{v, other}, {other, v}, {v, v}} {
			m := f(pair[0], pair[1])
			if again, err := view.Open(m.Bytes()); err != nil || again.Len() != m.Len() {
				t.Errorf("%s: got %v", name, err)
			}
		}
	}
}
