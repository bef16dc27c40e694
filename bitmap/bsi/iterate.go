// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package bsi

import "iter"

// All returns the records and their integers in ascending order of ID. It puts the integers of a
// chunk together slice by slice, in 512 KB of memory from a pool. The integers must not be changed
// meanwhile.
func (v View) All() iter.Seq2[uint64, int64] {
	return func(yield func(uint64, int64) bool) {
		w := v.walk()
		defer w.release()
		for w.next() {
			for _, low := range w.decode(w.all) {
				if !yield(w.all.Key<<16|uint64(low), v.value(w.values[low])) {
					return
				}
			}
		}
	}
}
