// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package bitmap

// View is a set over bytes that someone else owns: a stand-alone bitmap ([Open]), the body of a posting list ([OpenBody]) or the bytes
// of a [Bitmap].
//
// It is a small value, made to be passed and kept by value; the zero value is the empty set. No read allocates. It may be used from any
// number of goroutines as long as nobody changes the bytes; it keeps them alive.
type View struct {
	// Three times 16 bytes, as which it is copied: with half of one more, the copy of a copy would read what two stores have written, which makes processors wait.

	body  []byte
	at    uint64 // solo: number of values; single: the value; compact: offset of the payloads; loose: offset of the directory
	count int    // containers; a solo or single form counts as one
	sum   uint32 // the checksum read, if flags say that there is one
	flags uint8  // second byte of the envelope, 0 if there was none
	form  uint8
	kw    uint8 // compact: bytes of a key; solo: low width
	ow    uint8 // compact: bytes of an end; solo: bytes of the header
}

// values returns the number of values of a solo form, 0 of any other.
func (v *View) values() int {
	if v.form != formSolo {
		return 0
	}
	return int(v.at)
}

// Body returns the bytes of the set without envelope, as they are: they belong to whoever owns the bytes of the View.
func (v View) Body() []byte { return v.body }

// IsEmpty reports whether the set has no values. It looks at the first container.
func (v View) IsEmpty() bool {
	_, ok := v.Min()
	return !ok
}
