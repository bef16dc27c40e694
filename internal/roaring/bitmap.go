// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package roaring

import (
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
type Bitmap struct {
	// Six words: the runtime finds memory for so many in half of the time that a set takes which
	// has room for changes, too, as most results are read and let go.

	buf      []byte // envelope and body
	code     uint64 // of its View
	*changes        // nil before the first one
	head     uint8  // bytes of the envelope before the body
	sound    bool   // the body has been written, or proved, by this package
	writable bool   // the body is loose and has been made so by this Bitmap: see makeWritable
	revised  bool   // a revision is under way
	edits    uint32 // counts the calls that may have changed the set, for loops over it
}

var emptyBytes = [...]byte{view.Magic, view.Version, 0}

// View returns the set as a View, which borrows its bytes until the next change.
func (b *Bitmap) View() view.View { return view.View{Bytes: b.buf[b.head:], Code: b.code} }

// Bytes returns the stand-alone bytes of the set. They belong to the Bitmap and change with it.
func (b *Bitmap) Bytes() []byte {
	if len(b.buf) == 0 {
		return append([]byte(nil), emptyBytes[:]...)
	}
	return b.buf
}

// Clone returns a copy. It allocates the copy.
func (b *Bitmap) Clone() *Bitmap {
	c := Clone(b.View())
	c.sound = b.sound
	return c
}

// Clone returns a Bitmap with a copy of the bytes of the set. If they are not known to be valid,
// the first change of the copy looks at them.
func Clone(v view.View) *Bitmap {
	if len(v.Bytes) == 0 {
		return new(Bitmap)
	}
	b := newBitmap(standAlone(len(v.Bytes)))
	b.buf = append(appendEnvelope(b.buf, len(v.Bytes), 0), v.Bytes...)
	b.reopen()
	return b
}

// open makes the view of buf, whose body was written by this package.
func (b *Bitmap) open() {
	v, err := view.Open(b.buf)
	if err != nil {
		panic(err) // a defect of this package
	}
	b.code, b.head = v.Code, uint8(v.Head())
}

// MarkValid notes that the bytes of the set are known to be valid: the first change need not look
// at them.
func MarkValid(b *Bitmap) { b.sound = true }

// reopen is open for a body copied from a View. If the View was used after its bytes had changed,
// they may not be a body any more: the set is empty then.
func (b *Bitmap) reopen() {
	v, err := view.Open(b.buf)
	if err != nil {
		b.buf = b.buf[:0]
	}
	b.code, b.head = v.Code, uint8(v.Head())
}

// Bitmap returns the set as a Bitmap with the given layout. It stays in the builder.
func (b *Builder) Bitmap(layout Layout) *Bitmap {
	s := b.LayOut(layout)
	m := newBitmap(standAlone(s.Size))
	b.writeTo(m, s)
	m.sound = layout != AsTheyAre
	return m
}

// briefBytes is the size of the largest stand-alone bytes that a new Bitmap has within itself.
// Larger ones are an allocation of their own: in one with the pointers of a Bitmap, the runtime
// would clear them first, which costs more than the other allocation.
const briefBytes = 400

// Bitmaps that lie together with their first bytes: 64, 96, 144, 256 and 448 bytes, which are sizes
// that the runtime has.
type (
	brief16 struct {
		Bitmap
		room [16]byte
	}
	brief48 struct {
		Bitmap
		room [48]byte
	}
	brief96 struct {
		Bitmap
		room [96]byte
	}
	brief208 struct {
		Bitmap
		room [208]byte
	}
	brief400 struct {
		Bitmap
		room [briefBytes]byte
	}
)

// newBitmap returns an empty set with room for stand-alone bytes of the given size, all of which
// the caller writes: a large room has not been cleared. A small one costs one allocation.
func newBitmap(size int) *Bitmap {
	switch {
	case size == 0:
		return new(Bitmap)
	case size <= 16:
		b := new(brief16)
		b.buf = b.room[:0]
		return &b.Bitmap
	case size <= 48:
		b := new(brief48)
		b.buf = b.room[:0]
		return &b.Bitmap
	case size <= 96:
		b := new(brief96)
		b.buf = b.room[:0]
		return &b.Bitmap
	case size <= 208:
		b := new(brief208)
		b.buf = b.room[:0]
		return &b.Bitmap
	case size <= briefBytes:
		b := new(brief400)
		b.buf = b.room[:0]
		return &b.Bitmap
	}
	return &Bitmap{buf: fresh(size)[:0]}
}

// standAlone returns the size of the stand-alone bytes of a body of n bytes.
func standAlone(n int) int { return 2 + 1<<EnvelopeWidth(n) + n }

// Into replaces the set of m, in memory of its own.
func (b *Builder) Into(m *Bitmap, layout Layout) {
	m.buf = nil
	b.over(m, layout)
}

// over replaces the set of m, in the memory that it has unless that is too small, or more than four
// times as large as need be.
func (b *Builder) over(m *Bitmap, layout Layout) {
	s := b.LayOut(layout)
	size := standAlone(s.Size)
	switch had := cap(m.buf); {
	case had == 0 || had > 4*size:
		m.buf = make([]byte, 0, size)
	case had < size:
		m.buf = make([]byte, 0, size+size/8) // it grows: let it do so a few times
	}
	m.buf = m.buf[:0]
	b.writeTo(m, s)
	m.sound, m.writable = layout != AsTheyAre, false
	if m.changes != nil {
		m.list = freeList{}
	}
}

// writeTo writes the set of the given shape to the bytes of m, which have room for it and are
// empty.
func (b *Builder) writeTo(m *Bitmap, s Shape) {
	if s.form == view.FormEmpty {
		m.buf, m.code, m.head = m.buf[:0], 0, 0
		return
	}
	m.buf = b.Write(appendEnvelope(m.buf, s.Size, 0), s)
	m.open()
}

// Pack rewrites the set with the layout given, without holes: the fewest bytes, or the fastest
// containers. The next change of a packed set makes room for changes again, at the cost of one
// copy.
func (b *Bitmap) Pack(layout Layout) {
	builder := BorrowBuilder()
	defer builder.Release()
	builder.appendView(b.View())
	b.edits++
	builder.Into(b, layout)
	b.noteMoved(uint64(len(b.buf)))
}

// appendView adds the values of a set.
func (b *Builder) appendView(v view.View) {
	c := v.Cursor(nil)
	for c.Next() {
		b.AppendBlock(c.Block())
	}
	c.Release()
}

// Moved returns the number of bytes that changes have moved since the Bitmap was made: payloads
// that were shifted, re-encoded or moved to another room, directories, and whole bodies that were
// packed or squeezed. It measures the work of changes, not the size of the set.
func (b *Bitmap) Moved() uint64 {
	if b.changes == nil {
		return 0
	}
	return b.moved
}
