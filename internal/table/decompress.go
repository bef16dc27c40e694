// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package table

import (
	"bufio"
	"compress/bzip2"
	"compress/gzip"
	"io"
	"sync/atomic"

	"github.com/klauspost/compress/zstd"
)

const (
	// bufferBytes is how much Decompress buffers: a sample and the end of a line.
	bufferBytes = sampleBytes + 2
	// maxWindow is how much memory a zstd frame may ask for: what the zstd command takes.
	maxWindow = 128 << 20
)

// Counter counts the bytes that are read through it: compressed ones, below [Decompress].
type Counter struct {
	r io.Reader
	n atomic.Int64
}

// NewCounter returns a counter of what is read from r.
func NewCounter(r io.Reader) *Counter { return &Counter{r: r} }

// Read implements io.Reader.
func (c *Counter) Read(p []byte) (int, error) {
	n, err := c.r.Read(p)
	c.n.Add(int64(n))
	return n, err
}

// Count returns how many bytes were read. Any goroutine may call it.
func (c *Counter) Count() int64 { return c.n.Load() }

// compressions are what is decompressed, by its first bytes; ? stands for any byte.
var compressions = []struct {
	magic, method string
	open          func(io.Reader) (io.Reader, error)
}{
	{"\x1f\x8b", "gzip", func(r io.Reader) (io.Reader, error) { return gzip.NewReader(r) }},
	{"\x28\xb5\x2f\xfd", "zstd", openZstd},
	{"?\x2a\x4d\x18", "zstd", openZstd}, // frames to be skipped come first, as pzstd writes it
	{"BZh?1AY&SY", "bzip2", func(r io.Reader) (io.Reader, error) { return bzip2.NewReader(r), nil }},
}

func openZstd(r io.Reader) (io.Reader, error) {
	// One goroutine, the caller's: there is nothing to close.
	return zstd.NewReader(r,
		zstd.WithDecoderConcurrency(1), zstd.WithDecoderLowmem(true), zstd.WithDecoderMaxWindow(maxWindow))
}

// Decompress returns the text of r: plain, or compressed with gzip (also of several members), zstd
// or bzip2, whatever its name. r is read ahead. Reading returns a [*DamageError] for compressed
// data that is damaged or cut short, and every error of r as it is.
func Decompress(r io.Reader) (io.Reader, error) {
	source := &failing{r: r}
	in := bufio.NewReaderSize(source, bufferBytes)
	head, err := in.Peek(10)
	if err != nil && err != io.EOF && len(head) == 0 {
		return nil, err
	}
	for _, c := range compressions[:2] { // the first bytes of which no table consists
		if len(head) > 0 && len(head) < len(c.magic) && hasMagic(head, c.magic[:len(head)]) {
			return nil, (&decompressing{nil, source, c.method}).failure(io.ErrUnexpectedEOF)
		}
	}
	for _, c := range compressions {
		if !hasMagic(head, c.magic) || c.magic[0] == '?' && head[0]&0xf0 != 0x50 {
			continue
		}
		text, err := c.open(in)
		d := &decompressing{text, source, c.method}
		return d, d.failure(err)
	}
	return in, nil
}

// hasMagic reports whether data begins with magic. A ? in it stands for any byte.
func hasMagic(data []byte, magic string) bool {
	if len(data) < len(magic) {
		return false
	}
	for i := range len(magic) {
		if magic[i] != '?' && magic[i] != data[i] {
			return false
		}
	}
	return true
}

// failing is a reader that remembers its error.
type failing struct {
	r   io.Reader
	err error
}

func (f *failing) Read(p []byte) (n int, err error) {
	n, err = f.r.Read(p)
	if err != io.EOF {
		f.err = err
	}
	return n, err
}

// decompressing is a reader whose errors say whether the source or its bytes are to blame.
type decompressing struct {
	text   io.Reader
	source *failing
	method string
}

func (d *decompressing) Read(p []byte) (int, error) {
	n, err := d.text.Read(p)
	if err != io.EOF {
		err = d.failure(err)
	}
	return n, err
}

func (d *decompressing) failure(err error) error {
	switch {
	case err == nil:
		return nil
	case d.source.err != nil:
		return d.source.err
	}
	return &DamageError{d.method, err}
}
