// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package roaring

import (
	"strings"
	"unsafe"

	"github.com/uproar-db/uproar/internal/roaring/container"
	"github.com/uproar-db/uproar/internal/roaring/kernel"
)

// fresh returns n bytes, at least one, that whoever asks for them is going to write, every one of
// them: they have not been cleared, which would cost as much as writing them.
//
// Of what the standard library exports, only a strings.Builder allocates such memory and lets it be
// filled in part. It is not used again, nor is its string.
func fresh(n int) []byte {
	var b strings.Builder
	b.Grow(n)
	b.WriteByte(0)
	return unsafe.Slice(unsafe.StringData(b.String()), n)
}

// stride is the number of bytes that are asked for at a time before they are written: see
// kernel.Prefetch.
const stride = 1024

// filling writes fresh memory from its start to its end.
type filling struct {
	dst   []byte
	at    int // bytes written
	asked int // bytes asked for
}

// ask asks for the next n bytes and a stride beyond.
func (f *filling) ask(n int) {
	for end := min(f.at+n+stride, len(f.dst)); f.asked < end; {
		from := f.asked
		f.asked = min(from+stride, len(f.dst))
		kernel.Prefetch(f.dst[from:f.asked])
	}
}

// write writes a copy of p.
func (f *filling) write(p []byte) {
	for len(p) > 0 {
		n := min(len(p), stride)
		f.ask(n)
		copy(f.dst[f.at:], p[:n])
		f.at += n
		p = p[n:]
	}
}

// words returns the next 8 192 bytes, which the caller must write.
func (f *filling) words() *kernel.Words {
	f.ask(container.MaxPayload)
	f.at += container.MaxPayload
	return (*kernel.Words)(f.dst[f.at-container.MaxPayload:])
}
