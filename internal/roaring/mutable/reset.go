// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package mutable

import (
	"github.com/uproar-db/uproar/internal/roaring/pack"
	"github.com/uproar-db/uproar/internal/roaring/view"
)

// Reset makes the set empty and keeps its memory for the values to come. (To let the memory go,
// assign Bitmap{}.)
func (b *Bitmap) Reset() {
	b.edits++
	b.buf, b.code, b.head = b.buf[:0], 0, 0
	b.sound, b.writable = true, false
}

// CopyFrom makes the set equal to v, with v's containers. It uses the set's memory unless that is
// too small. v may be a View of b. If the bytes of v are not known to be valid, the next change of
// b looks at them.
func (b *Bitmap) CopyFrom(v view.View) {
	own := b.View()
	switch {
	case len(v.Raw()) == 0:
		b.Reset()
		return
	case len(own.Raw()) > 0 && &v.Raw()[0] == &own.Raw()[0]:
		return
	}
	b.edits++
	if size := standAlone(len(v.Raw())); cap(b.buf) < size {
		b.buf = make([]byte, 0, size)
	}
	b.buf = append(pack.AppendEnvelope(b.buf[:0], len(v.Raw()), 0), v.Raw()...)
	b.sound, b.writable = false, false
	b.reopen()
}

// Become makes b the set of fresh, whose bytes are valid and belong to nobody else.
func (b *Bitmap) Become(fresh *Bitmap) {
	moved, edits := b.Moved(), b.edits
	*b = *fresh
	b.sound, b.edits = true, edits+1
	b.noteMoved(moved + uint64(len(fresh.buf)))
}
