// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package bitmap

import "github.com/uproar-db/uproar/bitmap/internal/kernel"

// fewValues is the number of values up to which Or, AndNot and Xor change containers in place instead of writing the set anew.
const fewValues = 64

// And keeps the values that v has, and no others. v may be a View of b. The set is laid out anew: see [And].
func (b *Bitmap) And(v View) { b.apply(kernel.And, v) }

// Or adds the values of v. v may be a View of b. A few values are added one by one, more in one pass that lays the set out anew: see [Or].
func (b *Bitmap) Or(v View) {
	if values, ok := b.few(v); ok {
		for _, x := range values {
			b.Add(x)
		}
		return
	}
	b.apply(kernel.Or, v)
}

// AndNot removes the values of v. v may be a View of b. See [Bitmap.Or].
func (b *Bitmap) AndNot(v View) {
	if values, ok := b.few(v); ok {
		for _, x := range values {
			b.Remove(x)
		}
		return
	}
	b.apply(kernel.AndNot, v)
}

// Xor adds the values of v that are not there, and removes those that are. v may be a View of b. See [Bitmap.Or].
func (b *Bitmap) Xor(v View) {
	if values, ok := b.few(v); ok {
		for _, x := range values {
			if !b.Remove(x) {
				b.Add(x)
			}
		}
		return
	}
	b.apply(kernel.Xor, v)
}

// few returns a copy of the values of v if they are few enough to be changed one by one.
func (b *Bitmap) few(v View) (values []uint64, ok bool) {
	n := v.Len()
	if !b.writable || n > fewValues || n > b.view.Len()/4 {
		return nil, false
	}
	return v.AppendTo(make([]uint64, 0, fewValues)), true
}

// apply replaces the set by the result of an operation.
func (b *Bitmap) apply(op kernel.Op, v View) {
	m := borrowBuilder()
	defer builders.Put(m)
	m.combine(op, &b.view, &v)
	m.into(b, asTheyAre)
	b.moved += uint64(len(b.buf))
}
