// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package view_test

import (
	"fmt"

	"github.com/uproar-db/uproar/internal/roaring/container"
	"github.com/uproar-db/uproar/internal/roaring/pair"
)

// Three sets are intersected without a set between: block by block, in one Scratch.
func Example_cursor() {
	a := pair.Of(1, 2, 3, 1<<20, 1<<30).View().Cursor(new(container.Scratch))
	b := pair.Of(2, 3, 4, 1<<20).View().Cursor(new(container.Scratch))
	c := pair.Of(3, 4, 5, 1<<20).View().Cursor(new(container.Scratch))

	var s container.Scratch
	var result []uint64
	for a.Next() {
		key := a.Key()
		if !b.Seek(key) || !c.Seek(key) {
			break // no more blocks
		}
		if b.Key() != key || c.Key() != key {
			continue
		}
		block := s.And(a.Block(), b.Block())
		block = s.And(block, c.Block())
		result = block.AppendTo(result)
	}
	fmt.Println(result)
	// Output: [3 1048576]
}

func Example_patch() {
	var stored, overlaid container.Scratch
	block := container.OfLows(5, []uint16{1, 2, 3}, &stored)
	block = overlaid.Patch(block, []uint16{9}, []uint16{2})
	fmt.Println(block.AppendLow(nil))
	// Output: [1 3 9]
}
