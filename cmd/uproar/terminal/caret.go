// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package terminal

import (
	"strings"
	"unicode"

	"github.com/rivo/uniseg"
)

// aroundCaret is how many characters of a long line are shown on each side of a caret.
const aroundCaret = 60

// Caret returns a line of text, indented, and on a line of its own a caret beneath the character at
// column, counted from 0.
func Caret(line string, column int) string {
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
