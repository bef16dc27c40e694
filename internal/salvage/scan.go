// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package salvage

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/uproar-db/uproar/store"
)

// damaged is the store of a damaged database. Its errors are taken for damage, but for those that
// say that reading is over.
type damaged struct {
	store.Store
	ctx   context.Context
	holes []hole
}

// hole is keys that cannot be read: those behind one, up to another. Meeting one takes an engine up
// to a second: it may look for the bit that has flipped.
type hole struct{ prefix, after, until []byte }

// past returns a key with a prefix, or the end of the hole that it is in; nil: there is none.
func (d *damaged) past(prefix, key []byte) []byte {
	for _, h := range d.holes {
		if bytes.Equal(h.prefix, prefix) && bytes.Compare(h.after, key) < 0 &&
			(h.until == nil || bytes.Compare(key, h.until) < 0) {
			return h.until
		}
	}
	return key
}

// begins reports whether a hole begins behind a key.
func (d *damaged) begins(key []byte) bool {
	return slices.ContainsFunc(d.holes, func(h hole) bool { return bytes.Equal(h.after, key) })
}

// guard makes an error of a panic: engines may meet bytes that they do not expect.
func guard(read func() error) (err error) {
	defer func() {
		if cause := recover(); cause != nil {
			err = fmt.Errorf("%w: the engine stopped: %v", store.ErrCorrupt, cause)
		}
	}()
	return read()
}

// isOver reports whether an error ends the salvage, and does not tell of damage.
func (d *damaged) isOver(err error) bool {
	return d.ctx.Err() != nil || errors.Is(err, store.ErrClosed) || errors.Is(err, context.Canceled)
}

// get reads an entry.
func (d *damaged) get(key []byte, fn func(value []byte) error) error {
	if err := d.ctx.Err(); err != nil {
		return err
	}
	return guard(func() error { return d.Store.Get(key, fn) })
}

// scan calls fn for the entries with a prefix, ascending, whose keys have length bytes. Where the
// engine cannot go on it begins again behind what it cannot read, and tells holed of it. fn
// ends the scan by store.ErrStop or an error, which is returned.
func (d *damaged) scan(prefix, start []byte, length int, holed func(error),
	fn func(key, value []byte) error) error {
	last := make([]byte, length)
	copy(last, prefix)
	if bytes.Compare(start, last) > 0 {
		copy(last, start)
	}
	errHole := errors.New("a hole begins here")
	for from := d.past(prefix, bytes.Clone(last)); from != nil && bytes.HasPrefix(from, prefix); {
		var ended error
		err := guard(func() error {
			return d.Store.Scan(prefix, from, func(key, value []byte) error {
				if len(key) == length {
					copy(last, key)
					ended = fn(key, value)
				}
				if ended == nil {
					ended = d.ctx.Err()
				}
				if ended == nil && d.begins(key) {
					ended = errHole
				}
				return ended
			})
		})
		switch {
		case ended == errHole:
			holed(errHole)
			from = d.past(prefix, plus(last, 0))
			continue
		case errors.Is(ended, store.ErrStop) || ended == nil && err == nil:
			return nil
		case ended != nil:
			return ended
		case d.isOver(err):
			return errors.Join(d.ctx.Err(), err)
		}
		holed(err)
		if from = d.behind(prefix, last); d.ctx.Err() != nil {
			return d.ctx.Err()
		}
		d.holes = append(d.holes, hole{bytes.Clone(prefix), bytes.Clone(last), from})
	}
	return nil
}

// behind returns a key from which on a scan finds something or nothing, but no damage. It returns
// nil if there is none, or ctx has ended. It tries keys at twice the distance each, and then
// between the last two.
func (d *damaged) behind(prefix, last []byte) []byte {
	readable := func(from []byte) bool {
		return guard(func() error {
			return d.Store.Scan(prefix, from, func(_, _ []byte) error { return store.ErrStop })
		}) == nil
	}
	bits := 8 * (len(last) - len(prefix))
	for bit := range bits {
		at := plus(last, bit)
		if d.ctx.Err() != nil || !bytes.HasPrefix(at, prefix) {
			return nil
		}
		if !readable(at) {
			continue
		}
		if bit == 0 {
			return at
		}
		low := plus(last, bit-1) // not readable
		for bit -= 2; bit >= 0 && d.ctx.Err() == nil; bit-- {
			if at := plus(low, bit); !readable(at) {
				low = at
			}
		}
		return plus(low, 0)
	}
	return nil
}

// plus returns a key as a number, plus a power of two.
func plus(key []byte, bit int) []byte {
	sum := bytes.Clone(key)
	for i, add := len(sum)-1-bit/8, 1<<(bit%8); i >= 0 && add > 0; i-- {
		add += int(sum[i])
		sum[i], add = byte(add), add>>8
	}
	return sum
}
