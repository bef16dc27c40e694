// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package bsi

import (
	"bytes"
	"errors"
	"math/rand/v2"
	"testing"

	"github.com/uproar-db/uproar/bitmap"
	"github.com/uproar-db/uproar/internal/roaring/roaringtest"
)

// maxHostile bounds the bytes of one input: more would only take longer.
const maxHostile = 1 << 15

// hostile asks everything of integers, and of a filter. Their bytes stand at the very end of
// readable memory, and at its very beginning.
type hostile struct {
	t             *testing.T
	first, second *roaringtest.Guarded
}

func newHostile(t *testing.T) *hostile {
	t.Helper()
	return &hostile{t, roaringtest.NewGuarded(t, maxHostile), roaringtest.NewGuarded(t, maxHostile)}
}

func (h *hostile) check(b, filter []byte) {
	t, first, second := h.t, h.first, h.second
	t.Helper()
	if len(b) > maxHostile || len(filter) > maxHostile {
		return
	}
	var answers [2][]uint64
	for i, atEnd := range []bool{true, false} {
		v, err := Open(first.Put(b, atEnd))
		if err != nil {
			if e := (*bitmap.FormatError)(nil); !errors.As(err, &e) || e.Err == nil || e.Offset > uint64(len(b)) {
				t.Fatalf("got %v, want an error of the format inside %d bytes", err, len(b))
			}
			return
		}
		if records := v.Records(); containersOf(records) > 64 {
			return // valid or not, too many records to ask everything of them
		}
		within, err := bitmap.OpenBody(second.Put(filter, atEnd))
		if err != nil || containersOf(within) > 1000 {
			within = bitmap.View{}
		}
		answers[i] = exercise(t, v, within)
		if atEnd {
			exercise(t, v.Within(within), within)
		}
		if v.Validate() == nil && v.Len() < 3000 && atEnd {
			checkValid(t, v)
		}
	}
	for i, sum := range answers[0] {
		if sum != answers[1][i] {
			t.Fatalf("%s: another answer the second time", calls[i].Name)
		}
	}
}

// checkValid compares integers that are valid with the model, as they are and written again.
func checkValid(t *testing.T, v View) {
	t.Helper()
	m := integers{}
	for id, value := range v.All() {
		m[id] = value
	}
	r := rand.New(rand.NewPCG(v.Len(), 1))
	check(t, r, "valid", v, m)
	again, err := Open(v.Append(nil, bitmap.Smallest))
	if err != nil {
		t.Fatal(err)
	}
	check(t, r, "written again", again, m)
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
			v := Of(pairs).View()
			out = append(out, v.Append(nil, bitmap.Smallest), v.AppendChecked(nil, bitmap.Fastest))
		}
	}
	return out
}

// FuzzOpen reads any bytes as integers, and as a filter: after a successful Open every
// operation returns, the same each time.
func FuzzOpen(f *testing.F) {
	r := rand.New(rand.NewPCG(61, 62))
	size := 60
	if roaringtest.RaceEnabled {
		size = 3
	}
	for i, b := range serializedSamples(r, size) {
		f.Add(b, bitmap.AppendBody(nil, roaringtest.RandomIDs(r, 20, 70_100)), uint16(i), byte(i%7))
	}
	f.Fuzz(func(t *testing.T, b, filter []byte, at uint16, flip byte) {
		b = bytes.Clone(b)
		if len(b) > 0 {
			b[int(at)%len(b)] ^= flip
		}
		newHostile(t).check(b, filter)
	})
}

// FuzzChanges sets and clears what the fuzzer's bytes say and compares with the model.
func FuzzChanges(f *testing.F) {
	f.Add([]byte{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 255, 254, 253, 0x80, 0, 63, 9, 63, 1})
	f.Add(bytes.Repeat([]byte{3, 200, 7, 61, 9, 9, 130}, 12))
	f.Fuzz(func(t *testing.T, commands []byte) {
		m, s := integers{}, new(Integers)
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
					s.Pack(bitmap.Layout(c[0] & 1))
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
		check(t, rand.New(rand.NewPCG(1, 2)), "changed", s.View(), m)
	})
}

// TestHostileBytes is FuzzOpen without the fuzzer: random changes to valid bytes.
func TestHostileBytes(t *testing.T) {
	r := rand.New(rand.NewPCG(63, 64))
	rounds := roaringtest.Paced(3000, 100)
	samples := serializedSamples(r, 60)
	filter := bitmap.AppendBody(nil, roaringtest.Span(60_000, 75_000, 3))
	h := newHostile(t)
	for range rounds {
		h.check(roaringtest.Damage(r, samples[r.IntN(len(samples))]), filter)
	}
}
