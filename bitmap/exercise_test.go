// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package bitmap

// exerciseMany calls the operations on many sets, whatever their bytes.
func exerciseMany(a, b View) (sum uint64) {
	for _, views := range [][]View{{a}, {a, b}, {b, a, b}, {a, a, b, View{}}} {
		for _, op := range manyOps {
			m := op.do(views...)
			sum += m.Len() + uint64(len(m.Bytes())) + op.n(views...)
		}
	}
	return sum
}
