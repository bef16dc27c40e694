// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package picture

import (
	"bytes"
	"image"
	"image/png"
	"os"
	"path/filepath"
	"reflect"
	"testing"
)

// TestParts cuts texts where the fonts lack a letter.
func TestParts(t *testing.T) {
	for text, want := range map[string][]part{
		"":           nil,
		"Łódź":       {{"Łódź", false}},
		"a東京b":       {{"a", false}, {"東", true}, {"京", true}, {"b", false}},
		"سلام x":     {{"س", true}, {"ل", true}, {"ا", true}, {"م", true}, {" x", false}},
		"\U0001F600": {{"\U0001F600", true}},
	} {
		if got := parts(text); !reflect.DeepEqual(got, want) {
			t.Errorf("%q: got %v, want %v", text, got, want)
		}
	}
}

// TestBoxes: letters that the fonts lack can be told apart, and lie where the text has them.
func TestBoxes(t *testing.T) {
	draw := func(query string) *image.RGBA {
		r := sample(3)
		r.Query, r.Answer.Demographics = query, nil
		var b bytes.Buffer
		if lacking, err := r.PNG(&b); !lacking || err != nil {
			t.Fatalf("%s: got %v, %v, want boxes", query, lacking, err)
		}
		if dir := os.Getenv("UPROAR_SHOTS"); dir != "" {
			if err := os.WriteFile(filepath.Join(dir, query+".png"), b.Bytes(), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		of, err := png.Decode(&b)
		if err != nil {
			t.Fatal(err)
		}
		return of.(*image.RGBA)
	}
	tokyo, kyoto := draw("city = 東京"), draw("city = 京都")
	draw("city = القاهرة 😀")
	from, to := 0, 0 // columns of pixels that differ
	for y := range int(2*margin+titleSize) * scale {
		for x := range tokyo.Bounds().Dx() {
			if tokyo.At(x, y) != kyoto.At(x, y) {
				if from == 0 || x < from {
					from = x
				}
				to = max(to, x)
			}
		}
	}
	begin := margin + width("city = ", titleSize, true)
	if least, most := int(begin*scale), int((begin+2*titleSize)*scale); from < least || to <= from || to > most {
		t.Errorf("東京 and 京都 differ in the columns %d to %d, want some of %d to %d", from, to, least, most)
	}
}
