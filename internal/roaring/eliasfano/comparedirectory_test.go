// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

//go:build (amd64 || arm64) && !purego

package eliasfano

import (
	"encoding/binary"
	"math/rand/v2"
	"slices"
	"testing"
	"unsafe"

	"github.com/uproar-db/uproar/internal/roaring/cpu"
	"github.com/uproar-db/uproar/internal/roaring/kernel/kerneltest"
	"github.com/uproar-db/uproar/internal/roaring/kernel/swar"
)

// randomArrays returns a body of random arrays, and where its fields stand. It has up to count
// containers of up to most values each, with keys of up to bits bits. If harm is set, ends may be
// anything, and some containers are no arrays.
func randomArrays(r *rand.Rand, count, most, bits int, harm bool) (a Arrays) {
	keys := kerneltest.Ascending(1+r.IntN(count), func() uint64 { return r.Uint64() >> (64 - bits) })
	if bits > 16 && r.IntN(2) == 0 { // the first key beyond the offsets
		keys = kerneltest.SortedSet(append(keys, 1<<16))
	}
	if harm && r.IntN(3) == 0 {
		r.Shuffle(len(keys), func(i, j int) { keys[i], keys[j] = keys[j], keys[i] })
	}
	a.KeyBytes, a.EndBytes, a.Count = (bits+7)/8+r.IntN(2), 2+r.IntN(5), len(keys)
	head := []byte{0xF8, 0, 0}
	var ends, payloads []byte
	for _, key := range keys {
		head = append(head, binary.LittleEndian.AppendUint64(nil, key)[:a.KeyBytes]...)
		n := 1 + r.IntN(1+r.IntN(most))
		for _, x := range kerneltest.Ascending(n, func() uint64 { return r.Uint64N(1<<16) >> r.IntN(15) }) {
			payloads = binary.LittleEndian.AppendUint16(payloads, uint16(x))
		}
		end := uint64(len(payloads)) << 2
		if harm && r.IntN(8) == 0 {
			end ^= 1 << r.IntN(1+r.IntN(20))
		}
		ends = append(ends, binary.LittleEndian.AppendUint64(nil, end)[:a.EndBytes]...)
	}
	a.Keys, a.Ends = 3, len(head)+2*a.Count
	a.Payloads = a.Ends + len(ends)
	a.Body = slices.Concat(head, make([]byte, 2*a.Count), ends, payloads)
	return a
}

// placed returns a directory whose body stands in an arena.
func (a Arrays) placed(at *kerneltest.Arena, where int) *Arrays {
	a.Body = at.Put(len(a.Body), where, a.Body)
	return &a
}

// compareDirectories compares kernels that widen the arrays of a directory: of any keys and numbers
// of values, also of ends that are none, and with less room than all have.
func compareDirectories[T uint32 | uint64](t *testing.T, got, want func(dst []T, a *Arrays, i, end int) (n, next int)) {
	r := rand.New(rand.NewPCG(181, 1))
	x, y := kerneltest.NewArena(t, 8*4096), kerneltest.NewArena(t, 16*4096)
	wheres := kerneltest.Places()
	written, stopped := 0, 0
	for turn := range 20000 {
		a := randomArrays(r, 1<<(turn%7), []int{1, 2, 5, 40, 300}[turn%5], []int{5, 13, 17, 20, 40}[turn/5%5],
			turn%4 == 0)
		placed := a.placed(x, []int{kerneltest.AtEnd, wheres[r.IntN(len(wheres))]}[r.IntN(2)])
		if !placed.fit() {
			continue
		}
		room := min(r.IntN(len(a.Body)/2+70), 4000)
		b := y.Put(room*int(unsafe.Sizeof(T(0))), []int{kerneltest.AtEnd, kerneltest.AtBegin, 8 * r.IntN(16)}[turn%3],
			nil)
		dst, expected := unsafe.Slice((*T)(unsafe.Pointer(unsafe.SliceData(b))), room), make([]T, room)
		i := r.IntN(a.Count)
		end := i + r.IntN(a.Count-i) + 1
		if turn%2 == 0 {
			i, end = 0, a.Count
		}
		n, next := got(dst, placed, i, end)
		m, wantNext := want(expected, &a, i, end)
		if n != m || next != wantNext || !slices.Equal(dst[:n], expected[:m]) {
			t.Fatalf("containers %d to %d of %d in %d bytes, room for %d: got %d values up to %d, want %d up to %d", i,
				end, a.Count, len(a.Body), room, n, next, m, wantNext)
		}
		if !x.Intact() || !y.Intact() || !slices.Equal(placed.Body, a.Body) {
			t.Fatalf("containers %d to %d of %d in %d bytes, room for %d: memory was changed", i, end, a.Count,
				len(a.Body), room)
		}
		written += n
		if next < end {
			stopped++
		}
	}
	if written < 500_000 || stopped < 1000 {
		t.Fatalf("%d values were written, %d calls stopped before the end: this tests too little", written, stopped)
	}
}

// compareInArrays compares functions that count the values of a short list that a directory has.
// The list is a block or values. With blocks that are not valid they must only do no harm.
func compareInArrays(t *testing.T, most int, got, want func(p *Packed, values []uint64, a *Arrays) int) {
	r := rand.New(rand.NewPCG(182, 1))
	x, y, z := kerneltest.NewArena(t, 4096), kerneltest.NewArena(t, 2*4096), kerneltest.NewArena(t, 4096)
	wheres := kerneltest.Places()
	where := func() int { return []int{kerneltest.AtEnd, wheres[r.IntN(len(wheres))]}[r.IntN(2)] }
	found, others := 0, 0
	for turn := range 30000 {
		bits := []int{5, 13, 20, 34}[turn%4]
		a := randomArrays(r, 1<<(turn%6), 1+turn/4%8, bits, turn%8 == 0)
		if !a.fit() || len(a.Body)-a.Payloads > 2*arraysMost || a.Count > arraysMost {
			continue
		}
		values := kerneltest.Ascending(1+r.IntN(most), func() uint64 { return r.Uint64() >> (48 - bits) })
		all := make([]uint64, 4096)
		n, _ := arraysValuesGeneric(all, &a, 0, a.Count)
		for i := range r.IntN(most) {
			switch size := (len(a.Body) - a.Payloads) / 2; {
			case i%4 == 0 && size > 0: // a value that an array may not have
				values[r.IntN(len(values))] = a.Key(r.IntN(a.Count))<<16 |
					uint64(swar.Uint16(a.Body, a.Payloads+2*r.IntN(size)))
			case n > 0:
				values[r.IntN(len(values))] = all[r.IntN(n)]
			}
		}
		values = kerneltest.SortedSet(values)
		valid := turn%5 != 0
		low := LowWidth(len(values), values[len(values)-1]) + uint(r.IntN(3))
		block := appendPacked(nil, values, low)
		for k := 0; k < len(block) && !valid; k++ {
			block[k] ^= byte(r.Uint32() & r.Uint32() & r.Uint32())
		}
		p := Packed{Block: x.Put(len(block), where(), block), N: len(values), Low: low}
		if p.upper() == 0 || p.upper() > meetWord || len(block) > listBytes || p.Low > maxGatherLow {
			continue
		}
		placed := a.placed(y, where())
		few := kerneltest.PutValues(z, []int{kerneltest.AtEnd, kerneltest.AtBegin, 8 * r.IntN(16)}[turn%3], values)
		k := got(&p, few, placed)
		if expected := want(&p, values, &a); valid && k != expected || k > len(values) {
			t.Fatalf("%d values %v in %d containers of %d bytes: got %d, want %d", len(values), values, a.Count,
				len(a.Body), k, expected)
		}
		if !x.Intact() || !y.Intact() || !z.Intact() || !slices.Equal(few, values) {
			t.Fatalf("%d values in %d containers: memory was changed", len(values), a.Count)
		}
		if k < 0 {
			others++
		}
		found += max(k, 0)
	}
	if found < 10_000 || others < 100 {
		t.Fatalf("%d values were found, %d directories had other containers: this tests too little", found, others)
	}
}

// TestArraysThatDoNotFit: of a directory without containers, or whose fields cannot be loaded as
// eight bytes wherever they stand, nothing is read.
func TestArraysThatDoNotFit(t *testing.T) {
	list := packOf([]uint64{3, 9}, 2)
	body := kerneltest.NewArena(t, 4096).Put(40, kerneltest.AtEnd, make([]byte, 40))
	for _, a := range []Arrays{
		{},
		{Body: body, Keys: 3, Ends: 12, Payloads: 20, KeyBytes: 1, EndBytes: 1},
		{Body: body, Keys: 3, Ends: 12, Payloads: 20, KeyBytes: 1, EndBytes: 1, Count: -1},
		{Body: body, Keys: 3, Ends: 12, Payloads: 20, KeyBytes: 0, EndBytes: 1, Count: 1},
		{Body: body, Keys: 3, Ends: 12, Payloads: 20, KeyBytes: 9, EndBytes: 1, Count: 1},
		{Body: body, Keys: 3, Ends: 12, Payloads: 20, KeyBytes: 1, EndBytes: 0, Count: 1},
		{Body: body, Keys: 3, Ends: 12, Payloads: 20, KeyBytes: 1, EndBytes: 9, Count: 1},
		{Body: body, Keys: 3, Ends: 6, Payloads: 7, KeyBytes: 1, EndBytes: 1, Count: 1},
		{Body: body, Keys: 33, Ends: 12, Payloads: 20, KeyBytes: 1, EndBytes: 1, Count: 1},
		{Body: body, Keys: 32, Ends: 12, Payloads: 20, KeyBytes: 1, EndBytes: 1, Count: 2},
		{Body: body, Keys: 3, Ends: 38, Payloads: 40, KeyBytes: 1, EndBytes: 2, Count: 2},
		{Body: body, Keys: 3, Ends: 12, Payloads: 41, KeyBytes: 1, EndBytes: 1, Count: 1},
		{Body: body, Keys: -1, Ends: 12, Payloads: 20, KeyBytes: 1, EndBytes: 1, Count: 1},
		{Body: body, Keys: 3, Ends: 12, Payloads: -1, KeyBytes: 1, EndBytes: 1, Count: 1},
	} {
		n, next := ArraysOffsets(make([]uint32, 9), &a, 0)
		m, last := ArraysValues(make([]uint64, 9), &a, 0)
		_, ofBlock := InArraysLen(&list, &a)
		_, ofValues := ValuesInArraysLen([]uint64{3, 9}, &a)
		if n != 0 || next != 0 || m != 0 || last != 0 || ofBlock || ofValues {
			t.Errorf("%d containers, keys at %d, ends at %d, payloads at %d of %d bytes: got %d values up to %d, %d "+
				"up to %d, found out %t and %t", a.Count, a.Keys, a.Ends, a.Payloads, len(a.Body), n, next, m, last,
				ofBlock, ofValues)
		}
	}
	// At the bounds, all is read.
	for _, a := range []Arrays{
		{Body: body, Keys: 32, Ends: 7, Payloads: 40, KeyBytes: 1, EndBytes: 1, Count: 1},
		{Body: body, Keys: 31, Ends: 38, Payloads: 40, KeyBytes: 1, EndBytes: 1, Count: 2},
		{Body: body, Keys: 0, Ends: 0, Payloads: 8, KeyBytes: 8, EndBytes: 8, Count: 1},
	} {
		if _, next := ArraysOffsets(make([]uint32, 9), &a, 0); next != a.Count {
			t.Errorf("%d containers, keys at %d, ends at %d: got %d", a.Count, a.Keys, a.Ends, next)
		}
		if n, ok := InArraysLen(&list, &a); n != 0 || ok != (cpu.Active == cpu.AVX512) {
			t.Errorf("%d containers, keys at %d, ends at %d: got %d, %t", a.Count, a.Keys, a.Ends, n, ok)
		}
	}
}

// TestArraysOfEachSize widens two arrays of each size up to beyond some vectors, on all paths. The
// second ends the body. There is room for all of their values, for some more and for one less.
// Memory beside the body and the room must not be touched.
func TestArraysOfEachSize(t *testing.T) {
	defer cpu.Use(cpu.Active)
	r := rand.New(rand.NewPCG(184, 1))
	x, y, z := kerneltest.NewArena(t, 4096), kerneltest.NewArena(t, 4096), kerneltest.NewArena(t, 2*4096)
	for n := range 45 * 45 {
		first, second := n/45, n%45
		var values []uint64
		for key, size := range []int{first, second} {
			values = append(values, kerneltest.Ascending(size,
				func() uint64 { return uint64(key)<<16 | r.Uint64N(1<<16) })...)
		}
		if len(values) == 0 {
			continue
		}
		dir := arraysOf(values)
		for turn, where := range []int{kerneltest.AtEnd, kerneltest.AtBegin, 1 + r.IntN(30)} {
			a := dir.placed(x, where)
			for _, room := range []int{len(values) - 1, len(values), len(values) + 1 + r.IntN(9), len(values) + 20} {
				offsets := unsafe.Slice((*uint32)(unsafe.Pointer(unsafe.SliceData(y.Put(4*room,
					[]int{kerneltest.AtEnd, 8 * r.IntN(16)}[turn%2], make([]byte, 4*room))))), room)
				wide := kerneltest.PutValues(z, []int{kerneltest.AtEnd, 8 * r.IntN(16)}[turn%2], make([]uint64, room))
				want := make([]uint64, room)
				m, last := arraysValuesGeneric(want, a, 0, a.Count)
				for _, path := range cpu.Paths() {
					cpu.Use(path)
					clear(offsets)
					clear(wide)
					k, next := ArraysOffsets(offsets, a, 0)
					l, then := ArraysValues(wide, a, 0)
					if k != m || l != m || next != last || then != last ||
						!slices.Equal(offsets[:k], kerneltest.OffsetsOf(want[:m])) || !slices.Equal(wide[:l],
						want[:m]) ||
						!x.Intact() || !y.Intact() || !z.Intact() {
						t.Fatalf("%v, %d and %d values, room for %d: got %d up to %d and %d up to %d, want %d up to "+
							"%d, or memory was changed", path, first, second, room, k, next, l, then, m, last)
					}
				}
			}
		}
	}
}

// TestArraysOfManyContainers reads more containers than one call of a kernel does. There is room
// for all of their values, and for one less.
func TestArraysOfManyContainers(t *testing.T) {
	var values []uint64
	for key := range uint64(2*maxArrays + 3) {
		values = append(values, key<<16|key*37&0xFFFF)
	}
	a := arraysOf(values)
	for _, room := range []int{len(values), len(values) - 1} {
		offsets, dst := make([]uint32, room), make([]uint64, room)
		n, next := ArraysOffsets(offsets, &a, 0)
		m, last := ArraysValues(dst, &a, 0)
		if n != room || next != room || m != room || last != room || !slices.Equal(dst, values[:room]) ||
			!slices.Equal(offsets, kerneltest.OffsetsOf(values[:room])) {
			t.Errorf("%d containers of one value, room for %d: got %d offsets up to %d, %d values up to %d", a.Count,
				room, n, next, m, last)
		}
	}
}

// TestInArraysLen counts the values of short lists of any low width that a directory has: of those
// that are just too long, too large or too wide, that it does not find out, or finds the right
// number.
func TestInArraysLen(t *testing.T) {
	r := rand.New(rand.NewPCG(183, 1))
	blocks, lists, found := 0, 0, 0
	for turn := range 20000 {
		low := uint(r.IntN(59))
		list := kerneltest.Ascending(1+r.IntN([]int{4, 18, 40}[turn%3]), func() uint64 {
			return r.Uint64N(uint64(1+r.IntN(60)) << low)
		})
		others := slices.Clone(list[r.IntN(1+r.IntN(len(list))):])
		others = append(others, kerneltest.Ascending(r.IntN(1+r.IntN(40)),
			func() uint64 { return r.Uint64N(60 << low) })...)
		others = kerneltest.SortedSet(others)
		a, p := arraysOf(others), packOf(list, low)
		want := len(kerneltest.InBoth(list, others))
		n, ok := InArraysLen(&p, &a)
		m, known := ValuesInArraysLen(list, &a)
		if ok && n != want || known && m != want || cpu.Active != cpu.AVX512 && (ok || known) {
			t.Fatalf("%d values in %d bytes, low width %d, beside %d in %d containers: got %d %t, %d %t, want %d",
				len(list), len(p.Block), low, len(others), a.Count, n, ok, m, known, want)
		}
		blocks, lists, found = blocks+swar.One(ok), lists+swar.One(known), found+want
	}
	if cpu.Active == cpu.AVX512 && (blocks < 5000 || lists < 10_000 || found < 50_000) {
		t.Fatalf("%d blocks and %d lists were compared, %d values found: this tests too little", blocks, lists, found)
	}
}

// arraysOf returns the directory of values, as the body of a set has it.
func arraysOf(values []uint64) (a Arrays) {
	var keys, ends, payloads []byte
	for i, x := range values {
		if i == 0 || x>>16 != values[i-1]>>16 {
			keys = append(keys, binary.LittleEndian.AppendUint64(nil, x>>16)[:6]...)
			ends = append(ends, 0, 0, 0)
			a.Count++
		}
		payloads = binary.LittleEndian.AppendUint16(payloads, uint16(x))
		end := uint32(len(payloads)) << 2
		copy(ends[len(ends)-3:], binary.LittleEndian.AppendUint32(nil, end)[:3])
	}
	a.KeyBytes, a.EndBytes, a.Keys = 6, 3, 8
	a.Ends = a.Keys + len(keys) + 2*a.Count
	a.Payloads = a.Ends + len(ends)
	a.Body = slices.Concat(make([]byte, a.Keys), keys, make([]byte, 2*a.Count), ends, payloads)
	return a
}
