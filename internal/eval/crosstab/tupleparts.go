// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package crosstab

import (
	"errors"
	"math"
	"runtime"
	"sync"

	"github.com/uproar-db/uproar/internal/roaring/view"
)

// recordsOfPart is how many records a processor counts at least. Tests change it.
var recordsOfPart uint64 = 1 << 15

// walkAll counts the tuples of all records. The processors share them where each can read the
// columns by itself: lists that are turned over are read by one.
func (t *tupleCounter) walkAll(set view.View) (err error) {
	parts := min(uint64(runtime.GOMAXPROCS(0)), set.Len()/recordsOfPart)
	for _, c := range t.columns {
		if c.words == nil {
			parts = 1
		}
	}
	if t.wide != nil || uint64(len(t.dense)) > set.Len() {
		parts = 1
	}
	ends := []uint64{}
	for i := uint64(1); i < parts; i++ {
		id, _ := set.Select(i * set.Len() / parts)
		ends = append(ends, id>>16)
	}
	if len(ends) == 0 {
		return t.walk(set, 0, math.MaxUint64)
	}
	others, errs := make([]tupleCounter, len(ends)), make([]error, len(ends))
	defer func() {
		for i := range others {
			err = closed(err, others[i].close())
		}
	}()
	for i := range others {
		if err = others[i].share(t); err != nil {
			if err = ignoreMemory(err); err == nil { // there is room for one
				err = t.walk(set, 0, math.MaxUint64)
			}
			return err
		}
	}
	var group sync.WaitGroup
	for i := range others {
		before := uint64(math.MaxUint64)
		if i+1 < len(ends) {
			before = ends[i+1]
		}
		group.Go(func() { errs[i] = others[i].walk(set, ends[i], before) })
	}
	err = t.walk(set, 0, ends[0])
	group.Wait()
	err = errors.Join(err, errors.Join(errs...))
	for i := range others {
		if err == nil {
			err = t.absorb(&others[i])
		}
	}
	return err
}

// share opens what a processor needs to count a part of the records of another crosstab.
func (t *tupleCounter) share(of *tupleCounter) error {
	*t = tupleCounter{ctx: of.ctx, snap: of.snap, shifts: of.shifts}
	t.add = t.addPacked
	for _, c := range of.columns {
		words, err := t.snap.Words(c.by.Field)
		if err != nil {
			return err
		}
		t.columns = append(t.columns, &groupColumn{by: c.by, snap: c.snap, kind: c.kind, base: c.base, bits: c.bits,
			words: words})
	}
	if of.dense == nil {
		t.packed = newCells[uint64](t.ctx, t.snap, 0, of.packed.width)
		return nil
	}
	bytes := 8 * int64(len(of.dense))
	if err := t.snap.Take(bytes); err != nil {
		return err
	}
	t.held, t.dense = bytes, make([]uint64, len(of.dense))
	return nil
}

// absorb adds what another has counted.
func (t *tupleCounter) absorb(other *tupleCounter) error {
	if t.dense != nil {
		for key, n := range other.dense {
			t.dense[key] += n
		}
		return nil
	}
	if other.packed.runs.Items == 0 {
		return t.packed.addAll(other.packed.keys)
	}
	return other.packed.each(func(x *cell[uint64]) error {
		for range x.n {
			if err := t.packed.addAll([]uint64{x.key}); err != nil {
				return err
			}
		}
		return nil
	})
}

// addAll counts tuples.
func (c *cells[K]) addAll(keys []K) error {
	for len(keys) > 0 {
		some := keys[:min(len(keys), mostTuples)]
		if err := c.reserve(len(some)); err != nil {
			return err
		}
		c.keys = append(c.keys, some...)
		keys = keys[len(some):]
	}
	return nil
}
