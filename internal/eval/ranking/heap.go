// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package ranking

// heap has the least of its elements first (Williams 1964).
type heap[T any] struct {
	of      []T
	compare func(x, y T) int
}

// init puts elements in any order in that of a heap.
func (h heap[T]) init() {
	for i := len(h.of)/2 - 1; i >= 0; i-- {
		h.down(i)
	}
}

// up brings an element to its place from below.
func (h heap[T]) up(i int) {
	for i > 0 {
		above := (i - 1) / 2
		if h.compare(h.of[i], h.of[above]) >= 0 {
			return
		}
		h.of[i], h.of[above] = h.of[above], h.of[i]
		i = above
	}
}

// down brings an element to its place from above.
func (h heap[T]) down(i int) {
	for {
		least := i
		for k := 2*i + 1; k <= 2*i+2 && k < len(h.of); k++ {
			if h.compare(h.of[k], h.of[least]) < 0 {
				least = k
			}
		}
		if least == i {
			return
		}
		h.of[i], h.of[least] = h.of[least], h.of[i]
		i = least
	}
}

// pop takes the least element out.
func (h *heap[T]) pop() T {
	first, last := h.of[0], len(h.of)-1
	h.of[0] = h.of[last]
	h.of = h.of[:last]
	h.down(0)
	return first
}
