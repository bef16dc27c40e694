// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package roaring

import (
	"slices"

	"github.com/uproar-db/uproar/internal/roaring/kernel"
	"github.com/uproar-db/uproar/internal/roaring/view"
)

const (
	// up to so many values are changed where they lie by Or, AndNot and Xor, whatever the size of
	// the set
	fewValues = 64
	// and so are as many as the set has times so many bytes: writing it anew would cost more than
	// to change its containers
	fewBytes = 128
)

// And keeps the values that v has, and no others. v may be a View of b.
//
// A set that has been changed stays changeable: its containers shrink where they lie, or are
// dropped. One that is packed, or has far more containers than v, is laid out anew, in the memory
// that it has: see [And]. Neither allocates, but for what is amortised.
func (b *Bitmap) And(v view.View) { b.apply(kernel.And, v) }

// Or adds the values of v. v may be a View of b. Few values, for the size of the set, are added as
// by [Bitmap.AddMany]. More are combined container by container where they lie, if the set has been
// changed and v has at most a quarter of its values; containers between those of v are not touched.
// Otherwise the set is laid out anew: see [Bitmap.And].
func (b *Bitmap) Or(v view.View) {
	if values, ok := b.few(v); ok {
		b.AddMany(values...)
		return
	}
	b.apply(kernel.Or, v)
}

// AndNot removes the values of v. v may be a View of b. See [Bitmap.Or]; it works where the
// containers lie as long as v has no more values than the set.
func (b *Bitmap) AndNot(v view.View) {
	if values, ok := b.few(v); ok {
		b.RemoveMany(values...)
		return
	}
	b.apply(kernel.AndNot, v)
}

// Xor adds the values of v that are not there, and removes those that are. v may be a View of b.
// See [Bitmap.Or].
func (b *Bitmap) Xor(v view.View) {
	if values, ok := b.few(v); ok {
		absent := slices.DeleteFunc(slices.Clone(values), b.Contains)
		b.RemoveMany(values...)
		b.AddMany(absent...)
		return
	}
	b.apply(kernel.Xor, v)
}

// few returns a copy of the values of v if they are few enough to be changed where they lie.
func (b *Bitmap) few(v view.View) (values []uint64, ok bool) {
	n := v.Len()
	if n > b.Len()/4 || n > uint64(len(b.buf)/fewBytes) && (n > fewValues || !b.writable) {
		return nil, false
	}
	return v.AppendTo(make([]uint64, 0, n)), true
}

// apply makes the set the result of an operation.
func (b *Bitmap) apply(op kernel.Op, v view.View) {
	b.edits++
	if b.mayCombine(op, &v) {
		b.combine(op, v)
		return
	}
	m := BorrowBuilder()
	defer m.Release()
	own := b.View()
	m.combine(op, &own, &v)
	m.over(b, AsTheyAre)
	b.noteMoved(uint64(len(b.buf)))
}

// manyDropped is how many times as many containers as v a set may have for And to drop them one by
// one: to lay the result out anew takes the time of v alone.
const manyDropped = 8

// mayCombine reports whether containers are combined with v where they lie. v must not be a View of
// b then: what it reads would change meanwhile.
func (b *Bitmap) mayCombine(op kernel.Op, v *view.View) bool {
	switch {
	case !b.writable || b.count == 0 || len(v.Bytes) == 0 || &v.Bytes[0] == &b.body()[0]:
		return false
	case op == kernel.And:
		return b.count <= manyDropped*v.Count()
	case op == kernel.AndNot:
		return v.Len() <= b.Len()
	}
	return v.Len() <= b.Len()/4 // more would make most containers grow
}
