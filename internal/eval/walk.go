// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package eval

import (
	"github.com/uproar-db/uproar/internal/posting/overlay"
	"github.com/uproar-db/uproar/internal/roaring/mutable"
	"github.com/uproar-db/uproar/internal/roaring/pack"
)

// walk calls fn for each container key from key on that may have values of the query. It stops when
// fn returns false.
func (p *plan) walk(key uint64, fn func(key uint64) bool) error {
	if p.root == nil {
		return nil
	}
	p.root.start()
	for p.check.step() {
		at, ok := p.root.next(key)
		if !ok || !fn(at) {
			break
		}
		key = at + 1
	}
	return p.check.err
}

// count counts the records of the plan.
func (p *plan) count() (uint64, error) {
	switch {
	case p.root == nil:
		return 0, nil
	case p.root.op == opList:
		return p.root.list.Len(), nil
	case p.root.op == opAnd && len(p.root.plus) == 2 && len(p.root.minus) == 0 && p.root.plus[0].op == opList &&
		p.root.plus[1].op == opList:
		if n, ok := overlay.AndLen(&p.root.plus[0].list, &p.root.plus[1].list); ok {
			return n, nil
		}
	}
	n := uint64(0)
	err := p.walk(0, func(key uint64) bool {
		n += uint64(p.root.count(key))
		return true
	})
	return n, err
}

// appendIDs appends the records of the plan.
func (p *plan) appendIDs(dst []uint64, from uint64, limit int) (ids []uint64, more bool, err error) {
	start, room := len(dst), cap(dst)
	err = p.walk(from>>16, func(key uint64) bool {
		b := p.root.block(key)
		p.lows = b.AppendLow(p.lows[:0])
		for _, low := range p.lows {
			id := key<<16 | uint64(low)
			if id < from {
				continue
			}
			if limit > 0 && len(dst)-start == limit {
				more = true
				return false
			}
			dst = append(dst, id)
		}
		if cap(dst) > room {
			if err := p.charge(8 * int64(cap(dst)-room)); err != nil {
				p.check.err = err
			}
			room = cap(dst)
		}
		return true
	})
	return dst, more, err
}

// set returns the records of the plan as a bitmap.
func (p *plan) set(layout pack.Layout) (*mutable.Bitmap, error) {
	return mutable.Build(layout, func(b *pack.Builder) error {
		return p.walk(0, func(key uint64) bool {
			b.AppendBlock(p.root.block(key))
			return true
		})
	})
}
