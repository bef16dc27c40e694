// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package picture

import (
	"errors"
	"fmt"
	"image"
	"image/color"
	"image/draw"
	"image/png"
	"io"
	"math"

	"golang.org/x/image/font"
	"golang.org/x/image/font/opentype"
	"golang.org/x/image/math/fixed"
)

const (
	scale     = 2      // pixels of a PNG for each of HTML
	tallest   = 12_000 // height of a PNG, in pixels of HTML: some 240 MB while it is drawn
	titleSize = 24.0
)

// ErrTall says that a report has more charts than a PNG has room for.
var ErrTall = errors.New("picture: too tall for a PNG")

// Boxes says what a picture has boxes for.
const Boxes = "Boxes with numbers of Unicode stand for letters that the font of pictures lacks; --html has them"

// palette are the inks, as report.css has them in light.
var palette = [inks]color.RGBA{
	plain: rgb(0x1b1b26), faint: rgb(0x5f6072), accent: rgb(0x5b46d6), bar: rgb(0x8577e4), back: rgb(0xecebfb),
	tick: rgb(0xb4530a), word0: rgb(0x5b46d6), word1: rgb(0x1a7f4b), word2: rgb(0xb4530a), word3: rgb(0x2364aa),
	heat0: rgb(0xf6f6f9), heat1: rgb(0xecebfb), heat2: rgb(0xdcd8f8), heat3: rgb(0xc6bff3), heat4: rgb(0xaea4ec),
	heat5: rgb(0x7a6ade), heat6: rgb(0x6653d3), heat7: rgb(0x503cc0), heat8: rgb(0x3c2a9e), onHeat: rgb(0xffffff),
}

var (
	pageColor = rgb(0xf6f6f9)
	cardColor = rgb(0xffffff)
	edgeColor = rgb(0xe2e2ea)
)

func rgb(c uint32) color.RGBA { return color.RGBA{byte(c >> 16), byte(c >> 8), byte(c), 0xff} }

// PNG writes the report as a picture, in twice the pixels of the page. lacking says that it has
// boxes for letters of scripts that its font lacks, as the picture says, too: the font has Latin,
// Greek and Cyrillic. A report that is too tall gets ErrTall, and nothing is written.
func (r *Report) PNG(w io.Writer) (lacking bool, err error) {

	type card struct {
		*chart
		x, y float64
	}
	var cards []card
	y := margin + titleSize + 44
	for _, b := range bands(r.charts()) {
		if b.whole != nil {
			cards = append(cards, card{b.whole, margin, y})
			y += b.whole.cardHeight() + gap
			continue
		}
		from, below := y, y
		for i, column := range b.columns {
			y = from
			for _, c := range column {
				cards = append(cards, card{c, margin + float64(i)*(halfCard+gap), y})
				y += c.cardHeight() + gap
			}
			below = max(below, y)
		}
		y = below
	}
	height := y - gap + margin
	if height > tallest {
		return false, fmt.Errorf("%w: got %.0f lines of pixels, want at most %d; try fewer fields, or a page of HTML",
			ErrTall, height*scale, tallest*scale)
	}
	p := &painter{to: image.NewRGBA(image.Rect(0, 0, pageWidth*scale, int(math.Ceil(height*scale)))),
		faces: make(map[faceKey]font.Face)}
	draw.Draw(p.to, p.to.Bounds(), image.NewUniform(pageColor), image.Point{}, draw.Src)
	for _, c := range cards {
		whole := 2*padding + c.width()
		p.fill(c.x, c.y, whole, c.cardHeight(), edgeColor)
		p.fill(c.x+0.5, c.y+0.5, whole-1, c.cardHeight()-1, cardColor)
		head := chart{whole: c.whole}
		taken := head.label(padding, 28, c.width(), c.title, shape{size: 16, bold: true, ink: plain})
		head.label(padding+taken+12, 28, c.width()-taken-12, c.note, shape{size: 13, ink: faint})
		p.paint(c.x, c.y, head.shapes)
		p.paint(c.x+padding, c.y+heading, c.shapes)
	}
	p.lacking = p.lacking || lacks(clean(r.Query)) || lacks(clean(r.Index))
	title := r.title(p.lacking)
	p.paint(0, 0, title.shapes)
	if p.err != nil {
		return false, p.err
	}
	return p.lacking, png.Encode(w, p.to)
}

// title lays out what stands above all charts.
func (r *Report) title(lacking bool) chart {
	c, under := chart{whole: true}, r.under()
	if lacking {
		under += ". " + Boxes
	}
	c.label(margin, margin+titleSize, wholeCard, r.Query, shape{size: titleSize, bold: true, ink: plain})
	c.label(margin, margin+titleSize+26, wholeCard, under, shape{size: textSize, ink: faint})
	return c
}

// painter draws shapes.
type painter struct {
	to      *image.RGBA
	faces   map[faceKey]font.Face
	lacking bool
	err     error // the first
}

type faceKey struct {
	size float64
	bold bool
}

func (p *painter) fill(x, y, w, h float64, c color.RGBA) {
	at := func(v float64) int { return int(math.Round(v * scale)) }
	draw.Draw(p.to, image.Rect(at(x), at(y), at(x+w), at(y+h)), image.NewUniform(c), image.Point{}, draw.Src)
}

// paint draws shapes at a place.
func (p *painter) paint(x, y float64, shapes []shape) {
	for _, s := range shapes {
		if s.text == "" {
			p.fill(x+s.x, y+s.y, s.w, s.h, palette[s.ink])
			continue
		}
		from := x + s.x - s.w*float64(s.side)/2
		for _, of := range parts(s.text) {
			if p.lacking = p.lacking || of.lacks; of.lacks {
				p.box(of.text, from, y+s.y, s.size, palette[s.ink])
			} else {
				p.letters(of.text, from, y+s.y, s.size, s.bold, palette[s.ink])
			}
			from += width(of.text, s.size, s.bold)
		}
	}
}

// letters draws text that the font has.
func (p *painter) letters(text string, x, y, size float64, bold bool, c color.RGBA) {
	face, err := p.face(size, bold)
	if err != nil {
		p.err = err
		return
	}
	d := font.Drawer{Dst: p.to, Src: image.NewUniform(c), Face: face,
		Dot: fixed.Point26_6{X: fixed.Int26_6(x * scale * 64), Y: fixed.Int26_6(y * scale * 64)}}
	d.DrawString(text)
}

func (p *painter) face(size float64, bold bool) (font.Face, error) {
	key := faceKey{size, bold}
	if f := p.faces[key]; f != nil {
		return f, nil
	}
	f, err := opentype.NewFace(fontOf(bold),
		&opentype.FaceOptions{Size: size * scale, DPI: 72, Hinting: font.HintingNone})
	if err != nil {
		return nil, fmt.Errorf("picture: %w", err)
	}
	p.faces[key] = f
	return f, nil
}
