// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package roaring

import (
	"slices"

	"github.com/uproar-db/uproar/internal/roaring/container"
	"github.com/uproar-db/uproar/internal/roaring/mutable"
	"github.com/uproar-db/uproar/internal/roaring/pack"
	"github.com/uproar-db/uproar/internal/roaring/pair"
	"github.com/uproar-db/uproar/internal/roaring/view"
)

// AndWith keeps the values that v has, and no others. v may be a View of b.
//
// A set that has been changed stays changeable: its containers shrink where they lie, or are
// dropped. One that is packed, or has far more containers than v, is laid out anew, in the memory
// that it has: see [pair.And]. AndWith allocates only amortised room.
func AndWith(b *mutable.Bitmap, v view.View) { apply(b, container.And, v) }

// OrWith adds the values of v. v may be a View of b. Few values, for the size of the set, are added
// as by [Bitmap.AddMany]. More are combined container by container where they lie, if the set has
// been changed and v has at most a quarter of its values; containers between those of v are not
// touched. Otherwise the set is laid out anew: see [Bitmap.And].
func OrWith(b *mutable.Bitmap, v view.View) {
	if values, ok := b.Few(v); ok {
		b.AddMany(values...)
		return
	}
	apply(b, container.Or, v)
}

// AndNotWith removes the values of v. v may be a View of b. See [Bitmap.Or]; it works where the
// containers lie as long as v has no more values than the set.
func AndNotWith(b *mutable.Bitmap, v view.View) {
	if values, ok := b.Few(v); ok {
		b.RemoveMany(values...)
		return
	}
	apply(b, container.AndNot, v)
}

// XorWith removes the values of v that are in the set, and adds the others. v may be a View of b.
// See [OrWith].
func XorWith(b *mutable.Bitmap, v view.View) {
	if values, ok := b.Few(v); ok {
		absent := slices.DeleteFunc(slices.Clone(values), b.Contains)
		b.RemoveMany(values...)
		b.AddMany(absent...)
		return
	}
	apply(b, container.Xor, v)
}

// apply makes the set the result of an operation.
func apply(b *mutable.Bitmap, op container.Op, v view.View) {
	if b.Combine(op, v) {
		return
	}
	m := pack.BorrowBuilder()
	defer m.Release()
	own := b.View()
	pair.CombineInto(m, op, &own, &v)
	b.Replace(m)
}
