// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package bitmap

import (
	"slices"

	"github.com/uproar-db/uproar/bitmap/internal/kernel"
)

const (
	fewValues = 64  // up to so many values are changed where they lie by Or, AndNot and Xor, whatever the size of the set
	fewBytes  = 128 // and so are as many as the set has times so many bytes: writing it anew would cost more than to change its containers
)

// And keeps the values that v has, and no others. v may be a View of b. The set is laid out anew: see [And].
func (b *Bitmap) And(v View) { b.apply(kernel.And, v) }

// Or adds the values of v. v may be a View of b. Few values, for the size of the set, are added as by [Bitmap.AddMany]; more in one pass that lays the set
// out anew: see [Or].
func (b *Bitmap) Or(v View) {
	if values, ok := b.few(v); ok {
		b.AddMany(values...)
		return
	}
	b.apply(kernel.Or, v)
}

// AndNot removes the values of v. v may be a View of b. See [Bitmap.Or].
func (b *Bitmap) AndNot(v View) {
	if values, ok := b.few(v); ok {
		b.RemoveMany(values...)
		return
	}
	b.apply(kernel.AndNot, v)
}

// Xor adds the values of v that are not there, and removes those that are. v may be a View of b. See [Bitmap.Or].
func (b *Bitmap) Xor(v View) {
	if values, ok := b.few(v); ok {
		absent := slices.DeleteFunc(slices.Clone(values), b.Contains)
		b.RemoveMany(values...)
		b.AddMany(absent...)
		return
	}
	b.apply(kernel.Xor, v)
}

// few returns a copy of the values of v if they are few enough to be changed where they lie.
func (b *Bitmap) few(v View) (values []uint64, ok bool) {
	n := v.Len()
	if n > b.view.Len()/4 || n > uint64(len(b.buf)/fewBytes) && (n > fewValues || !b.writable) {
		return nil, false
	}
	return v.AppendTo(make([]uint64, 0, n)), true
}

// apply replaces the set by the result of an operation.
func (b *Bitmap) apply(op kernel.Op, v View) {
	m := borrowBuilder()
	defer builders.Put(m)
	m.combine(op, &b.view, &v)
	m.into(b, asTheyAre)
	b.moved += uint64(len(b.buf))
}
