// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package wire

import (
	"errors"
	"strconv"
)

// ErrTooLong says that replies have become longer than their bound.
var ErrTooLong = errors.New("wire: the replies are longer than their bound")

// Writer gathers replies. Not safe for concurrent use.
type Writer struct {
	Three bool // the client speaks version 3

	// Send, if set, is given what has gathered whenever that is more than SendAt. Without it the
	// replies stay in memory, MaxHeld at most.
	Send func(replies []byte) error

	// Grow, if set, is asked before replies that stay in memory take more than SendAt, and is given
	// back by Release.
	Grow func(bytes int) error

	buf     []byte
	granted int   // bytes
	sent    int64 // bytes that were given to Send
	err     error
	full    int // bytes that were kept when err came
}

// SendAt is how many bytes are sent together, and MaxHeld how many are kept at most.
const (
	SendAt  = 64 << 10
	MaxHeld = 64 << 20
)

// Bytes returns what has gathered.
func (w *Writer) Bytes() []byte { return w.buf }

// Len returns how many bytes have gathered.
func (w *Writer) Len() int { return len(w.buf) }

// Sent returns how many bytes Send was given.
func (w *Writer) Sent() int64 { return w.sent }

// Truncate forgets all but the first bytes, and the error. Bytes that were sent meanwhile stay so.
func (w *Writer) Truncate(n int) {
	w.buf = w.buf[:min(n, len(w.buf))]
	if w.err != nil && w.Grow != nil {
		w.buf = append(make([]byte, 0, len(w.buf)), w.buf...) // without the room that was refused
	}
	w.err = nil
}

// Raw appends replies that another Writer has gathered.
func (w *Writer) Raw(replies []byte) {
	if w.Send != nil && len(replies) >= SendAt && w.Flush() == nil {
		w.err, w.sent = w.Send(replies), w.sent+int64(len(replies)) // without a copy
		return
	}
	w.buf = append(w.buf, replies...)
	w.check()
}

// Release forgets all replies, and gives back what Grow has granted.
func (w *Writer) Release() {
	if w.granted > 0 {
		_ = w.Grow(-w.granted)
	}
	w.buf, w.granted, w.err = nil, 0, nil
}

// Flush sends what has gathered. It returns the first error of sending, or ErrTooLong.
func (w *Writer) Flush() error {
	if w.Send != nil && len(w.buf) > 0 && w.err == nil {
		w.err, w.sent = w.Send(w.buf), w.sent+int64(len(w.buf))
		if w.buf = w.buf[:0]; cap(w.buf) > 4*SendAt {
			w.buf = nil
		}
	}
	return w.err
}

// Err returns the first error of sending, or ErrTooLong.
func (w *Writer) Err() error { return w.err }

func (w *Writer) check() {
	switch {
	case w.Send == nil && w.err != nil:
		w.buf = w.buf[:w.full]
	case len(w.buf) < SendAt:
	case w.Send != nil:
		_ = w.Flush() // kept for the next one who asks
		w.buf = w.buf[:0]
	case len(w.buf) > MaxHeld:
		w.fail(ErrTooLong)
	case w.Grow != nil && cap(w.buf) > w.granted:
		if err := w.Grow(cap(w.buf) - w.granted); err != nil {
			w.fail(err)
		} else {
			w.granted = cap(w.buf)
		}
	}
}

// fail keeps what was there: replies to the commands before may be among it.
func (w *Writer) fail(err error) {
	w.err, w.full = err, min(len(w.buf), MaxHeld)
	w.buf = w.buf[:w.full]
}

func (w *Writer) head(kind byte, n int64) {
	w.buf = append(strconv.AppendInt(append(w.buf, kind), n, 10), '\r', '\n')
	w.check()
}

// line appends one line. A reply cannot have more.
func (w *Writer) line(kind byte, text string) {
	from := len(w.buf)
	w.buf = append(append(w.buf, kind), text...)
	for i, c := range w.buf[from:] {
		if c == '\r' || c == '\n' {
			w.buf[from+i] = ' '
		}
	}
	w.buf = append(w.buf, '\r', '\n')
	w.check()
}

// Status replies with a word.
func (w *Writer) Status(text string) { w.line('+', text) }

// Error replies with an error, whose text begins with its code.
func (w *Writer) Error(text string) { w.line('-', text) }

// Int replies with a number.
func (w *Writer) Int(n int64) { w.head(':', n) }

// Bool replies with 1 or 0.
func (w *Writer) Bool(yes bool) {
	n := int64(0)
	if yes {
		n = 1
	}
	w.Int(n)
}

// Array begins an array.
func (w *Writer) Array(n int) { w.head('*', int64(n)) }

// Set begins a set, which version 2 has as an array.
func (w *Writer) Set(n int) { w.either('~', n, n) }

// Map begins a map, which version 2 has as an array of keys and values.
func (w *Writer) Map(n int) { w.either('%', n, 2*n) }

// either begins something of version 3, or an array.
func (w *Writer) either(kind byte, n, array int) {
	if !w.Three {
		kind, n = '*', array
	}
	w.head(kind, int64(n))
}

// Bulk replies with bytes.
func (w *Writer) Bulk(text []byte) {
	w.buf = append(strconv.AppendInt(append(w.buf, '$'), int64(len(text)), 10), '\r', '\n')
	w.buf = append(append(w.buf, text...), '\r', '\n')
	w.check()
}

// Text is Bulk of a string.
func (w *Writer) Text(text string) { w.Bulk([]byte(text)) }

// Verbatim replies with a text for people.
func (w *Writer) Verbatim(text string) {
	if w.Three {
		w.head('=', int64(len(text)+len("txt:")))
		w.buf = append(append(w.buf, "txt:"+text...), '\r', '\n')
		return
	}
	w.Text(text)
}

// Null replies that there is none.
func (w *Writer) Null() { w.null("$-1\r\n") }

// NullArray replies that there is no array.
func (w *Writer) NullArray() { w.null("*-1\r\n") }

func (w *Writer) null(two string) {
	if w.Three {
		two = "_\r\n"
	}
	w.buf = append(w.buf, two...)
	w.check()
}
