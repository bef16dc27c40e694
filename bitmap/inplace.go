// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package bitmap

import (
	"github.com/uproar-db/uproar/internal/roaring"
	"github.com/uproar-db/uproar/internal/roaring/mutable"
	"github.com/uproar-db/uproar/internal/roaring/view"
)

// And keeps the values that v has, and no others. v may be a View of b.
//
// A set that has been changed stays changeable: its containers shrink where they lie, or are
// dropped. One that is packed, or has far more containers than v, is laid out anew, in the memory
// that it has: see [And]. Neither allocates, except amortised growth.
func (b *Bitmap) And(v View) { roaring.AndWith((*mutable.Bitmap)(b), view.View(v)) }

// Or adds the values of v. v may be a View of b. Few values, for the size of the set, are added as
// by [Bitmap.AddMany]. More are combined container by container where they lie, if the set has been
// changed and v has at most a quarter of its values; containers between those of v are not touched.
// Otherwise the set is laid out anew: see [Bitmap.And].
func (b *Bitmap) Or(v View) { roaring.OrWith((*mutable.Bitmap)(b), view.View(v)) }

// AndNot removes the values of v. v may be a View of b. See [Bitmap.Or]; it works where the
// containers lie as long as v has no more values than the set.
func (b *Bitmap) AndNot(v View) { roaring.AndNotWith((*mutable.Bitmap)(b), view.View(v)) }

// Xor adds the values of v that are not there, and removes the ones that are. v may be a View of b.
// See [Bitmap.Or].
func (b *Bitmap) Xor(v View) { roaring.XorWith((*mutable.Bitmap)(b), view.View(v)) }
