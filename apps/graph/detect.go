// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package graph

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"sync/atomic"
)

// How much of a text is looked at when its first line is read.
const (
	magicBytes  = 16
	sampleBytes = MaxLine
	sampleLines = 200
)

// ErrEncoding is in the error about a text that is compressed or encoded in a
// way that is not read: zip, zstd, xz, bzip2, UTF-16.
var ErrEncoding = errors.New("graph: edge list is not text or gzip")

// foreign are the first bytes, ? for any, of what is often handed in for a text.
var foreign = []struct{ magic, name, advice string }{
	{"PK\x03\x04", "a zip archive", "unpack it first"},
	{"\x28\xb5\x2f\xfd", "compressed with zstd", "decompress it first: zstd -dc"},
	{"\xfd7zXZ\x00", "compressed with xz", "decompress it first: xz -dc"},
	{"BZh?1AY&SY", "compressed with bzip2", "decompress it first: bzip2 -dc"},
	{"\xff\xfe", "in UTF-16", "convert it first: iconv -f utf-16 -t utf-8"},
	{"\xfe\xff", "in UTF-16", "convert it first: iconv -f utf-16 -t utf-8"},
}

const byteOrderMark = "\ufeff"

// counter counts what is read through it.
type counter struct {
	r io.Reader
	n atomic.Int64
}

func (c *counter) Read(p []byte) (int, error) {
	n, err := c.r.Read(p)
	c.n.Add(int64(n))
	return n, err
}

// start finds out what the text is: its compression and encoding.
func (l *EdgeList) start() error {
	// Two bytes more than a line, for its end.
	l.in = bufio.NewReaderSize(&l.raw, MaxLine+2)
	text := io.Reader(l.in)
	if magic, _ := l.in.Peek(2); string(magic) == "\x1f\x8b" {
		unzip, err := gzip.NewReader(l.in)
		if err != nil {
			return fmt.Errorf("graph: reading gzip: %w", err)
		}
		text = unzip
	}
	if l.ahead != nil {
		text = l.ahead(text)
	}
	if text != io.Reader(l.in) {
		l.in = bufio.NewReaderSize(text, MaxLine+2)
	}
	head, err := l.in.Peek(magicBytes)
	if err != nil && err != io.EOF {
		return fmt.Errorf("graph: reading the first line: %w", err)
	}
	for _, f := range foreign {
		if hasMagic(head, f.magic) {
			return fmt.Errorf("%w: it is %s; %s", ErrEncoding, f.name, f.advice)
		}
	}
	if bytes.HasPrefix(head, []byte(byteOrderMark)) {
		_, _ = l.in.Discard(len(byteOrderMark)) // which are buffered
	}
	return nil
}

func hasMagic(sample []byte, magic string) bool {
	if len(sample) < len(magic) {
		return false
	}
	for i := range len(magic) {
		if magic[i] != '?' && magic[i] != sample[i] {
			return false
		}
	}
	return true
}

// detect chooses the separator into which most lines of a sample, the first line
// and what follows it, split alike, with at least two columns; and how many
// columns that are. In doubt the rarer character within a name wins: tab before
// comma before space. It returns the first line, whose memory may have moved.
func (l *EdgeList) detect(first []byte) ([]byte, error) {
	first = bytes.Clone(first)
	if l.opts.Separator == Objects || l.opts.Separator == Detect && isObject(first) {
		l.separator, l.columns = Objects, 2
		return first, nil
	}
	lines := []string{string(first)}
	sample, err := l.in.Peek(sampleBytes)
	if err != nil && err != io.EOF {
		return nil, err
	}
	for text := range bytes.Lines(sample) {
		whole := err != nil || bytes.HasSuffix(text, []byte("\n"))
		if len(lines) == sampleLines || !whole {
			break
		}
		text = bytes.TrimRight(text, "\r\n")
		if !skipped(text) {
			lines = append(lines, string(text))
		}
	}
	candidates := []Separator{Tab, Comma, Spaces}
	if l.opts.Separator != Detect {
		candidates = []Separator{l.opts.Separator}
	}
	best, most := candidates[0], 0
	l.columns = 2
	for _, l.separator = range candidates {
		times := make(map[int]int)
		for _, text := range lines {
			if fields, err := l.split(text); err == nil && len(fields) >= 2 {
				times[len(fields)]++
			}
		}
		for columns, n := range times {
			if n > most || n == most && l.separator == best && columns < l.columns {
				best, most, l.columns = l.separator, n, columns
			}
		}
	}
	l.separator = best
	l.account, l.target = 0, 1
	l.sample = lines[1:]
	return first, nil
}
