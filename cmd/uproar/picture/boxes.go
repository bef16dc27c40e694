// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package picture

import (
	"fmt"
	"image/color"
	"unicode/utf8"

	"golang.org/x/image/font/sfnt"
)

// The fonts of the program have Latin, Greek and Cyrillic. Those of other scripts are many
// megabytes, and Arabic or Hindi also need their letters to be joined. So a letter of theirs is a
// box with its number in Unicode, by which two words can still be told apart, and looked up.

// part is letters of a text that the fonts have, or a single one that they lack.
type part struct {
	text  string
	lacks bool
}

// parts cuts a text.
func parts(text string) (of []part) {
	var b sfnt.Buffer
	from := 0
	for i, r := range text {
		if at, err := fontOf(false).GlyphIndex(&b, r); err == nil && at != 0 {
			continue
		}
		if from < i {
			of = append(of, part{text: text[from:i]})
		}
		from = i + utf8.RuneLen(r)
		of = append(of, part{text[i:from], true})
	}
	if from < len(text) {
		of = append(of, part{text: text[from:]})
	}
	return of
}

// lacks reports whether the fonts have no letter for a part of the text.
func lacks(text string) bool {
	for _, x := range parts(text) {
		if x.lacks {
			return true
		}
	}
	return false
}

// Measures of a box, in parts of the size of its text, which is its width.
const (
	boxTop    = 0.82 // above the line
	boxHeight = 0.96
	boxEdge   = 0.05 // beside it on each side
	digitSize = 0.46
	digitLine = 0.42
)

// box draws the box of a letter on a line of text.
func (p *painter) box(letter string, x, y, size float64, c color.RGBA) {
	r, _ := utf8.DecodeRuneInString(letter)
	top, left, wide := y-boxTop*size, x+boxEdge*size, (1-2*boxEdge)*size
	const line = 1.0 / scale
	p.fill(left, top, wide, line, c)
	p.fill(left, top+boxHeight*size-line, wide, line, c)
	p.fill(left, top, line, boxHeight*size, c)
	p.fill(left+wide-line, top, line, boxHeight*size, c)
	number := fmt.Sprintf("%04X", r)
	if len(number)%2 > 0 {
		number = "0" + number
	}
	for i, digits := range []string{number[:len(number)/2], number[len(number)/2:]} {
		small := digitSize * size
		if all := width(digits, small, false); all > wide-4*line {
			small *= (wide - 4*line) / all
		}
		from := left + (wide-width(digits, small, false))/2
		p.letters(digits, from, top+(float64(i)+0.96)*digitLine*size, small, false, c)
	}
}
