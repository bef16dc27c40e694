// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package listing

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"math"
	"slices"
	"unsafe"

	"github.com/uproar-db/uproar/internal/extsort"
	"github.com/uproar-db/uproar/internal/posting/model"
	"github.com/uproar-db/uproar/internal/posting/reader"
	"github.com/uproar-db/uproar/internal/roaring/view"
	"github.com/uproar-db/uproar/internal/schema"
)

// Bounds of the memory of a sorting.
const (
	sortShare  = 32        // of the memory of the database: one in so many bytes, at most
	mostLines  = 16 << 20  // bytes of lines that are sorted in memory
	leastLines = 256 << 10 // likewise, however little memory the database has
	leastBlock = 8 << 10
	leastSlots = 16
	mostBlock  = 256 << 10
	mergeRoom  = 4 << 20 // of the buffers of files that are merged
	mostRuns   = 64      // files of one level, before they are merged to one of the next
)

// fewLimit is up to how many records the best ones are picked, and not all sorted.
const fewLimit = 10_000

// recordBytes is how many bytes the record has, with which a line ends.
const recordBytes = 8

// Sorting goes through the records of a set in an order, the first one first. Each record has a
// line: bytes that compare as the records do. Lines are sorted once, with those that have no room
// in memory in temporary files. Close it at the end. Not for concurrent use.
//
// Cost: what is read of each record, and O(n log n) comparisons of lines in all. An order by
// nothing, that of the IDs, needs no lines. Nor does a small limit: Sorted picks those records.
type Sorting struct {
	sorter
	set     view.View
	after   *Place
	wanted  int    // how many records more
	next    uint64 // of an order by nothing: where to go on
	begun   bool
	picked  []Place // of a small limit
	lines   [][]byte
	block   []byte // what is left of the last one
	size    int    // of the next block
	room    int64  // for lines in memory
	held    int64  // of it, counted as memory of queries
	bounds  bounds
	levels  []extsort.Runs[[]byte]
	longest int // line
	merge   *extsort.Merge[[]byte]
	merged  extsort.Runs[[]byte]
	carry   carrying
}

// bounds say when a sorting does something else.
type bounds struct {
	fan int // how many files of a level are merged to one
	few int // up to how many records are picked, and not all sorted

	carried int64 // bytes that lines carry in all; 0: not known yet
}

// Sort returns the records of a set in an order, behind a place if there is one. limit bounds how
// many; 0 is all of them. Nothing is read before Next is called.
func Sort(ctx context.Context, lists reader.Snapshot, set view.View, by []Order, after *Place, limit int) *Sorting {
	s := &Sorting{set: set, after: after, wanted: limit, size: leastBlock, bounds: bounds{fan: mostRuns, few: fewLimit},
		room:   max(leastLines, min(mostLines, lists.MemoryLimit()/sortShare)),
		sorter: sorter{ctx: ctx, lists: lists, by: by, prefix: make([]Value, 0, len(by))}}
	if limit == 0 {
		s.wanted = math.MaxInt
	}
	if after != nil {
		s.next = after.Record + 1
	}
	return s
}

// Next appends the next records to dst, n of them; fewer at the end. Errors: ctx's,
// model.ErrMemory, those of reading, or of temporary files.
func (s *Sorting) Next(dst []uint64, n int) ([]uint64, error) {
	if err := s.ctx.Err(); err != nil {
		return dst, err
	}
	n = min(n, s.wanted)
	before := len(dst)
	s.carry.of = s.carry.of[:0]
	var err error
	switch {
	case n == 0:
	case len(s.by) == 0:
		for record := range s.set.From(s.next) {
			dst, s.next = append(dst, record), record+1
			if len(dst)-before == n {
				break
			}
		}
	case s.begun:
		dst, err = s.take(dst, n)
	default:
		s.begun = true
		err = s.begin()
		if full := (*filesError)(nil); s.carry.read != nil && errors.As(err, &full) {
			s.carry.read = nil // lines alone may have space
			if err = s.Close(); err == nil {
				err = s.begin()
			}
		}
		if err == nil {
			dst, err = s.take(dst, n)
		}
	}
	s.wanted -= len(dst) - before
	return dst, err
}

// Close lets go of memory and files.
func (s *Sorting) Close() error {
	s.lists.Give(s.held)
	s.held, s.lines, s.block, s.picked, s.merge, s.carry.of = 0, nil, nil, nil, nil, nil
	s.size = leastBlock
	err := s.merged.Close()
	for i := range s.levels {
		err = errors.Join(err, s.levels[i].Close())
	}
	s.levels = nil
	return err
}

// begin sorts.
func (s *Sorting) begin() (err error) {
	if s.wanted <= s.bounds.few {
		s.picked, err = Sorted(s.ctx, s.lists, s.set, s.by, s.after, s.wanted)
		return err
	}
	behind := []byte(nil)
	if s.after != nil {
		behind = s.appendLine(nil, s.after)
	}
	carries, ids := s.carries(), make([]uint64, 0, recordsPerSort)
	gather := func() error {
		if err := s.ctx.Err(); err != nil {
			return err
		}
		places, err := s.places(ids)
		read := carries && s.carry.left > 0
		if read && err == nil {
			err = s.carry.read(ids, func(i int, of []byte) error { return s.add(&places[i], behind, of) })
		}
		for i := 0; i < len(places) && err == nil && !read; i++ {
			err = s.add(&places[i], behind, nil)
		}
		ids = ids[:0]
		return err
	}
	for record := range s.set.All() {
		if ids = append(ids, record); len(ids) == cap(ids) {
			if err := gather(); err != nil {
				return err
			}
		}
	}
	if err := gather(); err != nil {
		return err
	}
	slices.SortFunc(s.lines, bytes.Compare)
	s.merged = s.runs()
	for i := range s.levels {
		s.merged.Adopt(&s.levels[i].Files)
	}
	s.merge, err = s.merged.Merge(s.lines)
	return err
}

// recordsPerSort is how many records are read together to be sorted.
const recordsPerSort = 8000

// take appends the next records.
func (s *Sorting) take(dst []uint64, n int) ([]uint64, error) {
	if s.merge == nil {
		n = min(n, len(s.picked))
		for _, p := range s.picked[:n] {
			dst = append(dst, p.Record)
		}
		s.picked = s.picked[n:]
		return dst, nil
	}
	for range n {
		line, ok, err := s.merge.Next()
		if err != nil || !ok {
			return dst, err
		}
		record, err := s.takeLine(line)
		if err != nil {
			return dst, err
		}
		dst = append(dst, record)
	}
	return dst, nil
}

// add takes in a record, unless it stands before the lines that are wanted.
func (s *Sorting) add(p *Place, behind, carried []byte) error {
	most := recordBytes + min(len(carried), mostCarried) + carriedHead
	for _, v := range p.By {
		most += lineBytes(v)
	}
	if len(s.block) < most || len(s.lines) == cap(s.lines) {
		if err := s.reserve(most); err != nil {
			return err
		}
	}
	line := s.appendLine(s.block[:0:most], p)
	if behind != nil && bytes.Compare(line, behind) <= 0 {
		return nil
	}
	if s.carry.read != nil {
		line = s.appendCarried(line, carried)
	}
	s.block = s.block[len(line):]
	s.lines = append(s.lines, line[:len(line):len(line)])
	s.longest = max(s.longest, len(line))
	return nil
}

// reserve makes room for a line of so many bytes, in memory or by writing those that are there to a
// file.
func (s *Sorting) reserve(line int) error {
	const each = int64(unsafe.Sizeof([]byte(nil)))
	block, room := 0, cap(s.lines)
	if len(s.block) < line {
		block = max(line, min(s.size, int(s.room)/4))
	}
	if len(s.lines) == room {
		room = max(leastSlots, 2*room)
	}
	more := int64(block) + each*int64(room-cap(s.lines))
	if s.held+more > s.room && len(s.lines) > 0 {
		if err := s.spill(); err != nil {
			return err
		}
		return s.reserve(line)
	}
	if err := s.lists.Take(more); err != nil {
		if !errors.Is(err, model.ErrMemory) || len(s.lines) == 0 {
			return err
		}
		if err := s.spill(); err != nil {
			return err
		}
		return s.reserve(line)
	}
	s.held += more
	if block > 0 {
		s.block, s.size = make([]byte, block), min(2*s.size, mostBlock)
	}
	if room > cap(s.lines) {
		s.lines = append(make([][]byte, 0, room), s.lines...)
	}
	return nil
}

// spill writes the lines to a file, and lets go of them.
func (s *Sorting) spill() error {
	slices.SortFunc(s.lines, bytes.Compare)
	if s.levels == nil {
		s.levels = append(s.levels, s.runs())
	}
	if len(s.levels[0].Open) == s.bounds.fan {
		if err := s.fold(0); err != nil {
			return err
		}
	}
	s.levels[0].Codec = s.runs().Codec
	if err := s.levels[0].Add(s.lines); err != nil {
		return &filesError{err}
	}
	s.lists.Give(s.held)
	s.held, s.lines, s.block, s.size = 0, nil, nil, leastBlock
	return nil
}

// fold merges the files of a level to one of the next. So a line is written once for each level.
func (s *Sorting) fold(level int) error {
	if level+1 == len(s.levels) {
		s.levels = append(s.levels, s.runs())
	}
	if len(s.levels[level+1].Open) == s.bounds.fan {
		if err := s.fold(level + 1); err != nil {
			return err
		}
	}
	from, to := &s.levels[level], &s.levels[level+1]
	from.Codec, to.Codec = s.runs().Codec, s.runs().Codec
	merge, err := from.Merge(nil)
	if err != nil {
		return &filesError{err}
	}
	w, err := to.Begin()
	if err != nil {
		return &filesError{err}
	}
	for i := 0; ; i++ {
		if i%recordsPerSort == 0 && s.ctx.Err() != nil {
			return s.ctx.Err()
		}
		line, ok, err := merge.Next()
		if err != nil {
			return &filesError{err}
		}
		if !ok {
			break
		}
		if err := w.Put(&line); err != nil {
			return &filesError{err}
		}
	}
	if err := w.End(); err != nil {
		return &filesError{err}
	}
	return from.Close()
}

// runs returns no runs, of lines up to the longest one there is.
func (s *Sorting) runs() extsort.Runs[[]byte] {
	return extsort.Runs[[]byte]{Buffer: mergeRoom, Codec: extsort.Codec[[]byte]{Append: appendBehind,
		Read: readBehind, Most: s.longest + 2*binary.MaxVarintLen32,
		Compare: func(a, b *[]byte) int { return bytes.Compare(*a, *b) }}}
}

// appendBehind appends a line behind another: how many bytes both begin with, how many follow, and
// those.
func appendBehind(dst []byte, before, line *[]byte) []byte {
	same := 0
	for same < len(*before) && same < len(*line) && (*before)[same] == (*line)[same] {
		same++
	}
	dst = binary.AppendUvarint(dst, uint64(same))
	dst = binary.AppendUvarint(dst, uint64(len(*line)-same))
	return append(dst, (*line)[same:]...)
}

// readBehind reads what appendBehind wrote.
func readBehind(b []byte, before *[]byte) (line []byte, n int) {
	same, a := binary.Uvarint(b)
	if a <= 0 || same > uint64(len(*before)) {
		return nil, 0
	}
	rest, c := binary.Uvarint(b[a:])
	if c <= 0 || rest > uint64(len(b)-a-c) || same+rest < recordBytes {
		return nil, 0
	}
	line = make([]byte, 0, same+rest)
	line = append(append(line, (*before)[:same]...), b[a+c:a+c+int(rest)]...)
	return line, a + c + int(rest)
}

// A line is, for each order, a byte that is 1 if there is no value, and then the value if there is
// one: an integer in 8 bytes, its sign bit flipped; or a text, in which 0 is followed by 255, and
// behind it 0 and 1. The bits of a value are flipped where the order descends. The record follows.
const (
	hasValue = 0
	noValue  = 1
	textEnd  = 1
	textZero = math.MaxUint8
)

// lineBytes is how many bytes of a line a value takes, at most.
func lineBytes(v Value) int { return 1 + recordBytes + 2*len(v.Text) + 2 }

// appendLine appends the line of a record.
func (s *Sorting) appendLine(dst []byte, p *Place) []byte {
	for i, o := range s.by {
		v := &p.By[i]
		if v.None {
			dst = append(dst, noValue)
			continue
		}
		dst = append(dst, hasValue)
		from := len(dst)
		if o.Field != nil && o.Field.Type == schema.Integer {
			dst = binary.BigEndian.AppendUint64(dst, uint64(v.Int)^(1<<63))
		} else {
			dst = appendText(dst, v.Text)
		}
		if o.Descending {
			for k := range dst[from:] {
				dst[from+k] = ^dst[from+k]
			}
		}
	}
	return binary.BigEndian.AppendUint64(dst, p.Record)
}

// appendText appends a text so that no other one begins with it.
func appendText(dst []byte, text string) []byte {
	for i := range len(text) {
		if dst = append(dst, text[i]); text[i] == 0 {
			dst = append(dst, textZero)
		}
	}
	return append(dst, 0, textEnd)
}
