// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package eval

// contains reports whether one record is in the node's set, by probing the lists.
func (n *node) contains(record uint64) bool {
	switch n.op {
	case opList:
		return n.list.Contains(record)
	case opIntegers:
		return n.integers.contains(record)
	case opXor, opCount:
		in := 0
		for _, k := range n.plus {
			if k.contains(record) {
				in++
			}
		}
		if n.op == opXor {
			return in%2 != 0
		}
		return in >= n.least
	case opOr:
		for _, k := range n.plus {
			if k.contains(record) {
				return true
			}
		}
		return false
	default:
		for _, k := range n.plus {
			if !k.contains(record) {
				return false
			}
		}
		for _, k := range n.minus {
			if k.contains(record) {
				return false
			}
		}
		return true
	}
}
