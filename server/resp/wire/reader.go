// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package wire

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"math"
	"strconv"
)

// Bounds of a request.
const (
	MaxArguments = 1 << 20  // of a command
	MaxBulk      = 16 << 20 // bytes of an argument
	MaxCommand   = 64 << 20 // bytes of a command
	MaxLine      = 64 << 10 // bytes of a line

	// What a client may send before it has shown a token.
	strangerArguments = 10
	strangerBulk      = 16 << 10
)

// SmallBytes is the room that each connection may have; what is beyond is asked for. It begins with
// firstBuffer: most connections wait.
const (
	SmallBytes  = 16 << 10
	firstBuffer = 1 << 10
	smallList   = 96 // arguments
)

// ProtocolError says that what arrived is no command. The connection cannot go on.
type ProtocolError struct{ Text string }

// Error returns the text after the words of Redis.
func (e *ProtocolError) Error() string { return "Protocol error: " + e.Text }

// errIncomplete says that a command has not arrived whole.
var errIncomplete = errors.New("wire: incomplete command")

// Reader reads commands. Not safe for concurrent use.
type Reader struct {
	Most     int                   // bytes of a command; 0: MaxCommand
	Stranger bool                  // the client has not shown a token: commands must be small
	Grow     func(bytes int) error // asked before the buffer becomes larger; nil: any size is granted

	// Large, if set, is called before more of a command is read for which Grow was asked, with the
	// bytes that have arrived.
	Large func(bytes int)

	src  io.Reader
	buf  []byte
	at   int // what is before has been read
	args []part
	list [][]byte // room for the arguments of commands since Read
	// Where parsing goes on once more bytes have arrived: a large command is not parsed anew for
	// each part of it.
	parsed  int // bytes behind at
	missing int // arguments
}

// part is where an argument lies behind the beginning of its command.
type part struct{ from, to int }

// NewReader returns a reader of a connection.
func NewReader(src io.Reader) *Reader { return &Reader{src: src, buf: make([]byte, 0, firstBuffer)} }

// Read returns the next command: at least one argument. It is valid until the next Read. Read waits
// for the client as long as src does. Errors: *ProtocolError, io.EOF between two commands, Grow's,
// or src's.
func (r *Reader) Read() ([][]byte, error) {
	if r.list = r.list[:0]; cap(r.list) > smallList {
		r.list = nil
	}
	for {
		command, err := r.next()
		if err != errIncomplete {
			return command, err
		}
		if err := r.fill(); err != nil {
			return nil, err
		}
	}
}

// Ready returns the next command if it has arrived whole, and nil otherwise. It is valid until the
// next Read.
func (r *Reader) Ready() ([][]byte, error) {
	command, err := r.next()
	if err == errIncomplete {
		err = nil
	}
	return command, err
}

// fill reads more bytes.
func (r *Reader) fill() error {
	if r.at > 0 {
		n := copy(r.buf, r.buf[r.at:])
		r.buf, r.at = r.buf[:n], 0
		if n == 0 && cap(r.buf) > SmallBytes {
			r.Close() // gives back what Grow has granted
			r.buf = make([]byte, 0, firstBuffer)
		}
	}
	if len(r.buf) == cap(r.buf) {
		if len(r.buf) >= r.most() {
			return r.tooBig()
		}
		more := min(cap(r.buf), r.most()-cap(r.buf))
		if cap(r.buf) < SmallBytes {
			more = SmallBytes - cap(r.buf)
		} else if r.Grow != nil {
			if err := r.Grow(more); err != nil {
				return err
			}
		}
		r.buf = append(make([]byte, 0, cap(r.buf)+more), r.buf...)
	}
	if r.Large != nil && cap(r.buf) > SmallBytes {
		r.Large(len(r.buf))
	}
	n, err := r.src.Read(r.buf[len(r.buf):cap(r.buf)])
	r.buf = r.buf[:len(r.buf)+n]
	switch {
	case n > 0:
		return nil
	case err == io.EOF && len(r.buf) > 0:
		return io.ErrUnexpectedEOF
	case err == nil:
		return io.ErrNoProgress
	}
	return err
}

func (r *Reader) most() int { return max(cmp.Or(r.Most, MaxCommand), SmallBytes) }

// tooBig is the error of a command with more bytes than it may have.
func (r *Reader) tooBig() error {
	return &ProtocolError{fmt.Sprintf("too big request: got more than %d bytes, want a command of at most as many", r.most())}
}

// Close gives back what Grow has granted.
func (r *Reader) Close() {
	if r.Grow != nil && cap(r.buf) > SmallBytes {
		_ = r.Grow(SmallBytes - cap(r.buf))
	}
	r.buf = nil
}

// next returns the next command of the buffer. Empty ones are passed over.
func (r *Reader) next() ([][]byte, error) {
	for {
		if r.at == len(r.buf) {
			return nil, errIncomplete
		}
		if r.buf[r.at] == '*' {
			command, err := r.array()
			if command != nil || err != nil {
				return command, err
			}
			continue
		}
		line, err := r.line(r.at, "too big inline request")
		if err != nil {
			return nil, err
		}
		words, err := Words(line)
		if err != nil {
			return nil, err
		}
		r.at += len(line) + 1
		if len(words) > 0 {
			return words, nil
		}
	}
}

// line returns the line that begins at a place of the buffer, without its LF.
func (r *Reader) line(at int, tooBig string) ([]byte, error) {
	n := bytes.IndexByte(r.buf[at:], '\n')
	if n > MaxLine || n < 0 && len(r.buf)-at > MaxLine {
		return nil, &ProtocolError{tooBig}
	}
	if n < 0 {
		return nil, errIncomplete
	}
	return r.buf[at : at+n], nil
}

// size returns the number that the line at a place has behind its first byte, and the length of the
// line. A stranger may send less.
func (r *Reader) size(at int, least, most, strange int64, kind, tooBig string) (n int64, length int, err error) {
	line, err := r.line(at, tooBig)
	if err != nil {
		return 0, 0, err
	}
	digits, ended := bytes.CutSuffix(line[1:], []byte{'\r'}) // without it Redis reads on
	n, ok := ParseInt(digits)
	switch {
	case !ok || !ended || n < least || n > most:
		return 0, 0, &ProtocolError{"invalid " + kind + " length"}
	case r.Stranger && n > strange:
		return 0, 0, &ProtocolError{"unauthenticated " + kind + " length"}
	}
	return n, len(line) + 1, nil
}

// array returns the array at the head of the buffer, in which it lies. One without arguments is
// passed over, and nil.
func (r *Reader) array() ([][]byte, error) {
	if r.parsed == 0 {
		n, length, err := r.size(r.at, math.MinInt64, MaxArguments, strangerArguments, "multibulk",
			"too big mbulk count string")
		if err != nil {
			return nil, err
		}
		if n <= 0 {
			r.at += length
			return nil, nil
		}
		r.parsed, r.missing, r.args = length, int(n), r.args[:0]
	}
	for ; r.missing > 0; r.missing-- {
		at := r.at + r.parsed
		if at == len(r.buf) {
			return nil, errIncomplete
		}
		if c := r.buf[at]; c != '$' {
			return nil, &ProtocolError{fmt.Sprintf("expected '$', got '%c'", c)}
		}
		n, length, err := r.size(at, 0, MaxBulk, strangerBulk, "bulk", "too big bulk count string")
		if err != nil {
			return nil, err
		}
		from := r.parsed + length
		end := from + int(n) + len("\r\n")
		if end > r.most() {
			return nil, r.tooBig()
		}
		if r.at+end > len(r.buf) {
			return nil, errIncomplete
		}
		r.args, r.parsed = append(r.args, part{from, from + int(n)}), end
	}
	first := len(r.list)
	for _, s := range r.args {
		r.list = append(r.list, r.buf[r.at+s.from:r.at+s.to:r.at+s.to])
	}
	r.at, r.parsed = r.at+r.parsed, 0
	if cap(r.args) > 1<<10 {
		r.args = nil
	}
	return r.list[first:len(r.list):len(r.list)], nil
}

// ParseInt returns the number that a text is, as Redis writes it: no sign but -, no zero ahead, no
// space.
func ParseInt(text []byte) (int64, bool) {
	digits := bytes.TrimPrefix(text, []byte{'-'})
	if len(digits) == 0 || len(digits) > 19 || len(text) > 1 && digits[0] < '1' { // a zero, or a +
		return 0, false
	}
	n, err := strconv.ParseInt(string(text), 10, 64)
	return n, err == nil
}
