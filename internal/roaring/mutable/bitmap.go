// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package mutable

import (
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
type Bitmap struct {
	// Six words: the runtime finds memory for six in half of the time that a set with room for
	// changes takes. Most results are read and let go.

	buf       []byte // envelope and body
	code      uint64 // of its View
	*changes         // nil before the first one
	head      uint8  // bytes of the envelope before the body
	sound     bool   // the body has been written, or proved, by this package
	writable  bool   // the body is loose and has been made so by this Bitmap: see makeWritable
	rewritten bool   // a rewriting is under way
	edits     uint32 // counts the calls that may have changed the set, for loops over it
}

var emptyBytes = [...]byte{view.Magic, view.Version, 0}

// View returns the set as a View, which borrows its bytes until the next change.
func (b *Bitmap) View() view.View { return view.Of(b.buf[b.head:], b.code) }

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
	if len(v.Raw()) == 0 {
		return new(Bitmap)
	}
	b := sized(standAlone(len(v.Raw())))
	b.buf = append(pack.AppendEnvelope(b.buf, len(v.Raw()), 0), v.Raw()...)
	b.reopen()
	return b
}

// open makes the view of buf, whose body was written by this package.
func (b *Bitmap) open() {
	v, err := view.Open(b.buf)
	if err != nil {
		panic(err) // a defect of this package
	}
	b.code, b.head = v.Code(), uint8(view.HeaderLen(v))
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
	b.code, b.head = v.Code(), uint8(view.HeaderLen(v))
}

// NewBitmap returns the set as a Bitmap with the given layout. It stays in the builder.
func NewBitmap(b *pack.Builder, layout pack.Layout) *Bitmap {
	s := b.LayOut(layout)
	m := sized(standAlone(s.Size))
	buildIn(b, m, s)
	m.sound = layout != pack.AsTheyAre
	return m
}

// BriefBytes is the size of the largest stand-alone bytes that a new Bitmap has within itself.
// Larger ones are an allocation of their own: in one with the pointers of a Bitmap, the runtime
// would clear them first, which costs more than the other allocation.
const BriefBytes = 400

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
		room [BriefBytes]byte
	}
)

// sized returns an empty set with room for stand-alone bytes of the given size. The caller must
// write all of them: a large room is not cleared. A small one costs one allocation.
func sized(size int) *Bitmap {
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
	case size <= BriefBytes:
		b := new(brief400)
		b.buf = b.room[:0]
		return &b.Bitmap
	}
	return &Bitmap{buf: pack.Fresh(size)[:0]}
}

// Owning returns the Bitmap of stand-alone bytes that have just been written, and that nobody else
// keeps.
func Owning(buf []byte) *Bitmap {
	m := &Bitmap{buf: buf}
	m.open()
	return m
}

// Joined returns the Bitmap whose stand-alone bytes, size in all, are the parts one after the
// other.
func Joined(size int, parts [][]byte) *Bitmap {
	m := sized(size)
	for _, part := range parts {
		m.buf = append(m.buf, part...)
	}
	m.open()
	return m
}

// CopyOf returns a Bitmap with a copy of the stand-alone bytes given, which have just
// been written.
func CopyOf(bytes []byte) *Bitmap {
	if len(bytes) > BriefBytes {
		m := &Bitmap{buf: append([]byte(nil), bytes...)} // which is not cleared first
		m.open()
		return m
	}
	m := sized(len(bytes))
	m.buf = append(m.buf, bytes...)
	m.open()
	return m
}

// standAlone returns the size of the stand-alone bytes of a body of n bytes.
func standAlone(n int) int { return 2 + 1<<pack.EnvelopeWidth(n) + n }

// BuildInto replaces the set of m, in memory of its own.
func BuildInto(b *pack.Builder, m *Bitmap, layout pack.Layout) {
	m.buf = nil
	buildOver(b, m, layout)
}

// buildOver replaces the set of m in its own memory. It takes new memory if that is too small, or
// more than four times too large.
func buildOver(b *pack.Builder, m *Bitmap, layout pack.Layout) {
	s := b.LayOut(layout)
	size := standAlone(s.Size)
	switch had := cap(m.buf); {
	case had == 0 || had > 4*size:
		m.buf = make([]byte, 0, size)
	case had < size:
		m.buf = make([]byte, 0, size+size/8) // it grows: let it do so a few times
	}
	m.buf = m.buf[:0]
	buildIn(b, m, s)
	m.sound, m.writable = layout != pack.AsTheyAre, false
	if m.changes != nil {
		m.list = freeList{}
	}
}

// buildIn writes the set of the given shape to the bytes of m. They are empty and have room for it.
func buildIn(b *pack.Builder, m *Bitmap, s pack.Shape) {
	if s.Form == view.FormEmpty {
		m.buf, m.code, m.head = m.buf[:0], 0, 0
		return
	}
	m.buf = b.Write(pack.AppendEnvelope(m.buf, s.Size, 0), s)
	m.open()
}

// Pack rewrites the set with the layout given, without holes: the fewest bytes, or the fastest
// containers. The next change of a packed set makes room for changes again, at the cost of one
// copy.
func (b *Bitmap) Pack(layout pack.Layout) {
	builder := pack.BorrowBuilder()
	defer builder.Release()
	builder.AppendView(b.View())
	b.edits++
	BuildInto(builder, b, layout)
	b.noteMoved(uint64(len(b.buf)))
}

// Moved returns the number of bytes that changes have moved since the Bitmap was made: payloads
// that were shifted, re-encoded or moved elsewhere, directories, and whole bodies that were
// packed or compacted. It measures the work of changes, not the size of the set.
func (b *Bitmap) Moved() uint64 {
	if b.changes == nil {
		return 0
	}
	return b.moved
}
