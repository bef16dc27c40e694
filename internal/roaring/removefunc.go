// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package roaring

import (
	"github.com/uproar-db/uproar/internal/roaring/mutable"
	"github.com/uproar-db/uproar/internal/roaring/pack"
)

// RemoveFunc takes the values for which remove returns true out of the set, and returns how many
// they were.
//
// It calls remove once for each value, in ascending order, and then removes all that were chosen in
// one pass, as [Bitmap.AndNot] does. If remove panics, the set stays as it was. The chosen values
// are gathered as a set of their own meanwhile.
func RemoveFunc(b *mutable.Bitmap, remove func(x uint64) bool) uint64 {
	m := pack.BorrowBuilder()
	defer m.Release()
	chosen := sink{m: m}
	for x := range b.All() {
		if remove(x) {
			chosen.value(x)
		}
	}
	before := b.Len()
	AndNotWith(b, mutable.NewBitmap(m, pack.AsTheyAre).View())
	return before - b.Len()
}
