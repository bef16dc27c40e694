// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package picture

import (
	"sync"

	"golang.org/x/image/font"
	"golang.org/x/image/font/gofont/gobold"
	"golang.org/x/image/font/gofont/goregular"
	"golang.org/x/image/font/opentype"
	"golang.org/x/image/font/sfnt"
	"golang.org/x/image/math/fixed"
)

// fonts are the regular and the bold one, which are part of the program.
var fonts = sync.OnceValue(func() (of [2]*opentype.Font) {
	for i, data := range [2][]byte{goregular.TTF, gobold.TTF} {
		f, err := opentype.Parse(data)
		if err != nil {
			panic("picture: a font of the program: " + err.Error())
		}
		of[i] = f
	}
	return of
})

func fontOf(bold bool) *opentype.Font {
	if bold {
		return fonts()[1]
	}
	return fonts()[0]
}

// units is a size at which texts are measured: widths are in proportion to it.
const units = 1000

// width returns the width of a text. A letter that the font lacks is taken for a square.
func width(text string, size float64, bold bool) float64 {
	f, sum := fontOf(bold), 0.0
	var b sfnt.Buffer
	for _, r := range text {
		at, err := f.GlyphIndex(&b, r)
		if err != nil || at == 0 {
			sum += units
			continue
		}
		advance, err := f.GlyphAdvance(&b, at, fixed.I(units), font.HintingNone)
		if err != nil {
			sum += units
			continue
		}
		sum += float64(advance) / 64
	}
	return sum * size / units
}

// longest is how many letters of a text are looked at: no chart has room for more.
const longest = 400

// fit returns the text, or as much of its beginning as fits a width, with an ellipsis.
func fit(text string, size float64, bold bool, most float64) string {
	letters := []rune(clean(text))
	cut := len(letters) > longest
	if cut {
		letters = letters[:longest]
	}
	if !cut && width(string(letters), size, bold) <= most {
		return string(letters)
	}
	for n := len(letters) - 1; n > 0; n-- {
		if short := string(letters[:n]) + "…"; width(short, size, bold) <= most {
			return short
		}
	}
	return ""
}
