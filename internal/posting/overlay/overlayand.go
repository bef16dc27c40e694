// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package overlay

import (
	"slices"
	"sync"
	"unsafe"

	"github.com/uproar-db/uproar/internal/posting/delta"
	"github.com/uproar-db/uproar/internal/posting/model"
	"github.com/uproar-db/uproar/internal/prefetch"
	"github.com/uproar-db/uproar/internal/roaring/container"
)

// overlayAnd counts the common records of two lists, chunk by chunk. It overlays a chunk of the
// shorter list. It removes the records that the longer list's edits name, newest first, and counts
// the ones they set. It intersects the rest with the pages of the longer list. It overlays nothing
// of the longer list, looks up no single record, and reads memory in order.
type overlayAnd struct {
	a, b  andSide
	block container.Scratch
	asked []uint64 // records that are looked up on the pages of the longer list, as decoding these takes longer
	ahead [][]byte // what will be read
}

// overlayAnds holds scratch memory.
var overlayAnds = sync.Pool{New: func() any { return new(overlayAnd) }}

// andSide is one of the two lists.
type andSide struct {
	pages   Cursor // over what they have, without edits
	more    bool   // it stands on a block
	sources []patchSource
	merged  [2][]delta.Entry
	light   []delta.Entry // of runs of few entries, merged
	room    []uint16
}

// patchSource is what some runs of a list say, merged: the entries, or what is there of these chunk
// by chunk. It moves on with the count.
type patchSource struct {
	entries []delta.Entry
	chunks  []delta.RowChunk
	of      *delta.RowChunks // that the chunks are of
}

// key returns the key of the next chunk that has entries.
func (s *patchSource) key() (key uint64, ok bool) {
	switch {
	case len(s.chunks) > 0:
		return s.chunks[0].Key, true
	case len(s.entries) > 0:
		return s.entries[0].Record >> 17, true
	}
	return 0, false
}

// seek skips the entries of chunks before key.
func (s *patchSource) seek(key uint64) {
	if len(s.chunks) > 0 && s.chunks[0].Key < key {
		s.chunks = s.chunks[delta.ChunksBefore(s.chunks, key):]
	}
	if len(s.entries) > 0 && s.entries[0].Record>>17 < key {
		s.entries = s.entries[delta.EntriesBefore(s.entries, key):]
	}
}

// reset begins with a list, which is borrowed.
func (m *andSide) reset(l *List) {
	m.pages.resetPages(l)
	m.more = m.pages.Seek(0)
	m.sources = m.sources[:0]
	m.light = m.light[:0]
	if len(l.Much) == 0 {
		m.light = slices.Grow(m.light, len(l.Edits))
		for i := range l.Edits {
			m.light = append(m.light, delta.EntryOf(l.Edits[i]))
		}
		m.sources = append(m.sources, patchSource{entries: m.light})
		return
	}
	var heads [delta.MostRuns][]delta.Entry
	for i := 0; i < len(l.Much); {
		if c := l.Much[i].Chunks; c != nil && len(c.All) > 0 {
			m.sources = append(m.sources, patchSource{chunks: c.All, of: c})
			i++
			continue
		}
		some, begun := heads[:0], len(m.light)
		for ; i < len(l.Much) && (l.Much[i].Chunks == nil || len(l.Much[i].Chunks.All) == 0); i++ {
			some = append(some, l.Much[i].Entries)
		}
		if len(some) == 1 {
			m.sources = append(m.sources, patchSource{entries: some[0]})
			continue
		}
		m.light = append(m.light, delta.MergeRuns(some, &m.merged)...)
		m.sources = append(m.sources, patchSource{entries: m.light[begun:]})
	}
}

// release lets go of the list.
func (m *andSide) release() {
	m.pages.Release()
	clear(m.sources)
	m.sources = m.sources[:0]
	if cap(m.light) > delta.KeptEntries {
		m.light, m.merged = nil, [2][]delta.Entry{}
	}
}

// seek returns the key of the first chunk from one on that the list may have records in.
func (m *andSide) seek(key uint64) (at uint64, ok bool) {
	if m.more && m.pages.Key() < key {
		m.more = m.pages.Seek(key)
	}
	if m.more {
		at, ok = m.pages.Key(), true
	}
	for i := range m.sources {
		s := &m.sources[i]
		s.seek(key)
		if k, some := s.key(); some && (!ok || k < at) {
			at, ok = k, true
		}
	}
	return at, ok
}

// onPages returns the block that the pages have at a key, to which the side was moved.
func (m *andSide) onPages(key uint64) container.Block {
	if m.more && m.pages.Key() == key {
		return m.pages.Block()
	}
	return EmptyBlock(key)
}

// take returns the records of a chunk that the i-th source sets and cuts. It advances the source.
// The slices are valid until the next call.
func (m *andSide) take(i int, key uint64) (set, cut []uint16) {
	s := &m.sources[i]
	if k, ok := s.key(); !ok || k != key {
		return nil, nil
	}
	if len(s.chunks) > 0 {
		c := s.chunks[0]
		s.chunks = s.chunks[1:]
		return s.of.Lows[c.From:c.Cut], s.of.Lows[c.Cut:c.To]
	}
	n, sets := 0, 0
	for ; n < len(s.entries) && s.entries[n].Record>>17 == key; n++ {
		sets += int(s.entries[n].Record & 1)
	}
	m.room = slices.Grow(m.room[:0], n)[:n]
	delta.SplitEntries(s.entries[:n], m.room, sets)
	s.entries = s.entries[n:]
	return m.room[:sets], m.room[sets:]
}

// noneDense is what is said of a chunk that is not dense.
var noneDense delta.DenseChunk

// dense returns what the i-th source says of a chunk as far as that is dense. It moves nothing on.
func (m *andSide) dense(i int, key uint64) *delta.DenseChunk {
	s := &m.sources[i]
	if len(s.chunks) == 0 || s.chunks[0].Key != key || s.chunks[0].Dense == 0 {
		return &noneDense
	}
	return &s.of.Dense[s.chunks[0].Dense-1]
}

// count returns how many records both lists have.
func (m *overlayAnd) count(a, b *List) (n uint64) {
	m.ask(b)
	m.a.reset(a)
	m.b.reset(b)
	m.asked = m.asked[:0]
	key, ok := m.a.seek(0)
	for ok {
		at, both := m.b.seek(key)
		if !both {
			break
		}
		if at > key {
			key, ok = m.a.seek(at)
			continue
		}
		n += uint64(m.chunk(key))
		if key, ok = key+1, key < maxContainer; ok {
			key, ok = m.a.seek(key)
		}
	}
	n += uint64(len(b.baseAmong(m.asked)))
	if cap(m.asked) > delta.KeptEntries {
		m.asked = nil
	}
	m.a.release()
	m.b.release()
	return n
}

// lookedUpRatio is how many records of a packed block decode in the time of one look-up.
const lookedUpRatio = 40

// commonChunks returns a bound on how many chunks two lists have in common, the shorter one first.
// Edits count as well: what pages have may be next to nothing beside them.
func commonChunks(a, b *List) uint64 {
	if a.Universe > 0 && b.Universe > 0 {
		return min(a.AtMost(), a.Universe, b.Universe)
	}
	firstA, lastA, some := a.bounds()
	firstB, lastB, both := b.bounds()
	first, last := max(firstA, firstB)>>16, min(lastA, lastB)>>16
	switch {
	case !some || !both:
		return a.AtMost()
	case first > last:
		return 0
	}
	return min(a.AtMost(), last-first+1)
}

// bounds returns bounds on the records of the list; ok is false when there can be none.
func (l *List) bounds() (first, last uint64, ok bool) {
	if last, ok = l.Max(); !ok {
		return 0, 0, false
	}
	first, some := l.First.Min()
	if !some {
		first = last
		if len(l.rest) > 0 {
			first = 0
		}
	}
	if len(l.Edits) > 0 {
		first = min(first, l.Edits[0].Record)
	}
	for i := range l.Much {
		first = min(first, l.Much[i].Entries[0].Record>>1)
	}
	return first, last, true
}

// askedAtOnce is how many bytes lie between two that are asked for: two lines of memory.
const askedAtOnce = 128

// mostAhead is how many such pieces are asked for: more would push each other out.
const mostAhead = 128

// ask prefetches the chunks of a list's runs before the other list arrives. It leaves out dense
// chunks: little of them is read, and which part is not known yet.
func (m *overlayAnd) ask(l *List) {
	m.ahead = m.ahead[:0]
	for i := range l.Much {
		c := l.Much[i].Chunks
		if c == nil || len(c.All) == 0 {
			continue
		}
		from := uint32(0)
		for k := 0; k < len(c.All) && len(c.Dense) > 0; k++ {
			if c.All[k].Dense > 0 {
				m.ahead = appendAhead(m.ahead, c.Lows[from:c.All[k].From])
				from = c.All[k].To
			}
		}
		m.ahead = appendAhead(m.ahead, c.Lows[from:]) // chunks share lines
	}
	prefetch.Ends(m.ahead)
	clear(m.ahead)
}

// appendAhead appends pieces of memory that will be read, as long as they are not too many.
func appendAhead[T uint16 | uint64 | delta.Entry](ahead [][]byte, of []T) [][]byte {
	b := unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(of))), int(unsafe.Sizeof(*new(T)))*len(of))
	for len(b) > 0 && len(ahead) < mostAhead {
		n := min(len(b), askedAtOnce)
		ahead, b = append(ahead, b[:n]), b[n:]
	}
	return ahead
}

// maxContainer is the greatest container key of a record.
const maxContainer = model.MaxID >> 16

// chunk returns how many records of a chunk both lists have.
func (m *overlayAnd) chunk(key uint64) (n int) {
	left := m.a.onPages(key)
	for i := range m.a.sources {
		set, cut := m.a.take(i, key)
		left = m.block.Patch(left, set, cut)
	}
	for i := len(m.b.sources) - 1; i >= 0 && !left.IsEmpty(); i-- {
		dense := m.b.dense(i, key)
		set, cut := m.b.take(i, key)
		before := left.Len()
		left = m.without(left, set, dense.Set)
		n += before - left.Len()
		left = m.without(left, cut, dense.Cut)
	}
	if left.IsEmpty() {
		return n
	}
	if m.b.more && m.b.pages.Key() == key && m.b.pages.undecoded() > lookedUpRatio*left.Len() {
		m.asked = left.AppendTo(m.asked)
		return n
	}
	return n + left.AndLen(m.b.onPages(key))
}

// without removes some records from a block. If they are many, dense has them as a block.
func (m *overlayAnd) without(left container.Block, some []uint16, dense container.Block) container.Block {
	if !dense.IsEmpty() {
		return m.block.AndNot(left, dense)
	}
	return m.block.Patch(left, nil, some)
}

// OverlayAndLen returns how many records are in both lists.
func OverlayAndLen(a, b *List) uint64 {
	m := overlayAnds.Get().(*overlayAnd)
	defer overlayAnds.Put(m)
	return m.count(a, b)
}
