// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package eval

import (
	"math/bits"
	"slices"

	"github.com/uproar-db/uproar/internal/posting/overlay"
	"github.com/uproar-db/uproar/internal/roaring/container"
)

// nextCounted returns the first container key of at least key for which enough operands may have
// values: at a key below the least-th smallest of those where they stand, fewer do.
func (n *node) nextCounted(key uint64) (uint64, bool) {
	c := n.counter
	for n.check.step() {
		c.keys = c.keys[:0]
		for _, k := range n.plus {
			if at, ok := k.next(key); ok {
				c.keys = append(c.keys, at)
			}
		}
		if len(c.keys) < n.least {
			return 0, false
		}
		slices.Sort(c.keys)
		at := c.keys[n.least-1]
		if at == c.keys[0] {
			return at, true
		}
		key = at
	}
	return 0, false
}

// countedBlock returns the records of a block that are in enough operands.
func (n *node) countedBlock(key uint64) container.Block {
	n.counter.reset(key)
	for _, k := range n.plus {
		if b := k.at(key); !b.IsEmpty() {
			n.counter.add(b)
		}
	}
	return n.counter.atLeast(n.least, n.scratch)
}

// counter counts, for each record of a block, in how many sets it is. The count is a binary number;
// each digit is one set of records (the adder of Kaser and Lemire, Compressed bitmap indexes:
// beyond unions and intersections, 2014).
type counter struct {
	key    uint64
	digits []container.Block    // the lowest first
	owns   []*container.Scratch // where each digit lives
	carry  [2]container.Scratch
	meet   container.Scratch
	keys   []uint64
}

// grow makes room for the given number of digits. It returns how many scratches that takes.
func (c *counter) grow(digits int) (more int) {
	for len(c.owns) < digits {
		c.owns = append(c.owns, new(container.Scratch))
	}
	c.digits = slices.Grow(c.digits[:0], digits)[:digits]
	return digits + len(c.carry) + 1
}

// reset sets all counts to 0.
func (c *counter) reset(key uint64) {
	c.key = key
	for i := range c.digits {
		c.digits[i] = overlay.EmptyBlock(key)
	}
}

// add counts the records of a block.
func (c *counter) add(carry container.Block) {
	for i := range c.digits {
		digit := c.digits[i]
		if digit.IsEmpty() {
			c.digits[i] = c.owns[i].Copy(carry)
			return
		}
		// What an operation returns may borrow an operand: the carry is copied before the digit's
		// memory changes.
		next := c.carry[i%2].Copy(c.meet.And(digit, carry))
		c.digits[i] = c.owns[i].Xor(digit, carry)
		if next.IsEmpty() {
			return
		}
		carry = next
	}
}

// atLeast returns the records whose count is n or more, at least 1: digit by digit from the lowest
// on, a count that is equal so far stays in if its digit is as great, and every other if it is
// greater or equal with those before.
func (c *counter) atLeast(n int, s *container.Scratch) container.Block {
	if n>>len(c.digits) != 0 {
		return overlay.EmptyBlock(c.key)
	}
	low := bits.TrailingZeros(uint(n))
	b := c.digits[low]
	for i := low + 1; i < len(c.digits); i++ {
		if n>>i&1 != 0 {
			b = s.And(b, c.digits[i])
		} else {
			b = s.Or(b, c.digits[i])
		}
	}
	return b
}
