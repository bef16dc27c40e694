// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package table

import (
	"fmt"
	"strings"
)

// LineError is about a line that is no row. Reading goes on behind it.
type LineError struct {
	Line int64 // from 1
	Err  error
}

// Error returns the number of the line and what is wrong with it.
func (e *LineError) Error() string { return fmt.Sprintf("line %d: %v", e.Line, e.Err) }

// Unwrap returns what is wrong with the line.
func (e *LineError) Unwrap() error { return e.Err }

// FormatError says that a file is something else than the text that was wanted.
type FormatError struct {
	Is  string // what it is, such as "a zip archive"
	Try string // what to do, such as "unpack it first"
}

// Error says what the file is and what to do.
func (e *FormatError) Error() string { return fmt.Sprintf("it is %s; %s", e.Is, e.Try) }

// DamageError says that compressed data cannot be decompressed to its end.
type DamageError struct {
	Method string // such as "gzip"
	Err    error  // the decompressor's; io.ErrUnexpectedEOF for data that is cut short
}

// Error returns the method and what it met.
func (e *DamageError) Error() string {
	return fmt.Sprintf("the %s data is damaged or cut short: %v", e.Method, e.Err)
}

// Unwrap returns the error of the decompressor.
func (e *DamageError) Unwrap() error { return e.Err }

// QuoteError is about a quote after which rows can no longer be told apart.
type QuoteError struct {
	Line int64  // where the quote began
	What string // what became of it
}

// Error names the line where the quote began.
func (e *QuoteError) Error() string {
	return fmt.Sprintf("line %d: a quote begins here that %s; want it closed at the end of its value, "+
		"and quotes within a value doubled", e.Line, e.What)
}

// ColumnError is about columns that are wanted and cannot be found.
type ColumnError struct {
	Missing   []string // that the header has not
	Repeated  []string // that it has several times
	Header    []string // all columns
	Separator Separator
	Ambiguous bool // the header has several characters that may be the separator
}

// Error names the columns, and says how to get at them.
func (e *ColumnError) Error() string {
	var text strings.Builder
	for i, name := range e.Repeated {
		if i > 0 {
			text.WriteString("; ")
		}
		fmt.Fprintf(&text, "got the column %q more than once, want it once: rename the others", name)
	}
	for i, name := range e.Missing {
		switch {
		case i > 0:
			text.WriteString(" and ")
		case len(e.Repeated) > 0:
			text.WriteString("; ")
			fallthrough
		default:
			text.WriteString("got ")
		}
		fmt.Fprintf(&text, "no column %q", name)
	}
	if len(e.Missing) == 0 {
		return text.String()
	}
	fmt.Fprintf(&text, ", want it in %q", e.Header)
	if e.Ambiguous || len(e.Header) == 1 {
		fmt.Fprintf(&text, "; columns were separated by %s: if that is wrong, name the separator", e.Separator)
	}
	return text.String()
}
