// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package view

import (
	"encoding/binary"

	"github.com/uproar-db/uproar/internal/roaring/container"
	"github.com/uproar-db/uproar/internal/roaring/eliasfano"
	"github.com/uproar-db/uproar/internal/roaring/kernel/array"
	"github.com/uproar-db/uproar/internal/roaring/kernel/bitset"
	"github.com/uproar-db/uproar/internal/roaring/kernel/run"
)

// Contains reports whether x is in the set: a binary search of the directory and one container.
func (v View) Contains(x uint64) bool { return v.Has(x) }

// Has is Contains. Like the other methods with a wrapper, it takes the View by its address, so
// that the wrapper can be inlined into the caller.
func (v *View) Has(x uint64) bool {
	switch v.Form() {
	case FormList:
		if v.IsFixed() {
			return FixedHas(v, x)
		}
		return ListHas(v, x)
	case FormSingle:
		return v.Single() == x
	}
	if key, lows := OneArray(v); lows != nil {
		return key == x>>16 && array.Contains(lows, uint16(x))
	}
	i := v.Search(x >> 16)
	if i < 0 {
		return false
	}
	key, kind, data := v.PayloadAt(i)
	if kind == container.Packed {
		return entryContains(v, i, x)
	}
	return key == x>>16 && Holds(kind, data, uint16(x))
}

// Holds reports whether the payload of an array, a bitset or runs has a value.
func Holds(kind uint8, data []byte, low uint16) bool {
	switch kind {
	case container.Bitset:
		return len(data) == container.MaxPayload && bitset.Contains((*bitset.Words)(data), low)
	case container.Run:
		return run.Contains(data, low)
	}
	return kind == container.Array && array.Contains(data, low)
}

// entryContains reports whether x is in container i.
func entryContains(v *View, i int, x uint64) bool {
	e := v.EntryAt(i)
	switch {
	case e.Data == nil:
		return false
	case e.Kind == container.Packed:
		_, found := e.Packed().Find(x - e.Key<<16)
		return found
	}
	return e.Key == x>>16 && e.block().Contains(uint16(x))
}

// List returns the block of a list.
func List(v *View) eliasfano.Packed {
	return eliasfano.Packed{Block: v.bytes[v.Ow():], N: v.ListLen(), Low: uint(v.Kw())}
}

// ReadList makes p the block of a list. What is passed on by address and read at once is
// written where it stays, word by word: a copy of what list returns, 16 bytes at a time, would wait
// for its words, some 9 ns.
func ReadList(v *View, p *eliasfano.Packed) {
	p.Block, p.N, p.Low = v.bytes[v.Ow():], v.ListLen(), uint(v.Kw())
}

// ListHas is contains of a list. It is a function of its own so that its caller's stack frame stays
// small, which is cleared for all forms.
//
//go:noinline
func ListHas(v *View, x uint64) bool {
	var p eliasfano.Packed
	ReadList(v, &p)
	return p.HasPadded(HeaderList, x)
}

// IterList makes it an iterator of a list, see [ReadList].
func IterList(v *View, it *eliasfano.Iter) {
	var p eliasfano.Packed
	ReadList(v, &p)
	it.Reset(&p)
}

// Len returns the cardinality: the sum of those in the directory, two bytes a container.
func (v View) Len() uint64 { return lenBefore(&v, v.Count()) }

// lenBefore returns the cardinality of the first n containers together.
func lenBefore(v *View, n int) uint64 { return lenBetween(v, 0, n) }

// lenBetween returns the cardinality of the containers from i on and before j together.
func lenBetween(v *View, i, j int) (sum uint64) {
	switch v.Form() {
	case FormCompact:
		cards := 2 + int(v.Kw())*(v.Count()+1)
		return array.SumCards(v.bytes[cards+2*i:cards+2*j]) + uint64(j-i)
	case FormLoose:
		entries := v.bytes[Directory(v)+EntryBytes*i:][:EntryBytes*(j-i)]
		for at := 0; at+1 < len(entries); at += EntryBytes {
			sum += uint64(binary.LittleEndian.Uint16(entries[at:at+2])) + 1
		}
		return sum
	case FormSingle:
		return uint64(j - i)
	case FormList:
		return uint64((j - i) * v.ListLen())
	}
	return 0
}

// Min returns the smallest value; ok is false if the set is empty.
func (v View) Min() (x uint64, ok bool) {
	for i := range v.Count() {
		e := v.EntryAt(i)
		if x, ok = first(&v, i, &e); ok {
			return x, true
		}
	}
	return 0, false
}

// first returns the smallest value of container i.
func first(v *View, i int, e *Entry) (x uint64, ok bool) {
	switch {
	case e.Data == nil:
		return 0, false
	case e.Kind == container.Packed:
		last, sound := v.bound(i, e.Key)
		d, ok := e.Packed().At(0)
		return e.Key<<16 + d, ok && sound && d <= last
	}
	low, ok := e.block().Min()
	return e.Key<<16 | uint64(low), ok
}

// Max returns the largest value; ok is false if the set is empty.
func (v View) Max() (x uint64, ok bool) {
	for i := v.Count() - 1; i >= 0; i-- {
		e := v.EntryAt(i)
		if x, ok = final(&v, i, &e); ok {
			return x, true
		}
	}
	return 0, false
}

// final returns the largest value of container i.
func final(v *View, i int, e *Entry) (x uint64, ok bool) {
	switch {
	case e.Data == nil:
		return 0, false
	case e.Kind == container.Packed:
		last, sound := v.bound(i, e.Key)
		p := e.Packed()
		d, ok := p.Last()
		if ok && d > last { // not valid: values beyond the bound are not there
			n, _ := p.Find(last + 1)
			d, ok = p.At(n - 1)
		}
		return e.Key<<16 + d, ok && sound && d <= last
	}
	low, ok := e.block().Max()
	return e.Key<<16 | uint64(low), ok
}

// Rank returns the number of values ≤ x: the cardinalities before its container, and the rank in
// it.
func (v View) Rank(x uint64) uint64 { return rankOf(&v, x) }

func rankOf(v *View, x uint64) uint64 {
	switch v.Form() {
	case FormList:
		if v.IsFixed() {
			return fixedRank(v, x)
		}
		var p eliasfano.Packed
		ReadList(v, &p)
		n, found := p.FindPadded(HeaderList, x)
		if found {
			n++
		}
		return uint64(n)
	case FormSingle:
		if x < v.Single() {
			return 0
		}
		return 1
	}
	if key, lows := OneArray(v); lows != nil {
		switch {
		case x>>16 == key:
			return uint64(array.SearchKeys(lows, uint16(x)))
		case x>>16 < key:
			return 0
		}
		return uint64(len(lows) / 2)
	}
	i := v.Search(x >> 16)
	if i < 0 {
		return 0
	}
	if i == 0 {
		return rankIn(v, 0, x)
	}
	return lenBefore(v, i) + rankIn(v, i, x)
}

// rankIn returns the number of values ≤ x of container i, whose key is at most that of x.
func rankIn(v *View, i int, x uint64) uint64 {
	if form := v.Form(); form != FormCompact && form != FormLoose {
		return rankOfEntry(v, i, x)
	}
	// What rankOfEntry does, without the entry: that is half of the cost.
	key, kind, data := v.PayloadAt(i)
	if kind == container.Packed {
		return rankOfEntry(v, i, x)
	}
	n := v.CardAt(i)
	switch {
	case !container.Fits(kind, data, n):
		return 0
	case key < x>>16:
		return uint64(n)
	case kind == container.Bitset:
		return uint64(bitset.Rank((*bitset.Words)(data), uint16(x), n))
	case kind == container.Run:
		return uint64(run.Rank(data, uint16(x)))
	}
	return uint64(array.SearchKeys(data, uint16(x)))
}

func rankOfEntry(v *View, i int, x uint64) uint64 {
	e := v.EntryAt(i)
	switch {
	case e.Data == nil:
		return 0
	case e.Kind == container.Packed:
		n, found := e.Packed().Find(x - e.Key<<16)
		if found {
			n++
		}
		return uint64(n)
	case e.Key < x>>16:
		return uint64(e.N)
	}
	return uint64(e.block().Rank(uint16(x)))
}

// IsEmpty reports whether the set has no values. It looks at the first container.
func (v View) IsEmpty() bool { return len(v.bytes) == 0 || v.hasNone() }
