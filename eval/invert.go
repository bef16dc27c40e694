// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package eval

import (
	"context"
	"errors"
	"math/bits"

	"github.com/uproar-db/uproar/bitmap"
	"github.com/uproar-db/uproar/posting"
)

// inverted is the rows of each record of a set in a field, ascending by record: its lists, each of which was
// walked over once, turned over by a sort.
type inverted struct {
	packed  *cells[uint64] // the record, less the first one, above the row
	apart   *cells[wide]   // the record and the row, where those need more bits than a word has
	rowBits int
	first   uint64 // record
	read64  *cellReader[uint64]
	readFar *cellReader[wide]

	record, row uint64 // that come next
	more        bool
}

// errManyBits says that a number needs more bits than it was thought to.
var errManyBits = errors.New("eval: a number has more bits than were reckoned with")

// invert walks over the lists of a field. The caller closes what it returns.
//
// Cost: a step for each list, and a sort of the rows of the records of the set, in files if they have no room
// in memory.
func invert(ctx context.Context, snap posting.Snapshot, field uint32, rowBits int, set bitmap.View) (x *inverted, err error) {
	x = &inverted{rowBits: rowBits}
	x.first, _ = set.Min()
	last, _ := set.Max()
	if width := bits.Len64(last-x.first) + rowBits; width <= 64 {
		x.packed = newCells[uint64](ctx, snap, width)
		if err = x.walk(ctx, snap, field, set, x.addPacked); err == nil {
			x.read64, err = x.packed.all()
		}
		if !errors.Is(err, errManyBits) {
			return x.start(err)
		}
		if err = x.packed.close(); err != nil {
			return x, err
		}
		x.packed = nil
	}
	x.apart = newCells[wide](ctx, snap, 0)
	if err = x.walk(ctx, snap, field, set, x.addApart); err == nil {
		x.readFar, err = x.apart.all()
	}
	return x.start(err)
}

// start goes to the first row, if there was no error.
func (x *inverted) start(err error) (*inverted, error) {
	if err == nil {
		err = x.next()
	}
	return x, err
}

// walk gives the records of each list that are in the set to add, those of a block at a time.
func (x *inverted) walk(ctx context.Context, snap posting.Snapshot, field uint32, set bitmap.View, add func(row, base uint64, lows []uint16) error) error {
	var met, decoded bitmap.Scratch
	var lows []uint16
	var list posting.Cursor
	defer list.Release()
	return snap.Rows(ctx, field, 0, func(row uint64, l *posting.List) error {
		of := set.Cursor(&decoded)
		list.Reset(l)
		for ok := of.Next(); ok && list.Seek(of.Key()); {
			if of.Key() < list.Key() {
				ok = of.Seek(list.Key())
				continue
			}
			if lows = met.And(list.Block(), of.Block()).AppendLow(lows[:0]); len(lows) > 0 {
				if err := add(row, of.Key()<<16, lows); err != nil {
					return err
				}
			}
			ok = of.Next()
		}
		return nil
	})
}

func (x *inverted) addPacked(row, base uint64, lows []uint16) error {
	if row>>x.rowBits > 0 {
		return errManyBits
	}
	c := x.packed
	if err := c.reserve(len(lows)); err != nil {
		return err
	}
	base -= x.first
	for _, low := range lows {
		c.keys = append(c.keys, (base+uint64(low))<<x.rowBits|row)
	}
	return nil
}

func (x *inverted) addApart(row, base uint64, lows []uint16) error {
	c := x.apart
	if err := c.reserve(len(lows)); err != nil {
		return err
	}
	for _, low := range lows {
		c.keys = append(c.keys, wide{base | uint64(low), row})
	}
	return nil
}

// next goes to the next row.
func (x *inverted) next() (err error) {
	if x.read64 != nil {
		var c cell[uint64]
		c, x.more, err = x.read64.next()
		x.record, x.row = x.first+c.key>>x.rowBits, c.key&(1<<x.rowBits-1)
		return err
	}
	var c cell[wide]
	c, x.more, err = x.readFar.next()
	x.record, x.row = c.key[0], c.key[1]
	return err
}

// read appends the rows of some records of a block, of which there is one, with the places of these among them.
// Records are asked for in ascending order.
func (x *inverted) read(at []uint16, rows []uint64, key uint64, lows []uint16) ([]uint16, []uint64, error) {
	last := key<<16 | uint64(lows[len(lows)-1])
	for i := 0; x.more && x.record <= last; {
		for ; i < len(lows) && key<<16|uint64(lows[i]) < x.record; i++ {
		}
		if i < len(lows) && key<<16|uint64(lows[i]) == x.record {
			at, rows = append(at, uint16(i)), append(rows, x.row)
		}
		if err := x.next(); err != nil {
			return at, rows, err
		}
	}
	return at, rows, nil
}

func (x *inverted) close() error {
	if x.packed != nil {
		return x.packed.close()
	}
	return x.apart.close()
}
