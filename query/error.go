// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package query

import (
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"
)

// What errors.Is finds in the errors of this package.
var (
	// ErrSyntax is in every error of Parse.
	ErrSyntax = errors.New("query: syntax error")

	// ErrLimit is in the errors of Parse and Validate that are about size:
	// MaxText, MaxNesting.
	ErrLimit = errors.New("query: limit exceeded")

	// ErrInvalid is in every error of Validate.
	ErrInvalid = errors.New("query: invalid expression")
)

// SyntaxError says why, and where, a text is not a query. errors.Is finds
// ErrSyntax in it, and ErrLimit too if the text is one that exceeds a limit.
type SyntaxError struct {
	Text   string // the whole text
	Offset int    // of what is wrong, in bytes from 0
	Line   int    // of what is wrong, from 1
	Column int    // of what is wrong, in characters from 1
	Got    string // what stands there: quoted text, cut if long, or a description
	Want   string // what should
	Hint   string // advice, empty if there is none

	limit bool
}

// Error returns the position, what was got, what was wanted and the hint, on one
// line: query: 1:14: got ")", want a value.
func (e *SyntaxError) Error() string {
	s := fmt.Sprintf("query: %d:%d: got %s, want %s", e.Line, e.Column, e.Got, e.Want)
	if e.Hint != "" {
		s += "; " + e.Hint
	}
	return s
}

// Unwrap returns ErrSyntax.
func (e *SyntaxError) Unwrap() error { return ErrSyntax }

// Is reports whether target is ErrLimit and the error is about a limit.
func (e *SyntaxError) Is(target error) bool { return e.limit && target == ErrLimit }

// position turns an offset into a line and a column, both from 1.
func position(text string, offset int) (line, column int) {
	before := text[:offset]
	line = 1 + strings.Count(before, "\n")
	column = 1 + utf8.RuneCountInString(before[strings.LastIndexByte(before, '\n')+1:])
	return line, column
}
