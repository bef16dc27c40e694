// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package bitmap

import (
	"github.com/uproar-db/uproar/internal/roaring"
	"github.com/uproar-db/uproar/internal/roaring/mutable"
)

// Add puts x into the set and reports whether it was not there.
//
// It changes one container. The first change of a packed set copies it, so that containers can grow
// in place. It compacts the set once holes are a tenth of its bytes, at an amortised cost that does
// not depend on the size of the set. A new container, which a value far from all
// others makes, moves the directory entries behind its own, 16 bytes each; [Bitmap.AddMany] moves
// them once.
func (b *Bitmap) Add(x uint64) bool { return (*mutable.Bitmap)(b).Add(x) }

// Remove takes x out of the set and reports whether it was there. It costs what Add costs.
func (b *Bitmap) Remove(x uint64) bool { return (*mutable.Bitmap)(b).Remove(x) }

// AddMany puts values into the set, in any order and repeated or not. It returns how many were not
// there.
//
// Each container is changed once for all of its values. Values that do not ascend are sorted, in a
// copy of at most 2^20 of them at a time; sorting is then most of the cost. Values that are few for
// the containers that the set has where they lie are added one by one, unless many of them make
// containers: they cost what [Bitmap.Add] costs. See there for what the first change costs.
func (b *Bitmap) AddMany(values ...uint64) int { return (*mutable.Bitmap)(b).AddMany(values...) }

// RemoveMany takes values out of the set, in any order and repeated or not. It returns how many
// were there. It costs what [Bitmap.AddMany] costs.
func (b *Bitmap) RemoveMany(values ...uint64) int { return (*mutable.Bitmap)(b).RemoveMany(values...) }

// AddRange puts first, last and all values between them into the set, and returns how many were not
// there. If last is less than first, there are none. Both ends belong to the range, so that it can
// reach the largest value, 2^64 − 1.
//
// Whole chunks of 65 536 values become one run each, in 24 bytes; beside them two chunks are
// changed at most. So the range 0 to 2^32 − 1 takes 1.5 MB, and 0 to 2^40 − 1 takes 400 MB.
// AddRange panics if the range has more than 2^44 values.
func (b *Bitmap) AddRange(first, last uint64) uint64 {
	return (*mutable.Bitmap)(b).AddRange(first, last)
}

// RemoveRange takes first, last and all values between them out of the set, and returns how many
// were there. If last is less than first, there are none. Containers inside the range are dropped
// without a look at their values; the range may have any number of values.
func (b *Bitmap) RemoveRange(first, last uint64) uint64 {
	return (*mutable.Bitmap)(b).RemoveRange(first, last)
}

// Flip removes the values from first to last, both included, that are there, and adds the others.
// If last is less than first, there are none. It costs what [Bitmap.AddRange] costs, and reads each
// container in the range. It panics if the range has more than 2^44 values.
func (b *Bitmap) Flip(first, last uint64) { (*mutable.Bitmap)(b).Flip(first, last) }

// RemoveFunc takes the values for which remove returns true out of the set, and returns how many
// they were.
//
// It calls remove once for each value, in ascending order, and then removes all that were chosen in
// one pass, as [Bitmap.AndNot] does. If remove panics, the set stays as it was. The chosen values
// are gathered as a set of their own meanwhile.
func (b *Bitmap) RemoveFunc(remove func(x uint64) bool) uint64 {
	return roaring.RemoveFunc((*mutable.Bitmap)(b), remove)
}
