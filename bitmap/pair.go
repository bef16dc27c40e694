// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package bitmap

import (
	"github.com/uproar-db/uproar/internal/roaring"
	"github.com/uproar-db/uproar/internal/roaring/pair"
	"github.com/uproar-db/uproar/internal/roaring/view"
)

// And returns the set of values that both a and b have.
//
// It walks both sets block by block, or probes the one with the values of the other if that is a
// short list, and lays the result out once, as a compact set: one allocation up to 400 bytes, two
// beyond. Beside the result, nothing is allocated once the package's builders are warm. The same
// holds for [Or], [AndNot] and [Xor].
func And(a, b View) *Bitmap { return (*Bitmap)(pair.And(view.View(a), view.View(b))) }

// Or returns the set of values that at least one of a and b has. See [And].
func Or(a, b View) *Bitmap { return (*Bitmap)(pair.Or(view.View(a), view.View(b))) }

// AndNot returns the set of values of a that b has not. See [And].
func AndNot(a, b View) *Bitmap { return (*Bitmap)(pair.AndNot(view.View(a), view.View(b))) }

// Xor returns the set of values that only one of a and b has. See [And].
func Xor(a, b View) *Bitmap { return (*Bitmap)(pair.Xor(view.View(a), view.View(b))) }

// AndLen returns the number of values that both sets have. Nothing is written or allocated: block
// by block, in the kinds the blocks are in, or by probing the one with the values of the other if
// that is a short list.
func AndLen(a, b View) uint64 { return pair.AndLen(view.View(a), view.View(b)) }

// OrLen returns the number of values that at least one of the sets has. It costs an AndLen.
func OrLen(a, b View) uint64 { return pair.OrLen(view.View(a), view.View(b)) }

// AndNotLen returns the number of values of a that b has not. It costs an AndLen.
func AndNotLen(a, b View) uint64 { return pair.AndNotLen(view.View(a), view.View(b)) }

// XorLen returns the number of values that only one of the sets has. It costs an AndLen.
func XorLen(a, b View) uint64 { return pair.XorLen(view.View(a), view.View(b)) }

// Intersects reports whether the sets have a value in common. It stops at the first.
func Intersects(a, b View) bool { return pair.Intersects(view.View(a), view.View(b)) }

// IsSubset reports whether b has every value of a. It stops at the first that b has not.
func IsSubset(a, b View) bool { return pair.IsSubset(view.View(a), view.View(b)) }

// Equal reports whether both sets have the same values, in whatever containers and bytes. It stops
// at the first block that differs.
func Equal(a, b View) bool { return pair.Equal(view.View(a), view.View(b)) }

// Jaccard returns the Jaccard index of the sets (Jaccard 1901): the number of values that both have
// by the number of values that at least one has, from 0 of disjoint sets to 1 of equal ones. Of two
// empty sets it is 1. It costs an [AndLen], and allocates nothing.
func Jaccard(a, b View) float64 { return roaring.Jaccard(view.View(a), view.View(b)) }
