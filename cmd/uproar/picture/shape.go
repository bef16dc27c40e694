// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package picture

import "strings"

// ink is a colour. HTML has it as a class, in light and in dark; a PNG in light.
type ink uint8

const (
	plain ink = iota // of texts
	faint
	accent
	bar
	back // what a bar is a part of
	tick // where the share among all is
	word0
	word1
	word2
	word3
	heat0 // nothing
	heat1
	heat2
	heat3
	heat4
	heat5
	heat6
	heat7
	heat8
	onHeat // texts on the dark half of the heats
	inks
)

// side is which point of a text its place names.
type side uint8

const (
	left side = iota
	middle
	right
)

// shape is a rectangle, or a line of text if it has one. Places and sizes are in pixels of HTML.
type shape struct {
	x, y float64 // of a rectangle the upper left corner; of a text a point of its baseline
	w, h float64 // of a text w is its width
	text string
	size float64
	bold bool
	side side
	ink  ink
	tip  string // what a reader of HTML sees when pointing at it
}

// chart is one picture of a report, with what it shows as a table.
type chart struct {
	title  string
	note   string // beside the title
	whole  bool   // as wide as the page; else half of it
	height float64
	shapes []shape
	table  [][]string // the first line are the names of columns
}

const (
	pageWidth = 1240.0
	margin    = 32.0 // around the page
	gap       = 20.0 // between cards
	padding   = 20.0 // within a card
	heading   = 44.0 // of a card above its chart
	wholeCard = pageWidth - 2*margin
	halfCard  = (wholeCard - gap) / 2
)

// width returns the width of the chart, without what is around it.
func (c *chart) width() float64 {
	if c.whole {
		return wholeCard - 2*padding
	}
	return halfCard - 2*padding
}

func (c *chart) box(x, y, w, h float64, of ink, tip string) {
	c.shapes = append(c.shapes, shape{x: x, y: y, w: w, h: h, ink: of, tip: tip})
}

// label adds a line of text, cut to a width, and returns the width it takes.
func (c *chart) label(x, y, most float64, text string, s shape) float64 {
	s.text = fit(text, s.size, s.bold, most)
	if s.text != clean(text) && s.tip == "" {
		s.tip = clean(text)
	}
	s.x, s.y, s.w = x, y, width(s.text, s.size, s.bold)
	if s.text != "" {
		c.shapes = append(c.shapes, s)
	}
	return s.w
}

// clean returns a text without what is not to be drawn: controls, and what turns the direction of
// what stands around it.
func clean(text string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r < ' ', r >= 0x7f && r < 0xa0, r >= 0x200e && r <= 0x200f, r >= 0x2028 && r <= 0x202e,
			r >= 0x2066 && r <= 0x2069, r == 0xfffe, r == 0xffff:
			return 0xfffd
		}
		return r
	}, strings.ToValidUTF8(text, "\ufffd"))
}
