// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package bitmap

import (
	"encoding/binary"
	"math/rand/v2"
	"testing"
)

// exercise calls every read of two sets, whatever their bytes: none may panic, hang or write.
func exercise(a, b View) (sum uint64) {
	_ = a.Validate()
	sum += a.Len()
	points := []uint64{0, 1, 65535, 65536, 1 << 40, maxKey << 16, ^uint64(0)}
	if x, ok := a.Min(); ok {
		points = append(points, x)
	}
	if x, ok := a.Max(); ok {
		points = append(points, x, x+1)
	}
	for _, x := range points {
		if a.Contains(x) {
			sum++
		}
		sum += a.Rank(x)
		y, _ := a.Select(x)
		sum += y
		n := 0
		for y := range a.From(x) {
			sum += y
			if n++; n == 100 {
				break
			}
		}
	}
	for i := range uint64(300) {
		x, _ := a.Select(i * i)
		sum += x
	}
	sum += uint64(len(a.AppendTo(nil)))
	for x := range a.All() {
		sum += x
	}
	for x := range a.Backward() {
		sum += x
	}
	var s, computed Scratch
	c, d := a.Cursor(&s), b.Cursor(nil)
	before, first := uint64(0), true
	for c.Next() {
		if !first && c.Key() <= before {
			panic("cursor does not advance")
		}
		before, first = c.Key(), false
		x := c.Block()
		sum += uint64(x.Len()) + uint64(len(x.AppendLow(nil)))
		if d.Seek(c.Key()) {
			sum += exerciseBlocks(&computed, x, d.Block())
		}
	}
	for c, key := a.Cursor(&s), uint64(0); c.Seek(key) && key < maxKey; key = c.Key()*2 + 1 {
		sum += uint64(c.BlockLen())
	}
	sum += AndLen(a, b) + OrLen(a, b) + AndNotLen(a, b) + XorLen(a, b)
	for _, yes := range []bool{Intersects(a, b), IsSubset(a, b), Equal(a, b)} {
		if yes {
			sum++
		}
	}
	for _, op := range viewOps {
		m := op.do(a, b)
		sum += m.Len() + uint64(len(m.Bytes()))
		m = op.do(b, a)
		sum += m.Len()
	}
	return sum + exerciseReads(a, b, points) + exerciseMany(a, b) + a.Clone().Len()
}

// exerciseBlocks calls every operation on two blocks.
func exerciseBlocks(s *Scratch, x, y Block) (sum uint64) {
	acc := s.And(x, y)
	acc = s.Or(acc, y)
	acc = s.Xor(acc, x)
	acc = s.AndNot(acc, y)
	acc = s.Patch(acc, []uint16{1, 5, 65535}, []uint16{0, 5, 9})
	sum += uint64(acc.Len())
	for _, z := range []Block{s.Or(x, y), s.Xor(x, y), s.AndNot(x, y), s.AndNot(y, x), s.Patch(x, []uint16{7}, []uint16{8})} {
		sum += uint64(len(z.data))
	}
	low, _ := x.Min()
	high, _ := x.Max()
	mid, _ := x.Select(x.Len() / 2)
	sum += uint64(low) + uint64(high) + uint64(mid) + uint64(x.Rank(mid)) + uint64(x.Rank(65535))
	sum += uint64(x.AndLen(y) + x.OrLen(y) + x.AndNotLen(y) + x.XorLen(y))
	if x.Intersects(y) && x.Equal(y) && x.Contains(mid) {
		sum++
	}
	return sum
}

// FuzzOpen reads any bytes as a body: after a successful OpenBody every operation returns, the same each time, and leaves the bytes alone. The bytes stand at
// the very end of their array, so that reading beyond them panics.
func FuzzOpen(f *testing.F) {
	r := rand.New(rand.NewPCG(17, 18))
	for _, s := range samples(r, 4) {
		if len(s.body) < 6000 {
			f.Add(s.body, uint16(0), byte(0))
			f.Add(s.body, uint16(3), byte(0xFF))
		}
	}
	otherSets, _ := randomContainers(r, 6)
	other := open(f, compactBody(otherSets, 0))
	f.Fuzz(func(t *testing.T, body []byte, at uint16, flip byte) {
		body = append(make([]byte, 0, len(body)), body...)
		if len(body) > 0 {
			body[int(at)%len(body)] ^= flip
		}
		if v, err := Open(body); err == nil {
			exercise(v, other)
		}
		v, err := OpenBody(body[:len(body):len(body)])
		if err != nil {
			return
		}
		copied := string(body)
		sum := exercise(v, other) + exercise(other, v) + exercise(v, v)
		if again := exercise(v, other) + exercise(other, v) + exercise(v, v); again != sum {
			t.Fatal("another answer the second time")
		}
		if copied != string(body) {
			t.Fatal("reading changed the bytes")
		}
		if v.Validate() == nil {
			checkView(t, rand.New(rand.NewPCG(1, uint64(len(body)))), v, v.AppendTo(nil))
		}
	})
}

// FuzzBlockAlgebra draws two sets of one chunk from the fuzzer's bytes and compares each operation with the model.
func FuzzBlockAlgebra(f *testing.F) {
	f.Add(uint64(1), uint64(2), []byte{1, 2, 3})
	f.Add(uint64(3), uint64(4), []byte{})
	f.Add(uint64(5), uint64(9), []byte{255, 255, 0, 0})
	f.Fuzz(func(t *testing.T, seed, other uint64, toggle []byte) {
		r := rand.New(rand.NewPCG(seed, other))
		x, y := pairOfChunks(r)
		tx, ty := tableOf(x), tableOf(y)
		for i := 0; i+2 < len(toggle); i += 3 {
			low := int(toggle[i]) | int(toggle[i+1])<<8
			for k := low; k <= min(low+int(toggle[i+2])/2, 65535); k++ {
				if toggle[i+2]&1 == 0 {
					tx[k] = !tx[k]
				} else {
					ty[k] = !ty[k]
				}
			}
		}
		x, y = tx.lows(), ty.lows()
		var s Scratch
		for _, op := range blockOps {
			want := combine(tx, ty, op.f)
			for _, a := range blocksOf(1, x) {
				for _, b := range blocksOf(1, y) {
					checkBlock(t, op.name, op.do(&s, a, b), 1, want)
					if got := op.n(a, b); got != len(want) {
						t.Fatalf("length of %s of kinds %d and %d: got %d, want %d", op.name, a.kind, b.kind, got, len(want))
					}
				}
			}
		}
	})
}

// TestHostileDirectories pairs directories that break one rule with themselves and with valid ones of the same keys.
func TestHostileDirectories(t *testing.T) {
	r := rand.New(rand.NewPCG(31, 32))
	few := container{key: 5, values: []uint64{5<<16 | 1, 5<<16 | 9, 5<<16 | 11, 5<<16 | 65535}}
	later := container{key: 6, values: []uint64{6 << 16, 6<<16 | 3}}
	dense := container{key: 5, kind: kindBitset, values: span(5<<16, 6<<16, 2)}
	runs := container{key: 5, kind: kindRun, values: span(5<<16|9, 5<<16|900, 1)}
	spread := container{key: 5, kind: kindPacked, values: []uint64{5<<16 | 1, 6<<16 | 3, 7 << 16}, low: 15}
	var bodies [][]byte
	for _, first := range []container{few, dense, runs, spread} {
		for _, key := range []uint64{1, 5, 6, 7} {
			// Keys twice or descending, in one order or the other.
			second := later
			second.key = key
			if first.kind == kindPacked && key <= 7 {
				first.values = first.values[:1]
			}
			for _, cs := range [][]container{{first, second}, {second, first}, {first, second, first}} {
				bodies = append(bodies, compactBody(cs, 0), looseBody(cs, r))
			}
		}
		for kind := range byte(4) {
			// Payloads of another kind than the directory says.
			cs := []container{first, later}
			compact, loose := compactBody(cs, 5), looseBody(cs, r)
			end := 2 + 6 + 2*6 + 2*2
			compact[end] = compact[end]&^3 | kind
			entry := binary.LittleEndian.Uint64(loose[16:]) + 9
			loose[entry] = loose[entry]&^0xC0 | kind<<6
			bodies = append(bodies, compact, loose)
		}
	}
	for i, x := range bodies {
		for _, y := range [][]byte{x, bodies[(7*i+3)%len(bodies)], bodies[(13*i+5)%len(bodies)]} {
			a, b := open(t, x), open(t, y)
			if sum, again := exercise(a, b), exercise(a, b); again != sum {
				t.Fatal("another answer the second time")
			}
		}
	}
}

// TestHostileBytes is FuzzOpen without the fuzzer: random changes to valid bytes.
func TestHostileBytes(t *testing.T) {
	r := rand.New(rand.NewPCG(19, 20))
	rounds := 1500
	if testing.Short() {
		rounds = 200
	}
	otherSets, _ := randomContainers(r, 4)
	other := open(t, compactBody(otherSets, 0))
	opened := 0
	var list []sample
	for i := range rounds {
		if i%20 == 0 {
			list = samples(r, 2)
		}
		body := append([]byte(nil), list[r.IntN(len(list))].body...)
		if len(body) == 0 {
			continue
		}
		for range 1 + r.IntN(6) {
			// Mostly in the header and directory.
			at := r.IntN(min(len(body), 1+r.IntN(1<<r.IntN(17))))
			switch r.IntN(3) {
			case 0:
				body[at] ^= 1 << r.IntN(8)
			case 1:
				body[at] = byte(r.Uint32())
			default:
				body = body[:max(len(body)-r.IntN(3)*r.IntN(20), 1)]
			}
			if at >= len(body) {
				continue
			}
		}
		body = append(make([]byte, 0, len(body)), body...)
		v, err := OpenBody(body[:len(body):len(body)])
		if err != nil {
			continue
		}
		opened++
		sum := exercise(v, other) + exercise(other, v)
		if again := exercise(v, other) + exercise(other, v); again != sum {
			t.Fatal("another answer the second time")
		}
		if v.Validate() == nil {
			checkView(t, r, v, v.AppendTo(nil))
		}
	}
	if opened < rounds/3 {
		t.Fatalf("only %d of %d sets opened", opened, rounds)
	}
}
