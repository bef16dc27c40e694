// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package pack

import (
	"strings"
	"unsafe"

	"github.com/uproar-db/uproar/internal/roaring/container"
	"github.com/uproar-db/uproar/internal/roaring/kernel/bitset"
	"github.com/uproar-db/uproar/internal/roaring/kernel/swar"
)

// Fresh returns n bytes, at least one, that are not cleared: the caller must write all of them.
// Clearing would cost as much as writing.
//
// In the standard library, only a strings.Builder allocates such memory and lets it be filled in
// part. The builder is not used again, nor is its string.
func Fresh(n int) []byte {
	var b strings.Builder
	b.Grow(n)
	b.WriteByte(0)
	return unsafe.Slice(unsafe.StringData(b.String()), n)
}

// stride is the number of bytes that are asked for at a time before they are written: see
// swar.Prefetch.
const stride = 1024

// Filling writes fresh memory from its start to its end.
type Filling struct {
	Dst   []byte
	At    int // bytes written
	asked int // bytes asked for
}

// ask asks for the next n bytes and a stride beyond.
func (f *Filling) ask(n int) {
	for end := min(f.At+n+stride, len(f.Dst)); f.asked < end; {
		from := f.asked
		f.asked = min(from+stride, len(f.Dst))
		swar.Prefetch(f.Dst[from:f.asked])
	}
}

// Write writes a copy of p.
func (f *Filling) Write(p []byte) {
	for len(p) > 0 {
		n := min(len(p), stride)
		f.ask(n)
		copy(f.Dst[f.At:], p[:n])
		f.At += n
		p = p[n:]
	}
}

// Words returns the next 8 192 bytes, which the caller must write.
func (f *Filling) Words() *bitset.Words {
	f.ask(container.MaxPayload)
	f.At += container.MaxPayload
	return (*bitset.Words)(f.Dst[f.At-container.MaxPayload:])
}
