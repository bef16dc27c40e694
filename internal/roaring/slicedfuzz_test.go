// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package roaring

import (
	"bytes"
	"math/rand/v2"
	"testing"

	"github.com/uproar-db/uproar/internal/roaring/roaringtest"
)

// checkSliced asks everything of bytes that stand at the very end of readable memory, and at its
// very beginning.
func (h *hostile) checkSliced(b, filter []byte) {
	t, first, second := h.t, h.first, h.second
	t.Helper()
	if len(b) > maxHostile || len(filter) > maxHostile {
		return
	}
	roaringtest.Run(t, readCalls(), rawBytes{first.Place(b, true), t}, roaringtest.BudgetFor(0, len(b)))
	var answers [2][]uint64
	for i, atEnd := range []bool{true, false} {
		v, err := OpenSliced(first.Place(b, atEnd))
		if err != nil {
			return
		}
		if records := v.Records(); records.count() > 64 {
			return // valid or not, too many records to ask everything of them
		}
		within, err := OpenBody(second.Place(filter, atEnd))
		if err != nil || within.count() > 1000 {
			within = View{}
		}
		answers[i] = exerciseSliced(t, v, within)
		if atEnd {
			exerciseSliced(t, v.Within(within), within)
		}
		if v.Validate() == nil && v.Len() < 3000 && atEnd {
			checkValid(t, v)
		}
	}
	for i, sum := range answers[0] {
		if sum != answers[1][i] {
			t.Fatalf("%s: another answer the second time", slicedCalls[i].Name)
		}
	}
}

// checkValid compares integers that are valid with the model, as they are and written again.
func checkValid(t *testing.T, v SlicedView) {
	t.Helper()
	m := integers{}
	for id, value := range v.All() {
		m[id] = value
	}
	r := rand.New(rand.NewPCG(v.Len(), 1))
	checkSliced(t, r, "valid", v, m)
	again, err := OpenSliced(v.Append(nil, Smallest))
	if err != nil {
		t.Fatal(err)
	}
	checkSliced(t, r, "written again", again, m)
}

// serializedSamples returns integers of many shapes, serialized.
func serializedSamples(r *rand.Rand, n int) (out [][]byte) {
	for _, ids := range idShapes {
		for _, values := range valueShapes {
			value := values(r)
			var pairs []Pair
			for _, id := range ids(r, 1+r.IntN(n)) {
				pairs = append(pairs, Pair{id, value()})
			}
			v := SlicedOf(pairs).View()
			out = append(out, v.Append(nil, Smallest), v.AppendChecked(nil, Fastest))
		}
	}
	return out
}

// FuzzOpenSliced reads any bytes as integers, and as a filter: after a successful OpenSliced every
// operation returns, the same each time.
func FuzzOpenSliced(f *testing.F) {
	r := rand.New(rand.NewPCG(61, 62))
	size := 60
	if roaringtest.RaceEnabled {
		size = 3
	}
	for i, b := range serializedSamples(r, size) {
		f.Add(b, AppendBody(nil, randomIDs(r, 20, 70_100)), uint16(i), byte(i%7))
	}
	f.Fuzz(func(t *testing.T, b, filter []byte, at uint16, flip byte) {
		b = bytes.Clone(b)
		if len(b) > 0 {
			b[int(at)%len(b)] ^= flip
		}
		newHostile(t).checkSliced(b, filter)
	})
}

// FuzzSliced sets and clears what the fuzzer's bytes say and compares with the model.
func FuzzSliced(f *testing.F) {
	f.Add([]byte{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 255, 254, 253, 0x80, 0, 63, 9, 63, 1})
	f.Add(bytes.Repeat([]byte{3, 200, 7, 61, 9, 9, 130}, 12))
	f.Fuzz(func(t *testing.T, commands []byte) {
		m, s := integers{}, new(Sliced)
		for ; len(commands) >= 4 && len(m) < 500; commands = commands[4:] {
			// An ID and an integer of any magnitude, in a byte and a shift each.
			c := commands
			id := uint64(c[0]&0x0F) << (c[1] & 0x3F)
			value := int64(int8(c[2])) << (c[3] & 0x3F)
			switch c[1] >> 6 {
			case 0:
				_, had := m[id]
				if s.Clear(id) != had {
					t.Fatalf("Clear(%d): want %v", id, had)
				}
				delete(m, id)
			case 1:
				if c[3]&0xC0 == 0 {
					s.Pack(Layout(c[0] & 1))
				}
				fallthrough
			default:
				s.Set(id, value)
				m[id] = value
			}
		}
		if err := s.View().Validate(); err != nil {
			t.Fatal(err)
		}
		checkSliced(t, rand.New(rand.NewPCG(1, 2)), "changed", s.View(), m)
	})
}

// TestHostileSliced is FuzzOpenSliced without the fuzzer: random changes to valid bytes.
func TestHostileSliced(t *testing.T) {
	r := rand.New(rand.NewPCG(63, 64))
	rounds := roaringtest.Paced(3000, 100)
	samples := serializedSamples(r, 60)
	filter := AppendBody(nil, roaringtest.Span(60_000, 75_000, 3))
	h := newHostile(t)
	for range rounds {
		h.checkSliced(roaringtest.Damage(r, samples[r.IntN(len(samples))]), filter)
	}
}
