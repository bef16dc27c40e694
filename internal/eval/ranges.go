// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package eval

import (
	"math"
	"math/bits"

	"github.com/uproar-db/uproar/internal/posting/model"
)

// integers makes the node of the records whose integer is in one of some ranges. Its bits are read
// when a block is asked for: few records are looked up in the value column instead.
func (p *plan) integers(field uint32, leaves ...Leaf) (*node, error) {
	p.ranges = p.ranges[:0]
	for i := range leaves {
		p.ranges = append(p.ranges, interval{leaves[i].From, leaves[i].To})
	}
	of := merged(p.ranges)
	if len(of) == 0 {
		return nil, nil
	}
	n := p.node(opIntegers)
	if n.integers == nil {
		n.integers = new(integers)
	}
	r := n.integers
	r.plan, r.field = p, field
	r.all = of[0] == interval{math.MinInt64, math.MaxInt64}
	appendMagnitudes(&r.wanted, of)
	var err error
	if r.any, err = p.list(field, model.IntegerAny); err != nil {
		return nil, err
	}
	n.atMost = r.any.atMost
	depths := bits.Len(uint(len(of))) + 1
	return n, p.charge(int64(len(of))*spanBytes + int64(integerScratches+depths)*scratchBytes)
}

// fill reads the lists of the sign and the bits, and reports whether it could.
func (r *integers) fill() bool {
	if r.filled {
		return true
	}
	r.filled = true
	p := r.plan
	var err error
	if r.negative, err = p.filled(r.field, model.IntegerNegative); err == nil {
		for i := range r.digits {
			if r.digits[i], err = p.filled(r.field, model.IntegerRow(i)); err != nil {
				break
			}
			if r.digits[i] != nil {
				r.width = i + 1
			}
		}
	}
	if err == nil {
		err = p.flushCharge()
	}
	if err != nil {
		p.check.err = err
		return false
	}
	r.startFilled()
	return true
}

// filled makes the node of a list; nil if it has no records.
func (p *plan) filled(field uint32, row uint64) (*node, error) {
	n, err := p.list(field, row)
	if err != nil || n.atMost == 0 {
		p.used-- // nobody has the node
		p.nodes[p.used].list.Clear()
		return nil, err
	}
	return n, nil
}
