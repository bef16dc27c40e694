// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"errors"
	"strings"
	"unicode"

	"github.com/rivo/uniseg"

	"github.com/uproar-db/uproar/query"
)

// aroundCaret is how many characters of a long line are shown on each side of an error in it.
const aroundCaret = 60

// pointOut returns a syntax error with the line that it is in, and a caret beneath the place.
func pointOut(err error) error {
	var syntax *query.SyntaxError
	if !errors.As(err, &syntax) {
		return err
	}
	return &usageError{&adviceError{
		errors.New(trimPackage(syntax.Error()) + caret(syntax)),
		"docs/query.md, which describes the language",
	}}
}

// caret returns the line of an error and, on a line of its own, a caret beneath the place.
func caret(e *query.SyntaxError) string {
	line, column := strings.Split(e.Text, "\n")[e.Line-1], e.Column-1
	before, after := cutAround([]rune(strings.Map(shownAs, line)), column)
	return "\n    " + before + after + "\n    " + strings.Repeat(" ", uniseg.StringWidth(before)) + "^"
}

// shownAs replaces what would move the caret.
func shownAs(r rune) rune {
	if unicode.IsControl(r) {
		return ' '
	}
	return r
}

// cutAround cuts a line at a column, and at some distance on both sides of it.
func cutAround(line []rune, column int) (before, after string) {
	column = min(column, len(line))
	from, to := max(0, column-aroundCaret), min(len(line), column+aroundCaret)
	before, after = string(line[from:column]), string(line[column:to])
	if from > 0 {
		before = "…" + before
	}
	if to < len(line) {
		after += "…"
	}
	return before, after
}

// trimPackage removes the package that an error's text begins with.
func trimPackage(text string) string {
	for _, prefix := range [...]string{"graph: ", "audience: ", "catalog: ", "query: ", "uproar: "} {
		text = strings.TrimPrefix(text, prefix)
	}
	return text
}
