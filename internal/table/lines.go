// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package table

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
)

// maxRow is how many bytes a row may have, with its line ends.
const maxRow = 16 << 20

// readBytes is how much is read at a time, at least half of it.
const readBytes = 256 << 10

var (
	errLong    = errors.New("long row") // there are more than maxRow bytes from the present place on
	errTooLong = fmt.Errorf("is longer than %d bytes", maxRow)
)

// lines is a window on a text. A row is taken only after it was looked at.
type lines struct {
	in   io.Reader
	end  byte  // of a line
	line int64 // lines that were taken
	err  error // of in, behind what is buffered

	buf  []byte
	r, w int // what is buffered and not taken
}

// newLines begins a text, compressed or not, as [Decompress] and [Begin] do. It returns what can be
// seen of it before anything is taken.
func newLines(r io.Reader) (l *lines, sample []byte, err error) {
	text, err := Decompress(r)
	if err != nil {
		return nil, nil, err
	}
	in := bufio.NewReaderSize(text, sampleBytes)
	end, err := Begin(in)
	if err != nil {
		return nil, nil, err
	}
	sample, _ = in.Peek(in.Buffered())
	return &lines{in: in, end: end}, bytes.Clone(sample), nil
}

// peek returns the line that begins some bytes after the present place, with its end. It is valid
// until the next call. Errors: io.EOF if there is none, errLong, or the reader's.
func (l *lines) peek(from int) ([]byte, error) {
	for seen := from; ; {
		if i := bytes.IndexByte(l.buf[l.r+seen:l.w], l.end); i >= 0 {
			return l.buf[l.r+from : l.r+seen+i+1], nil
		}
		seen = l.w - l.r
		switch {
		case l.err == io.EOF && seen > from:
			return l.buf[l.r+from : l.w], nil
		case l.err != nil:
			return nil, l.err
		case seen >= maxRow:
			return nil, errLong
		}
		l.fill()
	}
}

// fill reads more.
func (l *lines) fill() {
	if l.r > 0 {
		l.w = copy(l.buf, l.buf[l.r:l.w])
		l.r = 0
	}
	if len(l.buf)-l.w < readBytes/2 {
		grown := make([]byte, max(readBytes, 2*len(l.buf)))
		copy(grown, l.buf[:l.w])
		l.buf = grown
	}
	for range 100 {
		n, err := l.in.Read(l.buf[l.w:])
		l.w, l.err = l.w+n, err
		if n > 0 || err != nil {
			return
		}
	}
	l.err = io.ErrNoProgress
}

// take goes behind some lines that were peeked.
func (l *lines) take(bytes int, lines int64) {
	l.r += bytes
	l.line += lines
}

// skip goes behind a line that is too long. Errors: the reader's; the end of the text is none.
func (l *lines) skip() error {
	l.line++
	for {
		if i := bytes.IndexByte(l.buf[l.r:l.w], l.end); i >= 0 {
			l.r += i + 1
			return nil
		}
		l.r, l.w = 0, 0
		if l.err == io.EOF {
			return nil
		}
		if l.err != nil {
			return l.err
		}
		l.fill()
	}
}
