// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package crosstab

import (
	"cmp"
	"context"
	"encoding/binary"
	"errors"
	"slices"
	"unsafe"

	"github.com/uproar-db/uproar/internal/extsort"
	"github.com/uproar-db/uproar/internal/posting/model"
	"github.com/uproar-db/uproar/internal/posting/reader"
)

// tuple is the numbers that stand together: those of one group, or a record and a row. They are
// packed into one word, or have a word each if they need more bits.
type tuple interface{ uint64 | wide }

type wide [MaxFields]uint64

// cell is how often a tuple was counted.
type cell[K tuple] struct {
	key K
	n   uint64
}

// Bounds of the memory of a cells, as parts of the bound of the database.
const (
	bufferShare = 8 // of tuples that are to be sorted
	heldShare   = 8 // of runs that wait in memory
	leastTuples = 1 << 10
)

// cells counts tuples: it gathers them, sorts them when its buffer is full, and writes a run of the
// counts. Runs that have no room in memory go to temporary files. Not for concurrent use.
type cells[K tuple] struct {
	ctx           context.Context
	snap          reader.Snapshot
	from, width   int // bits that packed tuples are sorted by: in those below they come in order
	keys, scratch []K
	room          int // for keys
	held          int64
	runs          extsort.Runs[cell[K]]
}

// newCells returns cells of tuples. Packed tuples are sorted by width bits from bit from on. The
// caller closes them.
func newCells[K tuple](ctx context.Context, snap reader.Snapshot, from, width int) *cells[K] {
	c := &cells[K]{ctx: ctx, snap: snap, from: from, width: width}
	c.runs = extsort.Runs[cell[K]]{Codec: codecOf(comparison[K]()), Buffer: snap.MemoryLimit() / bufferShare}
	return c
}

// codecOf returns how cells are written: the differences of their numbers, which in every order
// that they are sorted in are small. compare orders two of them.
func codecOf[K tuple](compare func(a, b *cell[K]) int) (codec extsort.Codec[cell[K]]) {
	switch c := any(&codec).(type) {
	case *extsort.Codec[cell[uint64]]:
		c.Append, c.Read = appendPacked, readPacked
	case *extsort.Codec[cell[wide]]:
		c.Append, c.Read = appendWide, readWide
	}
	codec.Compare, codec.Most = compare, (MaxFields+1)*binary.MaxVarintLen64
	return codec
}

func appendPacked(dst []byte, before, x *cell[uint64]) []byte {
	dst = binary.AppendVarint(dst, int64(x.key-before.key))
	return binary.AppendVarint(dst, int64(x.n-before.n))
}

func readPacked(b []byte, before *cell[uint64]) (x cell[uint64], length int) {
	key, n := binary.Varint(b)
	if n <= 0 {
		return x, 0
	}
	count, m := binary.Varint(b[n:])
	if m <= 0 {
		return x, 0
	}
	return cell[uint64]{before.key + uint64(key), before.n + uint64(count)}, n + m
}

func appendWide(dst []byte, before, x *cell[wide]) []byte {
	for i, w := range x.key {
		dst = binary.AppendVarint(dst, int64(w-before.key[i]))
	}
	return binary.AppendVarint(dst, int64(x.n-before.n))
}

func readWide(b []byte, before *cell[wide]) (x cell[wide], length int) {
	for i, was := range before.key {
		step, n := binary.Varint(b[length:])
		if n <= 0 {
			return x, 0
		}
		x.key[i] = was + uint64(step)
		length += n
	}
	step, n := binary.Varint(b[length:])
	if n <= 0 {
		return x, 0
	}
	x.n = before.n + uint64(step)
	return x, length + n
}

// comparison returns the order of tuples: by the first number, then by the next.
func comparison[K tuple]() func(a, b *cell[K]) int {
	var compare func(a, b *cell[K]) int
	switch c := any(&compare).(type) {
	case *func(a, b *cell[uint64]) int:
		*c = func(a, b *cell[uint64]) int { return cmp.Compare(a.key, b.key) }
	case *func(a, b *cell[wide]) int:
		*c = func(a, b *cell[wide]) int { return slices.Compare(a.key[:], b.key[:]) }
	}
	return compare
}

// reserve makes room for more tuples in the buffer. If memory is short, it makes a run of the
// buffer instead.
func (c *cells[K]) reserve(more int) error {
	if len(c.keys)+more <= c.room {
		return nil
	}
	each := c.tupleBytes()
	want := max(leastTuples, 2*c.room, len(c.keys)+more)
	most := max(int(c.snap.MemoryLimit()/bufferShare/each), more)
	if want = min(want, most); want > c.room {
		err := c.snap.Take(each * int64(want-c.room))
		if err == nil {
			c.held += each * int64(want-c.room)
			c.room = want
			c.keys = slices.Grow(c.keys, want-len(c.keys))
			c.scratch = nil
		} else if ignoreMemory(err) != nil || c.room < more {
			return err
		}
	}
	if len(c.keys)+more <= c.room {
		return nil
	}
	return c.flush()
}

// tupleBytes returns what a tuple takes in the buffer, with scratch.
func (c *cells[K]) tupleBytes() int64 {
	var k K
	return 2 * int64(unsafe.Sizeof(k))
}

// sort sorts the tuples of the buffer.
func (c *cells[K]) sort() {
	switch keys := any(&c.keys).(type) {
	case *[]uint64:
		scratch := any(&c.scratch).(*[]uint64)
		*scratch = slices.Grow((*scratch)[:0], len(*keys))[:len(*keys)]
		*keys, *scratch = extsort.SortWords(*keys, *scratch, c.from, c.width)
	case *[]wide:
		slices.SortFunc(*keys, func(a, b wide) int { return slices.Compare(a[:], b[:]) })
	}
}

// flush writes a run of the tuples in the buffer.
func (c *cells[K]) flush() error {
	if len(c.keys) == 0 {
		return nil
	}
	if err := c.ctx.Err(); err != nil {
		return err
	}
	c.sort()
	w := c.runs.Hold()
	var x cell[K]
	for at := 0; at < len(c.keys); {
		x.key = c.keys[at]
		x.n, at = c.count(at)
		if err := w.Put(&x); err != nil {
			return err
		}
	}
	c.keys = c.keys[:0]
	before := c.runs.Held()
	if err := w.End(); err != nil {
		return err
	}
	more := c.runs.Held() - before
	err := c.snap.Take(more)
	if err == nil {
		c.held += more
	}
	if err != nil || before+more > c.snap.MemoryLimit()/heldShare {
		if ignoreMemory(err) != nil {
			return err
		}
		if err == nil {
			before += more
		}
		err = c.runs.Spill()
		c.snap.Give(before)
		c.held -= before
	}
	return err
}

// count returns how often the tuple at a place of the sorted buffer is in it. next is the place
// behind it.
func (c *cells[K]) count(at int) (n uint64, next int) {
	key := c.keys[at]
	for next = at + 1; next < len(c.keys) && c.keys[next] == key; next++ {
	}
	return uint64(next - at), next
}

// all returns the cells in ascending order of their tuples. Nothing may be added afterwards.
func (c *cells[K]) all() (*cellReader[K], error) {
	r := &cellReader[K]{of: c}
	if c.runs.Items == 0 {
		c.sort()
		return r, nil
	}
	if err := c.flush(); err != nil {
		return nil, err
	}
	buffer := c.tupleBytes() * int64(c.room)
	c.keys, c.scratch, c.room = nil, nil, 0
	c.snap.Give(buffer)
	c.held -= buffer
	var err error
	if r.merge, err = c.runs.Merge(nil); err != nil {
		return nil, err
	}
	r.ahead, r.more, err = r.merge.Next()
	return r, err
}

// each calls fn with the cells in ascending order of their tuples. Nothing may be added afterwards.
func (c *cells[K]) each(fn func(*cell[K]) error) error {
	reader, err := c.all()
	if err != nil {
		return err
	}
	for x, ok := (cell[K]{}), true; ; { // one for all, which fn has until it returns
		if x, ok, err = reader.next(); !ok || err != nil {
			return err
		}
		if err := fn(&x); err != nil {
			return err
		}
	}
}

// close lets go of the memory and the files.
func (c *cells[K]) close() error {
	c.snap.Give(c.held)
	c.held, c.keys, c.scratch, c.room = 0, nil, nil, 0
	return c.runs.Close()
}

// cellReader goes through cells.
type cellReader[K tuple] struct {
	of    *cells[K]
	at    int // in the buffer, if there are no runs
	merge *extsort.Merge[cell[K]]
	ahead cell[K]
	more  bool // ahead is one
	steps int
}

// cellsPerLook is how many cells are gone through between two looks at the context.
const cellsPerLook = 1 << 12

// next returns the next cell; ok is false behind the last one.
func (r *cellReader[K]) next() (x cell[K], ok bool, err error) {
	if r.steps++; r.steps%cellsPerLook == 0 {
		if err := r.of.ctx.Err(); err != nil {
			return x, false, err
		}
	}
	if r.merge == nil {
		if r.at == len(r.of.keys) {
			return x, false, nil
		}
		x.key = r.of.keys[r.at]
		x.n, r.at = r.of.count(r.at)
		return x, true, nil
	}
	if !r.more {
		return x, false, nil
	}
	for x = r.ahead; ; x.n += r.ahead.n {
		if r.ahead, r.more, err = r.merge.Next(); err != nil || !r.more || r.ahead.key != x.key {
			return x, err == nil, err
		}
	}
}

// closed returns the error of some work, or if there was none that of its end.
func closed(err, end error) error {
	if err == nil {
		err = end
	}
	return err
}

// ignoreMemory returns an error that is not one of memory.
func ignoreMemory(err error) error {
	if errors.Is(err, model.ErrMemory) {
		return nil
	}
	return err
}
