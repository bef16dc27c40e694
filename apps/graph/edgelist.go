// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package graph

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"iter"
	"slices"
	"strings"

	"github.com/uproar-db/uproar/internal/table"
)

// MaxLine is the largest length of a line of an edge list, in bytes without its
// end. Longer ones are bad lines, and are never held in memory.
const MaxLine = 64 << 10

// Separator is what stands between the columns of an edge list.
type Separator byte

// The separators. Spaces means any run of spaces and tabs; Objects means that there are no columns:
// each line is a JSON object (NDJSON).
const (
	Detect    Separator = 0 // the one that most lines of the first 64 KiB agree on
	Comma     Separator = ','
	Semicolon Separator = ';'
	Tab       Separator = '\t'
	Pipe      Separator = '|'
	Spaces    Separator = ' '
	Objects   Separator = '{'
)

// String returns the separator's name.
func (s Separator) String() string {
	switch s {
	case Detect:
		return "detected"
	case Comma:
		return "comma"
	case Semicolon:
		return "semicolon"
	case Tab:
		return "tab"
	case Pipe:
		return "pipe"
	case Spaces:
		return "spaces"
	case Objects:
		return "json"
	}
	return fmt.Sprintf("separator %q", byte(s))
}

// HeaderUse says whether the first line of an edge list, comments apart, names
// the columns.
type HeaderUse byte

// The uses of a header.
const (
	DetectHeader HeaderUse = iota // found out by its names and by what follows; ErrHeader, where it may be either
	WithHeader                    // it does, whatever its names
	NoHeader                      // it is a follow
)

// EdgeListOptions describes an edge list. nil and the zero value mean that
// everything is detected.
type EdgeListOptions struct {
	Separator Separator
	Header    HeaderUse
	Keys      bool // with keys of records: in a column rkey; without a header, between account and target
}

// LineError is about a line that is no follow. It does not stop the reading.
type LineError struct {
	Line int64  // from 1; comments, empty lines and the header count
	Text string // the line, cut if long
	Err  error  // what is wrong with it, such as an *InvalidAccountError
}

// Error returns the line's number, its text and what is wrong.
func (e *LineError) Error() string {
	return fmt.Sprintf("graph: line %d: %s: %s", e.Line, shown(e.Text), strings.TrimPrefix(e.Err.Error(), "graph: "))
}

// Unwrap returns what is wrong with the line.
func (e *LineError) Unwrap() error { return e.Err }

// ErrLineTooLong is in the LineError of a line of more than MaxLine bytes.
var ErrLineTooLong = fmt.Errorf("graph: line is longer than %d bytes", MaxLine)

// EdgeList reads follows from a text with one follow a line, as a stream: it
// holds one line and two buffers of 64 KiB, however long the text is.
//
// Columns are separated by commas, semicolons, tabs, pipes or spaces. The account stands in the
// first and its target in the second, unless a header says otherwise; what stands in further
// columns is ignored, but every line must have as many as most of the first ones. White space
// around a column is not part of it, unless it stands in quotes, as RFC 4180 has them between
// commas, semicolons, pipes and tabs; a column does not reach over the end of its line. Lines that
// begin with # and empty lines are skipped, and those with % before the first follow; of Matrix
// Market the line of the size too. A text whose first line begins with { is NDJSON: each line is an
// object, whose members have the names that headers have, and may be more. Lines end with LF, CRLF
// or CR, the text may begin with a byte order mark, and may be compressed with gzip, zstd or bzip2:
// that is seen from its first bytes.
//
// Not safe for concurrent use.
type EdgeList struct {
	raw      *table.Counter
	ahead    func(io.Reader) io.Reader // reads the text in another goroutine; nil: nobody does
	opts     EdgeListOptions
	started  bool
	untilBad bool // blocks end at a bad line
	in       *bufio.Reader
	end      byte // of a line: '\n', which a '\r' may stand before, or '\r'
	line     int64

	separator Separator
	columns   int            // that each line has; 0 until the first is read
	roles     map[string]int // of members, by their names
	sample    []string       // lines after the first, until that is parsed
	sized     bool           // the next line that is no comment has the size of a matrix
	account   int            // the column of the account, from 0
	target    int
	key       int    // of the record's key, of a list with keys
	recordKey string // of the follow that was read last
	header    string
	fields    []string // of the present line

	quoted  table.Line    // takes lines with quotes apart
	objects table.Objects // takes lines apart that are JSON
}

// NewEdgeList returns the edge list in r. Nothing is read yet. r is read ahead,
// and belongs to the list.
func NewEdgeList(r io.Reader, opts *EdgeListOptions) *EdgeList {
	l := &EdgeList{raw: table.NewCounter(r)}
	if opts != nil {
		l.opts = *opts
	}
	return l
}

// Follows yields the follows in their order. For each bad line it yields a *LineError instead, and
// goes on. Any other error is the reader's, or about the text as a whole, and is the last that it
// yields. The strings of a follow share the memory of their line. Follows continues where an
// earlier call stopped.
func (l *EdgeList) Follows() iter.Seq2[Follow, error] {
	return func(yield func(Follow, error) bool) {
		if err := l.begin(); err != nil {
			yield(Follow{}, err)
			return
		}
		for {
			f, ok, err := l.follow()
			_, bad := err.(*LineError)
			switch {
			case err == io.EOF: // a reader's error that wraps it is not the end
				return
			case err != nil && !bad:
				yield(Follow{}, l.failure(err))
				return
			case (ok || bad) && !yield(f, err):
				return
			}
		}
	}
}

// begin finds out what the text is, the first time that it is called.
func (l *EdgeList) begin() error {
	if l.started {
		return nil
	}
	l.started = true
	return l.start()
}

// follow reads one line, and reports whether it is a follow. The error is a
// *LineError, io.EOF at the end, or the reader's.
func (l *EdgeList) follow() (f Follow, ok bool, err error) {
	text, err := l.next()
	if err != nil || skipped(text) {
		return Follow{}, false, err
	}
	if l.columns == 0 {
		if l.preamble(text) {
			return Follow{}, false, nil
		}
		if text, err = l.detect(text); err != nil {
			return Follow{}, false, err
		}
	}
	return l.parse(text)
}

// Lines returns how many lines have been read, of every kind.
func (l *EdgeList) Lines() int64 { return l.line }

// BytesRead returns how many bytes have been taken from the reader: compressed
// ones, if it is compressed, and some that are only buffered.
func (l *EdgeList) BytesRead() int64 { return l.raw.Count() }

// Separator returns the separator in use, Detect before the first follow was
// read.
func (l *EdgeList) Separator() Separator { return l.separator }

// Header returns the line that was taken for a header, or "".
func (l *EdgeList) Header() string { return l.header }

// next returns the next line without its end. It is valid until the next call.
func (l *EdgeList) next() ([]byte, error) {
	text, err := l.in.ReadSlice(l.end)
	if len(text) == 0 && err != nil {
		return nil, err
	}
	l.line++
	long := errors.Is(err, bufio.ErrBufferFull)
	if err != nil && !long && err != io.EOF {
		return nil, err
	}
	text = bytes.TrimSuffix(text, []byte{l.end})
	text = bytes.TrimSuffix(text, []byte("\r"))
	if !long && len(text) <= MaxLine {
		return text, nil
	}
	comment := skipped(text)
	bad := &LineError{l.line, string(text[:maxShown+1]), ErrLineTooLong}
	for errors.Is(err, bufio.ErrBufferFull) {
		_, err = l.in.ReadSlice(l.end)
	}
	if err != nil && err != io.EOF {
		return nil, err
	}
	if comment {
		return nil, nil
	}
	return nil, bad
}

// skipped reports whether a line is a comment or empty.
func skipped(text []byte) bool {
	text = bytes.TrimLeft(text, " \t")
	return len(text) == 0 || text[0] == '#'
}

// parse reads the follow of a line, and reports whether it is one and not the
// header.
func (l *EdgeList) parse(text []byte) (f Follow, ok bool, err error) {
	bad := func(err error) (Follow, bool, error) {
		return Follow{}, false, &LineError{l.line, string(text[:min(len(text), maxShown+1)]), err}
	}
	use, others := l.opts.Header, l.sample
	l.opts.Header, l.sample = NoHeader, nil // only the first line can be one
	if l.separator == Objects {
		if f, err = l.parseObject(text); err == nil {
			err = l.check(f)
		}
		if err != nil {
			return bad(err)
		}
		return f, true, nil
	}
	fields, err := l.split(string(text))
	if err != nil {
		return bad(err)
	}
	if use != NoHeader {
		fields = slices.Clone(fields) // which looking at others overwrites
		header, err := l.takeHeader(use, fields, others)
		if header {
			l.header = string(text)
		}
		if header || err != nil {
			return Follow{}, false, err
		}
	}
	if len(fields) != l.columns {
		return bad(fmt.Errorf("want %d columns separated by %s, got %d", l.columns, l.separator, len(fields)))
	}
	f = Follow{fields[l.account], fields[l.target]}
	if l.opts.Keys {
		l.recordKey = fields[l.key]
	}
	if err := l.check(f); err != nil {
		return bad(err)
	}
	return f, true, nil
}

// check returns what is wrong with a follow, and with the key of its record.
func (l *EdgeList) check(f Follow) error {
	if _, err := f.check(); err != nil || !l.opts.Keys {
		return err
	}
	return CheckKey(l.recordKey)
}

// split returns the columns of a line. They are valid until the next call.
func (l *EdgeList) split(text string) ([]string, error) {
	l.fields = l.fields[:0]
	switch l.separator {
	case Spaces:
		for field := range strings.FieldsFuncSeq(text, isBlank) {
			l.fields = append(l.fields, field)
		}
		return l.fields, nil
	case Comma, Semicolon, Pipe, Tab:
		if strings.IndexByte(text, '"') >= 0 {
			return l.quoted.Split(text, byte(l.separator))
		}
	}
	for field := range strings.SplitSeq(text, string(rune(l.separator))) {
		l.fields = append(l.fields, strings.TrimSpace(field))
	}
	return l.fields, nil
}

func isBlank(r rune) bool { return r == ' ' || r == '\t' }
