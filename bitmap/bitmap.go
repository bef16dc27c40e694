// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package bitmap

import (
	"github.com/uproar-db/uproar/internal/roaring/mutable"
	"github.com/uproar-db/uproar/internal/roaring/pack"
	"github.com/uproar-db/uproar/internal/roaring/view"
)

// Bitmap is a set that owns its bytes and changes in place on them: [Bitmap.Bytes] is a valid
// stand-alone bitmap at every moment.
//
// The zero value is the empty set, ready for use. A Bitmap may be read from any number of
// goroutines as long as nobody changes it.
//
// Loops over a Bitmap may change it: see [Bitmap.All]. A View, and the iterators, cursors and
// blocks taken from it, are valid until the next change. Used after that they answer nonsense, but
// they do not panic, do not touch other memory and come to an end.
//
// A copy of the struct (c := *b) shares its bytes: once one of the two is changed, the other must
// not be used any more. [Bitmap.Clone] makes a set of its own.
type Bitmap mutable.Bitmap

// View returns the set as a View, which borrows its bytes until the next change.
func (b *Bitmap) View() View { return View((*mutable.Bitmap)(b).View()) }

// Bytes returns the stand-alone bytes of the set. They belong to the Bitmap and change with it.
func (b *Bitmap) Bytes() []byte { return (*mutable.Bitmap)(b).Bytes() }

// Clone returns a copy. It allocates the copy.
func (b *Bitmap) Clone() *Bitmap { return (*Bitmap)((*mutable.Bitmap)(b).Clone()) }

// Clone returns a Bitmap with a copy of the bytes of the set. If they are not known to be valid,
// the first change of the copy looks at them.
func (v View) Clone() *Bitmap { return (*Bitmap)(mutable.Clone(view.View(v))) }

// Pack rewrites the set with the layout given, without holes: the fewest bytes, or the fastest
// containers. The next change of a packed set makes room for changes again, at the cost of one
// copy.
func (b *Bitmap) Pack(layout Layout) { (*mutable.Bitmap)(b).Pack(pack.Layout(layout)) }

// Reset makes the set empty and keeps its memory for the values to come. (To let the memory go,
// assign Bitmap{}.)
func (b *Bitmap) Reset() { (*mutable.Bitmap)(b).Reset() }

// CopyFrom makes b a copy of v, with v's containers. It reuses b's memory unless that is too small.
// v may be a View of b. If the bytes of v are not known to be valid, the next change of b looks at
// them.
func (b *Bitmap) CopyFrom(v View) { (*mutable.Bitmap)(b).CopyFrom(view.View(v)) }
