// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package pair

import (
	"encoding/binary"

	"github.com/uproar-db/uproar/internal/roaring/container"
	"github.com/uproar-db/uproar/internal/roaring/eliasfano"
	"github.com/uproar-db/uproar/internal/roaring/kernel/array"
	"github.com/uproar-db/uproar/internal/roaring/kernel/bitset"
	"github.com/uproar-db/uproar/internal/roaring/kernel/sorted"
	"github.com/uproar-db/uproar/internal/roaring/view"
)

// Prober answers whether values, asked in ascending order, are in a set. It remembers where it is.
type Prober struct {
	v     view.View
	t     view.CompactDir
	probe eliasfano.Probe // of the current container, if it is packed
	data  []byte          // payload of the current container, if it is not packed
	key   uint64          // of the current container
	next  uint64          // key of the container after it, beyond all keys if there is none
	i     int             // current container
	kind  uint8
	dir   bool
	fixed bool // the set is a fixed list: each value is looked up by itself

	// For count: the whole set as bits from base on, if it is that.
	dense []byte
	base  uint64
	asked bool
}

// A set may be treated as dense if values come in batches of at least denseFrom. It has up to
// maxDense containers.
const (
	denseFrom = 32
	maxDense  = 128
)

// denseSpan returns the bits of a dense set and the first value of its first chunk. Its containers
// are bitsets of consecutive chunks, one behind the other. Of any other set bits is nil. Crowded
// sets, such as an audience, are dense; lists are counted within them without going from chunk to
// chunk.
func denseSpan(v *view.View) (bits []byte, base uint64) {
	var t view.CompactDir
	if !view.ReadCompactDir(v, &t) || t.Count > maxDense || len(t.Body)-t.Payloads < t.Count*container.MaxPayload {
		return nil, 0
	}
	first := t.Key(0)
	// keys ascend, and no payload is larger
	if t.Key(t.Count-1) != first+uint64(t.Count-1) || t.End(t.Count-1)>>2 != uint64(t.Count)*container.MaxPayload {
		return nil, 0
	}
	if !allOf(&t, container.Bitset) {
		return nil, 0
	}
	return t.Body[t.Payloads:][:t.Count*container.MaxPayload], first << 16
}

// Open makes p, which is the zero value, a prober of v before the first container, where it stays:
// it is too large to be copied.
func (p *Prober) Open(v *view.View) {
	p.v, p.i, p.next = *v, -1, container.MaxKey+1
	if v.Count() > 0 {
		p.next = v.KeyAt(0)
	}
	p.dir, p.fixed = view.ReadCompactDir(v, &p.t), v.Form() == view.FormList && v.IsFixed()
}

// has reports whether x, which is not less than any asked before, is in the set.
func (p *Prober) has(x uint64) bool {
	if p.fixed {
		return view.FixedHas(&p.v, x)
	}
	key := x >> 16
	if key >= p.next {
		p.move(key)
	}
	switch {
	case p.kind == container.Packed:
		return p.probe.Has(x - p.key<<16)
	case p.key != key || len(p.data) == 0:
		return false
	case p.kind == container.Bitset:
		return bitset.Contains((*bitset.Words)(p.data), uint16(x))
	}
	return container.Block{Data: p.data, Kind: p.kind}.Contains(uint16(x))
}

// count returns how many of the values, which ascend, are in the set. They are overwritten.
func (p *Prober) count(values []uint64) uint64 {
	if !p.asked {
		p.asked = true
		if len(values) >= denseFrom {
			p.dense, p.base = denseSpan(&p.v)
		}
	}
	if p.dense != nil {
		return uint64(sorted.ContainedLen(values, p.dense, p.base))
	}
	return uint64(p.Keep(values))
}

// Keep moves the values that are in the set to the front, and returns their number. All values
// ascend.
func (p *Prober) Keep(values []uint64) (n int) {
	kept := values
	if p.fixed {
		for _, x := range values {
			kept[n] = x
			if view.FixedHas(&p.v, x) {
				n++
			}
		}
		return n
	}
	for len(values) > 0 {
		x := values[0]
		if key := x >> 16; key >= p.next {
			p.move(key)
		}
		// All values of the container at once.
		switch {
		case p.kind == container.Packed:
			k := upTo(values, p.next<<16-1)
			n += p.probe.Keep(kept[n:], values[:k], p.key<<16)
			values = values[k:]
		case p.key != x>>16 || len(p.data) == 0:
			values = values[1:]
		case p.kind == container.Bitset:
			words := (*bitset.Words)(p.data)
			k := upTo(values, x|0xFFFF)
			for _, x := range values[:k] {
				kept[n] = x
				// no jump, which would have to be guessed, and wait for the byte when it is guessed
				// wrong
				n += int(words[x>>3%container.MaxPayload] >> (x & 7) & 1)
			}
			values = values[k:]
		default:
			k := upTo(values, x|0xFFFF)
			n += p.keepInChunk(kept[n:], values[:k])
			values = values[k:]
		}
	}
	return n
}

// upTo returns the number of values, which ascend, that are at most last: at least one, which the
// first is.
func upTo(values []uint64, last uint64) int {
	if values[len(values)-1] <= last {
		return len(values)
	}
	k := 1
	for k < len(values) && values[k] <= last {
		k++
	}
	return k
}

// keepInChunk is keep for values of the current chunk. Its container is an array or runs.
func (p *Prober) keepInChunk(kept, values []uint64) (n int) {
	const together = 4
	if len(values) >= together && p.kind == container.Array {
		return p.keepInArray(kept, values)
	}
	b := container.Block{Data: p.data, Kind: p.kind}
	for _, x := range values {
		kept[n] = x
		if b.Contains(uint16(x)) {
			n++
		}
	}
	return n
}

// keepInArray is keep for values of the current chunk, if it is an array. It intersects two arrays.
func (p *Prober) keepInArray(kept, values []uint64) (n int) {
	var lows, both [2 * 64]byte
	base := p.key << 16
	for len(values) > 0 {
		some := values[:min(len(values), len(lows)/2)]
		for i, x := range some {
			binary.LittleEndian.PutUint16(lows[2*i:], uint16(x))
		}
		values = values[len(some):]
		k := array.And(both[:2*len(some)], lows[:2*len(some)], p.data)
		array.Values(kept[n:], both[:2*k], base)
		n += k
	}
	return n
}

// move makes the last container with a key ≤ key, which is at least p.next, the current one.
func (p *Prober) move(key uint64) {
	count := p.v.Count()
	i := p.i + 1 + int(min(key-p.next, maxUnfolded)) // where it is if no chunk between is empty
	if p.dir {
		if i >= p.t.Count || p.t.Key(i) != key {
			if i = p.t.Seek(p.i+1, key); i == p.t.Count || p.t.Key(i) != key {
				i--
			}
		}
		p.i, p.next = max(i, 0), container.MaxKey+1 // -1 only if keys are out of order
		if p.i+1 < p.t.Count {
			p.next = p.t.Key(p.i + 1)
		}
		p.key = p.t.Key(p.i)
		if p.kind, p.data = p.t.Payload(p.i); p.kind == container.Packed {
			if block, ok := p.t.Packed(p.i, p.data); ok {
				p.probe.Reset(block)
			} else {
				p.enter()
			}
		}
	} else {
		if i >= count || p.v.KeyAt(i) != key {
			if i = p.v.Gallop(p.i+1, key); i == count || p.v.KeyAt(i) != key {
				i--
			}
		}
		p.i, p.next = max(i, 0), container.MaxKey+1
		if p.i+1 < count {
			p.next = p.v.KeyAt(p.i + 1)
		}
		p.enter()
	}
}

// enter takes what the set says of the current container, whatever its kind.
func (p *Prober) enter() {
	e := p.v.EntryAt(p.i)
	if p.key, p.kind, p.data = e.Key, e.Kind, e.Data; e.Kind == container.Packed {
		p.probe.Reset(e.Packed())
	}
}

// Sparse reports whether v is one value or one packed block with at most 64 values in a chunk:
// cheaper to probe with, value by value, than to cut into blocks.
func Sparse(v *view.View) bool {
	switch v.Form() {
	case view.FormSingle:
		return true
	case view.FormList:
		if v.ListLen() < 64 {
			return true
		}
		var p eliasfano.Packed
		view.ReadList(v, &p)
		last, _ := p.Last()
		return last>>16 >= uint64(v.ListLen()/64)
	}
	return false
}

// drive orders two sets so that the first is the one to probe with. ok is false if they should be
// walked block by block.
func drive(a, b *view.View) (driver, probed *view.View, ok bool) {
	switch as, bs := Sparse(a), Sparse(b); {
	case as && (!bs || a.Values() <= b.Values()):
		return a, b, true
	case bs:
		return b, a, true
	}
	return a, b, false
}

// near reports whether two lists are of about the same length: cheaper to compare as a whole than
// to probe.
func near(a, b *view.View) bool {
	return max(a.ListLen(), b.ListLen())/8 <= min(a.ListLen(), b.ListLen())
}

// common intersects two lists. It writes the values to dst, unless that is nil, and returns their
// number. ok is false if they are too many, or if the lists should be merged.
func common(dst []uint64, a, b *view.View) (n int, ok bool) {
	if int64(a.Code()&b.Code()) < 0 {
		switch n, ok := listsAndLen(a, b); {
		case ok && (n == 0 || dst == nil): // which most pairs of lists have in common
			return n, true
		case dst != nil && min(a.ListLen(), b.ListLen()) <= len(dst) &&
			max(a.ListLen(), b.ListLen()) <= view.MaxFixed:
			return fixedCommon(dst, a, b), true
		}
	}
	var p, q eliasfano.Packed
	view.ReadList(a, &p)
	view.ReadList(b, &q)
	return eliasfano.And(dst, &p, &q)
}

// mergeLen counts the values that two short lists have in common.
func mergeLen(a, b *view.View) (n uint64) {
	var f, g eliasfano.Iter
	view.IterList(a, &f)
	view.IterList(b, &g)
	switch longer := max(a.ListLen(), b.ListLen()); { // memory on the stack is cleared each time
	case longer <= 16:
		var p, q [16]uint64
		return meetingOf(&f, &g, p[:], q[:])
	case longer <= 64:
		var p, q [64]uint64
		return meetingOf(&f, &g, p[:], q[:])
	}
	var p, q [256]uint64
	return meetingOf(&f, &g, p[:], q[:])
}

// meetingOf counts the values that two blocks have in common. It decodes them to p and q, as many
// at a time as these hold.
func meetingOf(f, g *eliasfano.Iter, p, q []uint64) (n uint64) {
	xs, ys := p[:f.Values(p, 0)], q[:g.Values(q, 0)]
	for len(xs) > 0 && len(ys) > 0 {
		k, i, j := sorted.ValuesAndLen(xs, ys)
		n, xs, ys = n+uint64(k), xs[i:], ys[j:]
		if len(xs) == 0 {
			xs = p[:f.Values(p, 0)]
		}
		if len(ys) == 0 {
			ys = q[:g.Values(q, 0)]
		}
	}
	return n
}

// Feed decodes the values of a sparse set in batches.
type Feed struct {
	it    eliasfano.Iter
	value uint64
	one   bool
}

// Open makes f, which is the zero value, begin to read v.
func (f *Feed) Open(v *view.View) {
	if v.Form() == view.FormSingle {
		f.value, f.one = v.Single(), true
		return
	}
	view.IterList(v, &f.it)
}

// Fill writes the next values to dst and returns their number, 0 at the end.
func (f *Feed) Fill(dst []uint64) int {
	if f.one {
		dst[0], f.one = f.value, false
		return 1
	}
	return f.it.Values(dst, 0)
}

// Seek moves to the first value that is at least x.
func (f *Feed) Seek(x uint64) {
	switch {
	case f.one:
		f.one = f.value >= x
	case x > 0:
		f.it.Seek(x)
	}
}

// maxUnfolded is the most blocks of an operand that is unfolded. A cursor walks larger ones.
const maxUnfolded = 1 << 14

// listsAndLen returns how many values two lists have in common. ok is false if finding out takes as
// long as decoding one of them.
func listsAndLen(a, b *view.View) (n int, ok bool) {
	// one of them is fixed at least: asked at once, as this is on the way of every pair of lists
	if int64(a.Code()|b.Code()) < 0 {
		if n, ok = fixedAndLen(a, b); ok {
			return n, true
		}
	}
	var p, q eliasfano.Packed
	view.ReadList(a, &p)
	view.ReadList(b, &q)
	if n, ok = eliasfano.PairLen(&p, &q, view.HeaderList); ok {
		return n, true
	}
	if (min(p.N, q.N) > lookedUp || !eliasfano.FastHas()) && rangesDisjoint(a, b) {
		return 0, true
	}
	return eliasfano.MeetLen(&p, &q, view.HeaderList)
}

// allOf reports whether all containers are of a kind.
func allOf(t *view.CompactDir, kind byte) bool {
	other := byte(0)
	for at := t.Ends; at < t.Payloads; at += t.Ow {
		other |= t.Body[at]&3 ^ kind
	}
	return other == 0
}

// lookedUp is the number of values whose look-up takes as long as telling two lists apart. It holds
// where the kernels are fast.
const lookedUp = 5
