// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

// Package plaintext reads what is imported: text, plain or compressed with gzip, which its first bytes tell, not its name. It counts bytes as they lie in the file, so that progress compares with the
// file's size.
package plaintext

import (
	"bufio"
	"compress/gzip"
	"io"
)

// buffer is how many bytes are read at a time.
const buffer = 256 << 10

// NewReader returns a reader of the plain text of r, which its first bytes tell. read is told how many bytes were taken from r each time, compressed ones if it is, so that they compare with the size of a
// file. Errors: those of r, and gzip's.
func NewReader(r io.Reader, read func(n int)) (io.Reader, error) {
	b := bufio.NewReaderSize(counting{r, read}, buffer)
	if head, _ := b.Peek(2); len(head) == 2 && head[0] == 0x1f && head[1] == 0x8b {
		return gzip.NewReader(b)
	}
	return b, nil
}

// counting is a reader that tells how much it reads.
type counting struct {
	r    io.Reader
	read func(n int)
}

// Read implements io.Reader.
func (c counting) Read(p []byte) (int, error) {
	n, err := c.r.Read(p)
	c.read(n)
	return n, err
}
