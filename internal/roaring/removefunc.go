// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package roaring

// RemoveFunc takes the values for which remove returns true out of the set, and returns how many
// they were.
//
// It calls remove once for each value, in ascending order, and then removes all that were chosen in
// one pass, as [Bitmap.AndNot] does. If remove panics, the set stays as it was. The chosen values
// are gathered as a set of their own meanwhile.
func (b *Bitmap) RemoveFunc(remove func(x uint64) bool) uint64 {
	m := BorrowBuilder()
	defer m.Release()
	chosen := sink{m: m}
	for x := range b.All() {
		if remove(x) {
			chosen.value(x)
		}
	}
	before := b.Len()
	b.AndNot(m.Bitmap(AsTheyAre).View())
	return before - b.Len()
}
