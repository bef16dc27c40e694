// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package graph

import (
	"bytes"
	"errors"
	"io"
	"slices"
)

// EdgeBlock is a part of an edge list: some 64 KiB of its lines, read at once. It owns its memory,
// and is used again by the next Read into it. Not for concurrent use.
type EdgeBlock struct {
	// Keys are those of the follows: an account, its target, the next account, and so on.
	Keys [][]byte
	// Bad are the lines that are no follows, in their order.
	Bad []*LineError

	Lines     int64 // read from the list until the end of the block, of every kind
	BytesRead int64 // taken from the reader until then

	text []byte
}

const (
	// blockBytes is how much text makes a block.
	blockBytes = 64 << 10
	// uncommonLines is how many lines are looked at closely after one that is not of the common
	// form: others like it often follow.
	uncommonLines = 64
)

// Follows returns how many follows there are in the block.
func (b *EdgeBlock) Follows() int { return len(b.Keys) / 2 }

// ReadBlock reads the next follows into a block. It is what Follows yields, many at a time, and
// faster. At the end of the list it returns io.EOF and an empty block. Other errors are the ones
// that Follows ends with, and come with what was read before. The two may be mixed.
func (l *EdgeList) ReadBlock(b *EdgeBlock) error {
	b.Keys, b.Bad, b.text = b.Keys[:0], b.Bad[:0], slices.Grow(b.text[:0], 2*blockBytes)
	err := l.begin()
	for err == nil && len(b.text) < blockBytes && !l.enough(b) {
		closely := 1
		if l.readLines(b) == 0 {
			closely = uncommonLines
		}
		for ; err == nil && closely > 0 && !l.enough(b); closely-- {
			err = l.readLine(b)
		}
	}
	b.Lines, b.BytesRead = l.line, l.raw.Count()
	if err == io.EOF && len(b.text) > 0 {
		err = nil // the next call returns it
	}
	return err
}

// enough reports whether a block is to end because of a bad line.
func (l *EdgeList) enough(b *EdgeBlock) bool { return l.untilBad && len(b.Bad) > 0 }

// readLine reads one line, whatever it is.
func (l *EdgeList) readLine(b *EdgeBlock) error {
	f, ok, err := l.follow()
	var bad *LineError
	switch {
	case ok:
		b.text = append(append(b.text, f.Account...), f.Target...)
		at := len(b.text) - len(f.Target)
		b.Keys = append(b.Keys, b.text[at-len(f.Account):at:at], b.text[at:])
	case err == io.EOF:
		return err
	case errors.As(err, &bad) && err == error(bad):
		b.Bad = append(b.Bad, bad)
		b.text = append(b.text, bad.Text...) // so that a block of bad lines alone comes to an end
	case err != nil:
		return l.failure(err)
	}
	return nil
}

// readLines reads the whole lines that are buffered, as far as they are of the common form: two
// columns, one byte between them, and nothing in quotes; or objects of strings without escapes. It
// returns how many bytes they have.
func (l *EdgeList) readLines(b *EdgeBlock) int {
	if l.columns != 2 || l.opts.Header != NoHeader || l.separator == Spaces {
		return 0
	}
	if _, err := l.in.Peek(1); err != nil {
		return 0 // readLine meets it again
	}
	lines, _ := l.in.Peek(l.in.Buffered()) // which are there
	lines = lines[:min(len(lines), blockBytes)]
	lines = lines[:bytes.LastIndexByte(lines, l.end)+1]
	start := len(b.text)
	b.text = append(b.text, lines...)
	lines = b.text[start:]
	read := 0
	for read < len(lines) {
		end := read + bytes.IndexByte(lines[read:], l.end)
		line := bytes.TrimSuffix(lines[read:end], []byte("\r"))
		account, target, ok := l.plainLine(line)
		if !ok {
			break // to be looked at more closely
		}
		b.Keys = append(b.Keys, account, target)
		read = end + 1
		l.line++
	}
	_, _ = l.in.Discard(read) // which are buffered
	b.text = b.text[:start+read]
	return read
}

// plainLine returns the keys of a line of the common form; ok is false for every other line.
func (l *EdgeList) plainLine(line []byte) (account, target []byte, ok bool) {
	if l.separator == Objects {
		return l.plainObject(line)
	}
	between := bytes.IndexByte(line, byte(l.separator))
	if between < 0 || !isPlainKey(line[:between]) || !isPlainKey(line[between+1:]) || line[0] == '#' {
		return nil, nil, false
	}
	account, target = line[:between:between], line[between+1:]
	if l.account > l.target {
		account, target = target, account
	}
	return account, target, true
}

// isPlainKey reports whether a column is an account's key of printable ASCII without quotes, spaces
// and separators.
func isPlainKey(column []byte) bool {
	if len(column) == 0 || len(column) > MaxAccount {
		return false
	}
	for _, c := range column {
		if !plainBytes[c] {
			return false
		}
	}
	return true
}

// plainBytes are the bytes that need no closer look, wherever they stand.
var plainBytes = func() (plain [256]bool) {
	for c := '!'; c < 0x7f; c++ {
		plain[c] = c != '"' && c != ',' && c != ';' && c != '|'
	}
	return plain
}()
