// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package pair

import (
	"bytes"

	"github.com/uproar-db/uproar/internal/roaring/container"
	"github.com/uproar-db/uproar/internal/roaring/eliasfano"
	"github.com/uproar-db/uproar/internal/roaring/kernel/array"
	"github.com/uproar-db/uproar/internal/roaring/view"
)

// AndLen returns the number of values that both sets have. Nothing is written or allocated: block
// by block, in the kinds the blocks are in, or by probing the one with the values of the other if
// that is a short list.
func AndLen(a, b view.View) uint64 { return AndLenOf(&a, &b) }

// AndLenOf is [AndLen] of views that lie in memory.
func AndLenOf(v *view.View, o *view.View) (n uint64) {
	switch {
	case v.Form() == view.FormSingle:
		return meets(o, v.Single())
	case o.Form() == view.FormSingle:
		return meets(v, o.Single())
	case v.Form() == view.FormList && o.Form() == view.FormList:
		if n, ok := listsAndLen(v, o); ok {
			return uint64(n)
		}
		return listsAndLenOfMany(v, o)
	}
	if v.Form() == view.FormCompact && o.Form() == view.FormCompact {
		if keysDisjoint(v, o) {
			return 0
		}
		if n, ok := arraysAndLen(v, o); ok {
			return n
		}
		if n, ok := directoriesAndLen(v, o); ok {
			return n
		}
	}
	least, most := overlap(v, o)
	if least > most {
		return 0
	}
	if n, ok := fixedInDirectory(v, o, least, most); ok {
		return n
	}
	return andLenOfMany(v, o, least, most)
}

// directoriesAndLen is andLen of two compact directories. ok is false if a packed container is in
// the way.
func directoriesAndLen(v, o *view.View) (n uint64, ok bool) {
	var x, y view.CompactDir
	if maybePacked(v) || maybePacked(o) || !view.ReadCompactDir(v, &x) || !view.ReadCompactDir(o, &y) {
		return 0, false
	}
	return compactDirAndLen(&x, &y, false)
}

// listsAndLenOfMany is andLen of two lists for which listsAndLen does not find out.
//
//go:noinline
func listsAndLenOfMany(v, o *view.View) (n uint64) {
	if sameLists(v, o) {
		if n, ok := sameListsLen(v, o); ok {
			return uint64(n)
		}
	}
	if max(v.ListLen(), o.ListLen()) >= offsetsFrom && byOffsets(v, o) {
		return uint64(offsetsAndLen(v, o))
	}
	if looksUp(v, o) {
		return uint64(lookedUpLen(v, o))
	}
	if near(v, o) {
		if n, ok := common(nil, v, o); ok {
			return uint64(n)
		}
		if Sparse(v) && Sparse(o) {
			return mergeLen(v, o)
		}
	}
	least, most := overlap(v, o)
	if least > most {
		return 0
	}
	return andLenOfMany(v, o, least, most)
}

// andLenOfMany is andLen of sets that are not small, and of forms that AndLenOf has no way for. All
// that they have in common lies within bounds. It is a function of its own so that small sets do
// not clear the stack frame of its loops.
//
//go:noinline
func andLenOfMany(v, o *view.View, least, most uint64) (n uint64) {
	if maybePacked(v) || maybePacked(o) {
		if n, ok := inDenseBits(v, o); ok {
			return uint64(n)
		}
	}
	if n, ok := listByOffsets(v, o); ok {
		return uint64(n)
	}
	if driver, probed, ok := drive(v, o); ok {
		return probeLen(driver, probed, least, most)
	}
	if n, ok := strideLen(v, o); ok {
		return n
	}
	a, b := v.Cursor(nil), o.Cursor(nil)
	for view.MeetCursors(&a, &b) {
		n += uint64(meetingLen(&a, &b))
	}
	a.Release()
	b.Release()
	return n
}

// probeLen counts the values of a list that a set has. All of them lie within bounds.
func probeLen(list, in *view.View, least, most uint64) (n uint64) {
	if n, ok := inFewChunks(nil, list, in); ok {
		return uint64(n)
	}
	if list.Values() <= askedOnly && in.Count() > 0 && in.KindAt(0) != container.Packed {
		return ask(list, in, least, most)
	}
	if list.Values() <= in.Count()+in.Count()/4 {
		if n, ok := askAll(list, in, least, most); ok {
			return n
		}
	}
	var values [64]uint64
	var f Feed
	var p Prober
	f.Open(list)
	p.Open(in)
	for k := f.Fill(values[:]); k > 0; k = f.Fill(values[:]) {
		if some := clip(values[:k], least, most); len(some) > 0 {
			n += p.count(some)
		}
	}
	return n
}

// askAll is probeLen for a list with hardly more than a value for each container. ok is false
// unless the containers are unpacked, in a tight directory.
func askAll(list, in *view.View, least, most uint64) (n uint64, ok bool) {
	var t view.CompactDir
	if !view.ReadCompactDir(in, &t) {
		return 0, false
	}
	var values [64]uint64
	var f Feed
	f.Open(list)
	i := 0
	for k := f.Fill(values[:]); k > 0; k = f.Fill(values[:]) {
		var some int
		if some, i, ok = t.KeepAll(clip(values[:k], least, most), i); !ok {
			return 0, false
		}
		n += uint64(some)
	}
	return n, true
}

// ask is probeLen for a list of at most askedOnly values.
func ask(list, in *view.View, least, most uint64) (n uint64) {
	var values [askedOnly]uint64
	var it eliasfano.Iter
	view.IterList(list, &it)
	asked := clip(values[:it.Values(values[:], 0)], least, most)
	var t view.CompactDir
	if view.ReadCompactDir(in, &t) {
		if n, _, ok := t.KeepAll(asked, 0); ok {
			return uint64(n)
		}
		view.IterList(list, &it)
		asked = clip(values[:it.Values(values[:], 0)], least, most)
	}
	for _, x := range asked {
		if in.Has(x) {
			n++
		}
	}
	return n
}

// OrLen returns the number of values that at least one of the sets has. It costs an AndLen.
func OrLen(a, b view.View) uint64 {
	and := AndLenOf(&a, &b)
	return a.Len() + b.Len() - and
}

// AndNotLen returns the number of values of a that b has not. It costs an AndLen.
func AndNotLen(a, b view.View) uint64 {
	n, and := a.Len(), AndLenOf(&a, &b)
	return n - min(n, and)
}

// XorLen returns the number of values that only one of the sets has. It costs an AndLen.
func XorLen(a, b view.View) uint64 {
	n, and := a.Len()+b.Len(), AndLenOf(&a, &b)
	return n - min(n, 2*and)
}

// Intersects reports whether the sets have a value in common. It stops at the first.
func Intersects(a, b view.View) bool {
	if found, ok := shortIntersects(&a, &b); ok {
		return found
	}
	return intersectsMany(&a, &b)
}

// intersectsMany is Intersects of sets that are not short. It is a function of
// its own so that Intersects of short sets does not clear the stack frame of its loops.
//
//go:noinline
func intersectsMany(a, b *view.View) bool {
	if a.Form() == view.FormList && b.Form() == view.FormList && near(a, b) {
		if n, ok := common(nil, a, b); ok {
			return n > 0
		}
	}
	var t, u view.CompactDir
	if view.ReadCompactDir(a, &t) && view.ReadCompactDir(b, &u) {
		if n, ok := compactDirAndLen(&t, &u, true); ok {
			return n > 0
		}
	}
	if driver, probed, ok := drive(a, b); ok {
		var values [64]uint64
		var f Feed
		var p Prober
		f.Open(driver)
		p.Open(probed)
		for k := f.Fill(values[:]); k > 0; k = f.Fill(values[:]) {
			for _, x := range values[:k] {
				if p.has(x) {
					return true
				}
			}
		}
		return false
	}
	x, y := a.Cursor(nil), b.Cursor(nil)
	found := false
	for !found && view.MeetCursors(&x, &y) {
		p, q := meetingBlocks(&x, &y)
		found = p.Intersects(q)
	}
	x.Release()
	y.Release()
	return found
}

// IsSubset reports whether b has every value of a. It stops at the first that b has not.
func IsSubset(a, b view.View) bool {
	if Sparse(&a) {
		var values [64]uint64
		var f Feed
		var p Prober
		f.Open(&a)
		p.Open(&b)
		for k := f.Fill(values[:]); k > 0; k = f.Fill(values[:]) {
			for _, x := range values[:k] {
				if !p.has(x) {
					return false
				}
			}
		}
		return true
	}
	x, y := a.Cursor(nil), b.Cursor(nil)
	subset := true
	for subset && x.Next() {
		block := x.Block()
		if block.IsEmpty() {
			continue
		}
		subset = y.Seek(x.Pos) && y.Pos == x.Pos && block.AndLen(y.Block()) == block.Len()
	}
	x.Release()
	y.Release()
	return subset
}

// Equal reports whether both sets have the same values, in whatever containers and bytes. It stops
// at the first block that differs.
func Equal(a, b view.View) bool {
	if a.Len() != b.Len() {
		return false
	}
	if bytes.Equal(a.Raw(), b.Raw()) {
		return true
	}
	x, y := a.Cursor(nil), b.Cursor(nil)
	equal := true
	for equal {
		more := nextFilled(&x)
		if equal = more == nextFilled(&y); !more {
			break
		}
		equal = equal && x.Pos == y.Pos && x.Block().Equal(y.Block())
	}
	x.Release()
	y.Release()
	return equal
}

// nextFilled moves to the next block that has values.
func nextFilled(c *view.Cursor) bool {
	for c.Next() {
		if b := c.Block(); !b.IsEmpty() {
			return true
		}
	}
	return false
}

// shortList is the number of values up to which counting common values is as fast as finding the
// first.
const shortList = 64

// shortIntersects is Intersects of short sets; ok is false if the sets are not short.
func shortIntersects(a, b *view.View) (found, ok bool) {
	switch {
	case a.Form() == view.FormSingle:
		return meets(b, a.Single()) > 0, true
	case b.Form() == view.FormSingle:
		return meets(a, b.Single()) > 0, true
	case a.Form() == view.FormList && b.Form() == view.FormList && max(a.ListLen(), b.ListLen()) <= shortList:
		return AndLenOf(a, b) > 0, true
	}
	if rangesDisjoint(a, b) {
		return false, true
	}
	key, lows := view.OneArray(a)
	otherKey, others := view.OneArray(b)
	if lows == nil || others == nil {
		return false, false
	}
	return key == otherKey && array.Intersects(lows, others), true
}
