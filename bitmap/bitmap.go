// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package bitmap

import "iter"

// Bitmap is a set that owns its bytes and changes in place on them: [Bitmap.Bytes] is a valid stand-alone bitmap at every moment.
//
// The zero value is the empty set, ready for use. A Bitmap may be read from any number of goroutines as long as nobody changes it; Views, blocks
// and bytes taken from it are valid until the next change. A copy of the struct (c := *b) shares its bytes: once one of the two is changed, the
// other must not be used any more. [Bitmap.Clone] makes a set of its own.
type Bitmap struct {
	buf   []byte // envelope and body
	view  View   // of buf
	at    uint64 // while it is writable: offset of its directory
	count int    // and the number of its containers
	moved uint64
	list  holeList
	found int // container that find found last

	sound    bool // the body has been written, or proved, by this package
	writable bool // the body is loose and has been made so by this Bitmap: see makeWritable
	revised  bool // a revision is under way
}

var emptyBytes = [...]byte{magic, version, 0}

// View returns the set as a View, which borrows its bytes until the next change.
func (b *Bitmap) View() View { return b.view }

// Bytes returns the stand-alone bytes of the set. They belong to the Bitmap and change with it.
func (b *Bitmap) Bytes() []byte {
	if b.buf == nil {
		return append([]byte(nil), emptyBytes[:]...)
	}
	return b.buf
}

// Clone returns a copy. It allocates the copy.
func (b *Bitmap) Clone() *Bitmap {
	c := b.view.Clone()
	c.sound = b.sound
	return c
}

// Clone returns a Bitmap with a copy of the bytes of the set. If they are not known to be valid, the first change of the copy looks at them.
func (v View) Clone() *Bitmap {
	if len(v.body) == 0 {
		return new(Bitmap)
	}
	b := newBitmap(standAlone(len(v.body)))
	b.buf = append(appendEnvelope(b.buf, len(v.body), 0), v.body...)
	b.open()
	return b
}

// open makes the view of buf, whose body has been opened before or written by this package.
func (b *Bitmap) open() {
	v, err := Open(b.buf)
	if err != nil {
		panic(err) // a defect of this package
	}
	b.view = v
}

// Bitmap returns the set as a Bitmap with the given layout. It stays in the builder.
func (b *Builder) Bitmap(layout Layout) *Bitmap {
	s := b.layOut(layout)
	m := newBitmap(standAlone(s.size))
	b.writeTo(m, s)
	m.sound = layout != asTheyAre
	return m
}

// briefBytes is the size of the largest stand-alone bytes that a new Bitmap has within itself. Larger ones are an allocation of their own: in one with the pointers of a Bitmap, the runtime would clear them
// first, which costs more than the other allocation.
const briefBytes = 392

// Bitmaps that lie together with their first bytes, in steps such that no more than the half of these is left.
type (
	brief40 struct {
		Bitmap
		room [40]byte
	}
	brief88 struct {
		Bitmap
		room [88]byte
	}
	brief200 struct {
		Bitmap
		room [200]byte
	}
	brief392 struct {
		Bitmap
		room [briefBytes]byte
	}
)

// newBitmap returns an empty set with room for stand-alone bytes of the given size. A small one costs one allocation.
func newBitmap(size int) *Bitmap {
	switch {
	case size == 0:
		return new(Bitmap)
	case size <= 40:
		b := new(brief40)
		b.buf = b.room[:0]
		return &b.Bitmap
	case size <= 88:
		b := new(brief88)
		b.buf = b.room[:0]
		return &b.Bitmap
	case size <= 200:
		b := new(brief200)
		b.buf = b.room[:0]
		return &b.Bitmap
	case size <= briefBytes:
		b := new(brief392)
		b.buf = b.room[:0]
		return &b.Bitmap
	}
	return &Bitmap{buf: make([]byte, 0, size)}
}

// standAlone returns the size of the stand-alone bytes of a body of n bytes.
func standAlone(n int) int { return 2 + 1<<envelopeWidth(n) + n }

// into replaces the set of m, in memory of its own.
func (b *Builder) into(m *Bitmap, layout Layout) {
	m.buf = nil
	b.over(m, layout)
}

// over replaces the set of m, in the memory that it has unless that is too small, or more than four times as large as need be.
func (b *Builder) over(m *Bitmap, layout Layout) {
	s := b.layOut(layout)
	size := standAlone(s.size)
	switch had := cap(m.buf); {
	case had == 0 || had > 4*size:
		m.buf = make([]byte, 0, size)
	case had < size:
		m.buf = make([]byte, 0, size+size/8) // it grows: let it do so a few times
	}
	m.buf = m.buf[:0]
	b.writeTo(m, s)
	m.sound, m.writable = layout != asTheyAre, false
	m.list = holeList{}
}

// writeTo writes the set of the given shape to the bytes of m, which have room for it and are empty.
func (b *Builder) writeTo(m *Bitmap, s shape) {
	if s.form == formEmpty {
		m.buf, m.view = nil, View{}
		return
	}
	m.buf = b.write(appendEnvelope(m.buf, s.size, 0), s)
	m.open()
}

// Pack rewrites the set with the layout given, without holes: the fewest bytes, or the fastest containers. The next change of a packed
// set makes room for changes again, at the cost of one copy.
func (b *Bitmap) Pack(layout Layout) {
	builder := borrowBuilder()
	defer builders.Put(builder)
	builder.appendView(b.view)
	builder.into(b, layout)
	b.moved += uint64(len(b.buf))
}

// appendView adds the values of a set.
func (b *Builder) appendView(v View) {
	c := v.Cursor(nil)
	for c.Next() {
		b.AppendBlock(c.Block())
	}
	c.release()
}

// Moved returns the number of bytes that changes have moved since the Bitmap was made: payloads that were shifted, re-encoded or moved to
// another room, directories, and whole bodies that were packed or squeezed. It measures the work of changes, not the size of the set.
func (b *Bitmap) Moved() uint64 { return b.moved }

// Len returns the number of values: see [View.Len].
func (b *Bitmap) Len() uint64 { return b.view.Len() }

// IsEmpty reports whether there are no values.
func (b *Bitmap) IsEmpty() bool { return b.view.IsEmpty() }

// Contains reports whether x is in the set.
func (b *Bitmap) Contains(x uint64) bool { return b.view.Contains(x) }

// Min returns the smallest value; ok is false if the set is empty.
func (b *Bitmap) Min() (x uint64, ok bool) { return b.view.Min() }

// Max returns the largest value; ok is false if the set is empty.
func (b *Bitmap) Max() (x uint64, ok bool) { return b.view.Max() }

// Rank returns the number of values ≤ x.
func (b *Bitmap) Rank(x uint64) uint64 { return b.view.Rank(x) }

// Select returns the i-th value, from 0; ok is false if there is none.
func (b *Bitmap) Select(i uint64) (x uint64, ok bool) { return b.view.Select(i) }

// All returns the values in ascending order. The set must not be changed meanwhile.
func (b *Bitmap) All() iter.Seq[uint64] { return b.view.All() }
