// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package roaring

import (
	"encoding/binary"

	"github.com/uproar-db/uproar/internal/roaring/container"
	"github.com/uproar-db/uproar/internal/roaring/kernel"
)

// Contains reports whether x is in the set: a binary search of the directory and one container.
func (v View) Contains(x uint64) bool { return v.contains(x) }

// contains is Contains. Like the other methods with a wrapper, it takes the View by its address, so
// that the wrapper can be inlined into the caller.
func (v *View) contains(x uint64) bool {
	switch v.form() {
	case formSolo:
		switch {
		case v.isPlain():
			return v.plainHas(x)
		case v.isWordList():
			l := v.wordList()
			return l.has(x)
		}
		return v.soloHas(x)
	case formSingle:
		return v.single() == x
	}
	if key, lows := v.oneArray(); lows != nil {
		return key == x>>16 && kernel.ArrayContains(lows, uint16(x))
	}
	i := v.search(x >> 16)
	if i < 0 {
		return false
	}
	key, kind, data := v.payloadAt(i)
	if kind == container.Packed {
		return v.packedContains(i, x)
	}
	return key == x>>16 && holds(kind, data, uint16(x))
}

// holds reports whether a payload that is not packed has a value.
func holds(kind uint8, data []byte, low uint16) bool {
	switch kind {
	case container.Bitset:
		return len(data) == container.MaxPayload && kernel.BitsetContains((*kernel.Words)(data), low)
	case container.Run:
		return kernel.RunContains(data, low)
	}
	return kernel.ArrayContains(data, low)
}

// packedContains reports whether x is in container i, which is packed.
func (v *View) packedContains(i int, x uint64) bool {
	e := v.entryAt(i)
	if e.data == nil {
		return false
	}
	_, found := e.packed().Find(x - e.key<<16)
	return found
}

// solo returns the block of a solo form.
func (v *View) solo() kernel.Packed {
	return kernel.Packed{Block: v.body[v.ow():], N: v.soloLen(), Low: uint(v.kw())}
}

// readSolo makes p the block of a solo form. What is passed on by address and read at once is
// written where it stays, word by word: a copy of what solo returns, 16 bytes at a time, would wait
// for its words, some 9 ns.
func (v *View) readSolo(p *kernel.Packed) {
	p.Block, p.N, p.Low = v.body[v.ow():], v.soloLen(), uint(v.kw())
}

// soloHas is contains of a solo form. It stands apart for the memory that it needs, which other
// forms need not clear.
//
//go:noinline
func (v *View) soloHas(x uint64) bool {
	var p kernel.Packed
	v.readSolo(&p)
	return p.HasBehind(headSolo, x)
}

// iterSolo makes it an iterator of a solo form, see readSolo.
func (v *View) iterSolo(it *kernel.PackedIter) {
	var p kernel.Packed
	v.readSolo(&p)
	it.Reset(&p)
}

// Len returns the cardinality: the sum of those in the directory, two bytes a container.
func (v View) Len() uint64 { return v.lenBefore(v.count()) }

// lenBefore returns the cardinality of the first n containers together.
func (v *View) lenBefore(n int) uint64 { return v.lenBetween(0, n) }

// lenBetween returns the cardinality of the containers from i on and before j together.
func (v *View) lenBetween(i, j int) (sum uint64) {
	switch v.form() {
	case formCompact:
		cards := 2 + int(v.kw())*(v.count()+1)
		return kernel.SumCards(v.body[cards+2*i:cards+2*j]) + uint64(j-i)
	case formLoose:
		entries := v.body[v.directory()+entryBytes*i:][:entryBytes*(j-i)]
		for at := 0; at+1 < len(entries); at += entryBytes {
			sum += uint64(binary.LittleEndian.Uint16(entries[at:at+2])) + 1
		}
		return sum
	case formSingle:
		return uint64(j - i)
	case formSolo:
		return uint64((j - i) * v.soloLen())
	}
	return 0
}

// Min returns the smallest value; ok is false if the set is empty.
func (v View) Min() (x uint64, ok bool) {
	for i := range v.count() {
		e := v.entryAt(i)
		if x, ok = v.first(i, &e); ok {
			return x, true
		}
	}
	return 0, false
}

// first returns the smallest value of container i.
func (v *View) first(i int, e *entry) (x uint64, ok bool) {
	switch {
	case e.data == nil:
		return 0, false
	case e.kind == container.Packed:
		last, sound := v.bound(i, e.key)
		d, ok := e.packed().At(0)
		return e.key<<16 + d, ok && sound && d <= last
	}
	low, ok := container.Block{Data: e.data, N: int32(e.n), Kind: e.kind}.Min()
	return e.key<<16 | uint64(low), ok
}

// Max returns the largest value; ok is false if the set is empty.
func (v View) Max() (x uint64, ok bool) {
	for i := v.count() - 1; i >= 0; i-- {
		e := v.entryAt(i)
		if x, ok = v.final(i, &e); ok {
			return x, true
		}
	}
	return 0, false
}

// final returns the largest value of container i.
func (v *View) final(i int, e *entry) (x uint64, ok bool) {
	switch {
	case e.data == nil:
		return 0, false
	case e.kind == container.Packed:
		last, sound := v.bound(i, e.key)
		p := e.packed()
		d, ok := p.Last()
		if ok && d > last { // not valid: values beyond the bound are not there
			n, _ := p.Find(last + 1)
			d, ok = p.At(n - 1)
		}
		return e.key<<16 + d, ok && sound && d <= last
	}
	low, ok := container.Block{Data: e.data, N: int32(e.n), Kind: e.kind}.Max()
	return e.key<<16 | uint64(low), ok
}

// Rank returns the number of values ≤ x: the cardinalities before its container, and the rank in
// it.
func (v View) Rank(x uint64) uint64 { return v.rankOf(x) }

func (v *View) rankOf(x uint64) uint64 {
	switch v.form() {
	case formSolo:
		if v.isPlain() {
			return v.plainRank(x)
		}
		if v.isWordList() {
			l := v.wordList()
			return l.rank(x)
		}
		var p kernel.Packed
		v.readSolo(&p)
		n, found := p.FindBehind(headSolo, x)
		if found {
			n++
		}
		return uint64(n)
	case formSingle:
		if x < v.single() {
			return 0
		}
		return 1
	}
	if key, lows := v.oneArray(); lows != nil {
		switch {
		case x>>16 == key:
			return uint64(kernel.SearchKeys(lows, uint16(x)))
		case x>>16 < key:
			return 0
		}
		return uint64(len(lows) / 2)
	}
	i := v.search(x >> 16)
	if i < 0 {
		return 0
	}
	if i == 0 {
		return v.rankIn(0, x)
	}
	return v.lenBefore(i) + v.rankIn(i, x)
}

// rankIn returns the number of values ≤ x of container i, whose key is at most that of x.
func (v *View) rankIn(i int, x uint64) uint64 {
	if form := v.form(); form != formCompact && form != formLoose {
		return v.rankOfEntry(i, x)
	}
	// What rankOfEntry does, without the entry: that is half of the cost.
	key, kind, data := v.payloadAt(i)
	if kind == container.Packed {
		return v.rankOfEntry(i, x)
	}
	n := v.cardAt(i)
	switch {
	case len(data) == 0 || len(data) > container.MaxPayload, kind == container.Array && len(data) != 2*n,
		kind == container.Bitset &&
			len(data) != container.MaxPayload, kind == container.Run && len(data)%4 != 0:
		return 0
	case key < x>>16:
		return uint64(n)
	case kind == container.Bitset:
		return uint64(kernel.BitsetRank((*kernel.Words)(data), uint16(x), n))
	case kind == container.Run:
		return uint64(kernel.RunRank(data, uint16(x)))
	}
	return uint64(kernel.SearchKeys(data, uint16(x)))
}

func (v *View) rankOfEntry(i int, x uint64) uint64 {
	e := v.entryAt(i)
	switch {
	case e.data == nil:
		return 0
	case e.kind == container.Packed:
		n, found := e.packed().Find(x - e.key<<16)
		if found {
			n++
		}
		return uint64(n)
	case e.key < x>>16:
		return uint64(e.n)
	}
	return uint64(container.Block{Data: e.data, N: int32(e.n), Kind: e.kind}.Rank(uint16(x)))
}
