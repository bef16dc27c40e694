// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package bitmap

import (
	"bytes"
	"errors"
	"math"
	"math/rand/v2"
	"testing"
)

// exerciseSliced asks everything of integers, whatever their bytes: nothing may panic, hang or write.
func exerciseSliced(v SlicedView) (sum uint64) {
	if v.Validate() == nil {
		sum++
	}
	sum += v.Len() + v.Records().Len()
	values := []int64{math.MinInt64, -1, 0, 7, math.MaxInt64, v.base}
	for _, u := range []uint64{0, v.largest(), v.largest() / 2, v.largest() / 3, 5} {
		values = append(values, v.value(u))
	}
	lo, _ := v.Min()
	hi, _ := v.Max()
	values = append(values, lo, hi, lo/2+hi/2)
	for i, x := range values {
		y := values[(3*i+1)%len(values)]
		for _, n := range []uint64{v.EqualLen(x), v.LessLen(x), v.LessEqualLen(x), v.GreaterLen(x), v.GreaterEqualLen(x), v.BetweenLen(x, y)} {
			sum = sum*31 + n
		}
		for _, m := range []*Bitmap{v.Equal(x), v.Less(x), v.LessEqual(x), v.Greater(x), v.GreaterEqual(x), v.Between(x, y)} {
			sum = sum*31 + m.Len()
			if m.View().AppendTo(nil); !m.IsEmpty() {
				sum++
			}
		}
	}
	total := v.Sum()
	sum = sum*31 + uint64(total.Hi) ^ total.Lo ^ total.Len ^ math.Float64bits(total.Mean()+total.Float64())
	for _, p := range []float64{0, 0.01, 0.5, 0.999, 1} {
		x, _ := v.Quantile(p)
		sum = sum*31 + uint64(x)
	}
	for _, k := range []int{1, 3, 5000} {
		for i, p := range append(v.TopK(nil, k), v.BottomK(nil, k)...) {
			sum += uint64(i) * (p.ID ^ uint64(p.Value))
		}
	}
	n := 0
	for id, value := range v.All() {
		sum = sum*31 + id ^ uint64(value)
		if n++; n < 100 {
			x, _ := v.Value(id)
			sum += uint64(x)
		}
		if n == 100_000 {
			break
		}
	}
	c := v.Clone()
	for _, x := range []int64{5, math.MinInt64, math.MaxInt64} {
		c.Set(uint64(x), x)
		c.Clear(uint64(x) + 1)
	}
	c.Pack(Smallest)
	sum += c.Len()
	return sum + uint64(len(v.AppendChecked(nil, Smallest))+len(v.Append(nil, Fastest)))
}

// checkHostile asks everything twice, of the bytes at the very end of their array.
func checkHostile(t *testing.T, b []byte, filter View) {
	t.Helper()
	b = append(make([]byte, 0, len(b)), b...)
	v, err := OpenSliced(b[:len(b):len(b)])
	if err != nil {
		if e, ok := errors.AsType[*FormatError](err); !ok || e.Err == nil || e.Offset > uint64(len(b)) {
			t.Fatalf("got %v, want an error of the format inside %d bytes", err, len(b))
		}
		return
	}
	if v.Len() > 1<<22 {
		return // valid or not, too many records to list them here
	}
	before := bytes.Clone(b)
	for _, w := range []SlicedView{v, v.Within(filter), v.Within(v.Records())} {
		if sum, again := exerciseSliced(w), exerciseSliced(w); sum != again {
			t.Fatal("another answer the second time")
		}
	}
	if !bytes.Equal(b, before) {
		t.Fatal("reading changed the bytes")
	}
	if v.Validate() == nil && v.Len() < 3000 {
		m := integers{}
		for id, value := range v.All() {
			m[id] = value
		}
		r := rand.New(rand.NewPCG(uint64(len(b)), 1))
		checkSliced(t, r, "valid", v, m)
		again, err := OpenSliced(v.Append(nil, Smallest))
		if err != nil {
			t.Fatal(err)
		}
		checkSliced(t, r, "written again", again, m)
	}
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

// FuzzOpenSliced reads any bytes as integers, and as a filter: after a successful OpenSliced every operation returns, the same each time.
func FuzzOpenSliced(f *testing.F) {
	r := rand.New(rand.NewPCG(61, 62))
	size := 60
	if raceEnabled {
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
		other, err := OpenBody(filter)
		if err != nil || other.Len() > 1<<22 {
			other = View{}
		}
		checkHostile(t, b, other)
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
	rounds := 3000
	if testing.Short() || raceEnabled {
		rounds = 100
	}
	samples := serializedSamples(r, 60)
	filter := Of(span(60_000, 75_000, 3)...).View()
	for range rounds {
		b := bytes.Clone(samples[r.IntN(len(samples))])
		for range r.IntN(6) {
			at := r.IntN(min(len(b), 1+r.IntN(1<<r.IntN(17))))
			switch r.IntN(4) {
			case 0:
				b[at] ^= 1 << r.IntN(8)
			case 1, 2:
				b[at] = byte(r.Uint32())
			default:
				b = b[:max(len(b)-r.IntN(3)*r.IntN(20), 1)]
			}
		}
		checkHostile(t, b, filter)
	}
}
