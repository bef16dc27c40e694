// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package table

import (
	"fmt"
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
	return fmt.Sprintf("line %d: a quote begins here that %s; want it closed at the end of its value, and quotes within a value doubled", e.Line, e.What)
}

// ColumnError is about a column that is wanted and cannot be found.
type ColumnError struct {
	Name      string
	Times     int      // how often the header has it: 0, or 2 and more
	Header    []string // all columns
	Separator Separator
	Ambiguous bool // the header has several characters that may be the separator
}

// Error says what is wrong with the column, and how to get at it.
func (e *ColumnError) Error() string {
	if e.Times > 1 {
		return fmt.Sprintf("got %d columns %q, want one: rename the others", e.Times, e.Name)
	}
	text := fmt.Sprintf("got no column %q, want it in %q", e.Name, e.Header)
	if e.Ambiguous || len(e.Header) == 1 {
		text += fmt.Sprintf("; columns were separated by %s: if that is wrong, name the separator", e.Separator)
	}
	return text
}
