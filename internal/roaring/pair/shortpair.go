// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package pair

import (
	"github.com/uproar-db/uproar/internal/roaring/container"
	"github.com/uproar-db/uproar/internal/roaring/kernel/array"
	"github.com/uproar-db/uproar/internal/roaring/mutable"
	"github.com/uproar-db/uproar/internal/roaring/view"
)

// arraysAndLen is andLen of two directories of one array; ok is false if they are something else.
func arraysAndLen(a, b *view.View) (n uint64, ok bool) {
	key, lows := view.OneArray(a)
	otherKey, others := view.OneArray(b)
	if lows == nil || others == nil {
		return 0, false
	}
	if key == otherKey {
		n = uint64(array.AndLen(lows, others))
	}
	return n, true
}

// maxShortArrays bounds the bytes of two arrays that are combined at once.
const maxShortArrays = 512

// ofArrays is combine of two directories of one short array of the same key; ok is false if they
// are something else.
func (c *result) ofArrays(op container.Op, a, b *view.View) (m *mutable.Bitmap, ok bool) {
	key, lows := view.OneArray(a)
	otherKey, others := view.OneArray(b)
	if lows == nil || others == nil || key != otherKey || len(lows)+len(others) > maxShortArrays {
		return nil, false
	}
	c.Begin()
	n, room := 0, c.free(len(lows)+len(others))
	switch op {
	case container.And:
		n = array.And(room[:min(len(lows), len(others))], lows, others)
	case container.Or:
		n = array.Or(room, lows, others)
	case container.AndNot:
		n = array.AndNot(room[:len(lows)], lows, others)
	default:
		n = array.Xor(room, lows, others)
	}
	c.appendPayload(key, container.Array, n, 2*n)
	return c.Bitmap(), true
}
