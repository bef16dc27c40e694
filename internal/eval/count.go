// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package eval

import (
	"math/bits"

	"github.com/uproar-db/uproar/internal/posting/model"
	"github.com/uproar-db/uproar/query"
)

// operands adds the nodes of operands to an operator. Those that can have no records are left out.
// All are bound, so that an unknown name is an error wherever it stands.
func (p *plan) operands(n *node, of []query.Expr, bind Bind) error {
	for _, e := range of {
		k, err := p.build(e, bind)
		if err != nil {
			return err
		}
		n.add(k)
	}
	return nil
}

// xor makes the node of the records that are in an odd number of operands.
func (p *plan) xor(of []query.Expr, bind Bind) (*node, error) {
	n := p.node(opXor)
	if len(of) > fewOperands {
		k, err := p.joined(p.snap.Parity(), of[fewOperands:], bind)
		if err != nil {
			return nil, err
		}
		n.add(k)
		of = of[:fewOperands]
	}
	if err := p.operands(n, of, bind); err != nil || len(n.plus) == 0 {
		return nil, err
	}
	return n, nil
}

// counted makes the node of the records that are in enough operands.
func (p *plan) counted(e query.AtLeast, bind Bind) (*node, error) {
	if e.N < 1 {
		return p.list(model.Exists, 0) // which Simplify leaves none of
	}
	if len(e.Of) > fewOperands {
		return p.tallied(e, bind)
	}
	n := p.node(opCount)
	if err := p.operands(n, e.Of, bind); err != nil || len(n.plus) < e.N {
		return nil, err
	}
	n.least, n.atMost = e.N, n.atMost/uint64(e.N)
	if n.counter == nil {
		n.counter = new(counter)
	}
	more := n.counter.grow(bits.Len(uint(len(n.plus))))
	return n, p.charge(int64(more) * scratchBytes)
}
