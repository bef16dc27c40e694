// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package dump

import "io"

// FirstBlock returns the head of a backup, and the body of the first block after it.
func FirstBlock(r io.Reader) (*Head, []byte, error) {
	b, err := NewReader(r)
	if err != nil {
		return nil, nil, err
	}
	_, body, err := b.block()
	return b.Head, body, err
}

// WriteBlock writes a backup of one block of entries, whatever its body is.
func WriteBlock(to io.Writer, head *Head, body []byte) error {
	w, err := NewWriter(to, ID{}, head)
	if err != nil {
		return err
	}
	w.block = append(w.block, body...)
	if err := w.flush(); err != nil {
		return err
	}
	// so that the count at the end is right where there is one
	for rest := body; len(rest) >= entryHeadLen; w.entries++ {
		n := entryHeadLen + int(rest[0]) + int(rest[1])<<8 + int(rest[2]) + int(rest[3])<<8 + int(rest[4])<<16
		rest = rest[min(n, len(rest)):]
	}
	return w.end()
}
