// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package picture

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"errors"
	"fmt"
	"image/color"
	"image/png"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/uproar-db/uproar/api"
)

const hostile = `</title><script src="http://x"></script>"'&` + "\x00\u202e\xff"

// sample is a report with a chart of each kind.
func sample(words int) *Report {
	var list []api.Value
	for i := range words {
		list = append(list, api.Value{Key: fmt.Sprint("word ", i), Count: uint64(1000 - i), Share: 0.5, Total: 2000,
			Lift: float64(i%7) + 0.1})
	}
	mean := 41.5
	d := &api.DemographicsReply{
		Fields: []api.Distribution{
			{Field: "city", With: 1000, Values: []api.Value{{Key: hostile, Count: 600, Share: 0.6, Total: 1000},
				{Key: "", Count: 400, Share: 0.4, Total: 4000}}},
			{Field: "age", With: 1000, Figures: &api.Figures{Mean: &mean, Min: json.RawMessage("18"),
				Max: json.RawMessage("90"), Quartiles: raw("30", "41", "52")}},
			{Field: "born", With: 2, Figures: &api.Figures{Min: json.RawMessage(`"1990-01-01"`),
				Max: json.RawMessage(`"1990-01-01"`), Quartiles: raw(`"1990-01-01"`, `"1990-01-01"`, `"1990-01-01"`)}},
			{Field: "nobody", Figures: &api.Figures{}},
		},
		Crosses: []api.CrossTab{
			{Fields: []string{"sex", "city"}, Cells: []api.Cell{{Keys: []string{"f", "Bern"}, Count: 7, Share: 0.7},
				{Keys: []string{"m", "Rome"}, Count: 3, Share: 0.3}}},
			{Fields: []string{"sex", "city", "age"}, Cells: []api.Cell{{Keys: []string{"f", "Bern", "3"}, Count: 7}}},
			{Fields: []string{"sex", "none"}},
		},
	}
	return &Report{Index: "people", Query: "city = " + hostile, With: "all", Overlap: []string{"all"},
		Made: time.Date(2026, 11, 29, 10, 0, 0, 0, time.UTC),
		Answer: api.ReportReply{Size: api.SizeReply{Records: 1000, Of: 5000, Share: 0.2}, Demographics: d,
			Words:   []api.WordsReply{{Field: "likes", Common: list, Typical: list}},
			Values:  []api.ValuesReply{{Field: "job", Values: list}},
			Overlap: [][]uint64{{1000, 1000}, {1000, 5000}},
			Compare: &api.CompareReply{Records: 1000, Other: 5000, Both: 1000, Either: 5000, Jaccard: 0.2,
				Fields: []api.Contrast{{Field: "likes", More: []api.Difference{{Key: "a", Ratio: 2}}},
					{Field: "weight",
						Here:  &api.Distribution{Field: "weight", With: 1000, Figures: d.Fields[1].Figures},
						There: &api.Distribution{Field: "weight"}}}}}}
}

func raw(texts ...string) (out []json.RawMessage) {
	for _, t := range texts {
		out = append(out, json.RawMessage(t))
	}
	return out
}

// The page is well-formed, asks nobody for anything, and what values say stays text.
func TestHTML(t *testing.T) {
	var page bytes.Buffer
	if err := sample(60).HTML(&page); err != nil {
		t.Fatal(err)
	}
	d := xml.NewDecoder(&page)
	texts := make(map[string]int)
	var open []string
	all := ""
	for {
		token, err := d.Token()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		switch token := token.(type) {
		case xml.StartElement:
			open = append(open, token.Name.Local)
			texts[token.Name.Local]++
			for _, a := range token.Attr {
				if slices.Contains([]string{"src", "href", "style", "onclick"}, strings.ToLower(a.Name.Local)) {
					t.Errorf("%s has the attribute %s", token.Name.Local, a.Name.Local)
				}
			}
		case xml.EndElement:
			open = open[:len(open)-1]
		case xml.CharData:
			all += string(token)
		}
	}
	for name, want := range map[string]int{"script": 0, "link": 0, "img": 0, "svg": 17, "section": 17, "style": 1} {
		if texts[name] != want {
			t.Errorf("got %d elements of %s, want %d", texts[name], name, want)
		}
	}
	if strings.ContainsAny(all, "\x00\u202e") || !strings.Contains(all, `</title><script src="http://x"></script>"'&`) {
		t.Error("a hostile value is not there as a text without its controls")
	}
	for _, want := range []string{"1 000", "of 5 000 records, 20.0 %", "mean 41.5", "sex by city", "(empty)",
		"Beside all", "weight: here", "weight: there"} {
		if !strings.Contains(all, want) {
			t.Errorf("the page lacks %q", want)
		}
	}
}

// No word of a cloud stands on another, no shape outside of its chart, and the same report is drawn
// alike.
func TestCharts(t *testing.T) {
	for _, n := range []int{0, 1, 5, 60, 300} {
		list := sample(n).charts()
		var first, second bytes.Buffer
		if err := errors.Join(sample(n).HTML(&first), sample(n).HTML(&second)); err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(first.Bytes(), second.Bytes()) {
			t.Error("the same report was drawn in two ways")
		}
		for _, c := range list {
			for i, s := range c.shapes {
				x, y, h := s.x-s.w*float64(s.side)/2, s.y, s.h
				if s.text != "" {
					y, h = y-s.size*0.75, s.size*0.75
				}
				if x < -1 || y < -1 || x+s.w > c.width()+1 || y+h > c.height+1 {
					t.Errorf("%s, %d words: %+v stands outside of %.0f by %.0f", c.title, n, s, c.width(), c.height)
				}
				if !strings.Contains(c.title, "most ") {
					continue
				}
				for _, o := range c.shapes[:i] {
					if left := o.x - o.w/2; x < left+o.w && left < x+s.w && y < o.y && o.y-o.size*0.75 < y+h {
						t.Errorf("%s: %q stands on %q", c.title, s.text, o.text)
					}
				}
			}
		}
	}
}

// A combination that nobody has is 0; one that was not counted is no number.
func TestCross(t *testing.T) {
	x := sample(1).Answer.Demographics.Crosses[0]
	for more, want := range map[bool]string{false: "7 0 0 3", true: "7 · · 3"} {
		x.More = more
		c := cross(x)
		var got []string
		for _, s := range c.shapes {
			if s.text == "·" || len(s.text) == 1 && s.text >= "0" && s.text <= "9" {
				got = append(got, s.text)
			}
		}
		if strings.Join(got, " ") != want {
			t.Errorf("more %t: got %v, want %s", more, got, want)
		}
	}
}

// What a server answers against all rules is drawn somehow.
func TestStrangeAnswers(t *testing.T) {
	r := sample(3)
	r.Answer.Size = api.SizeReply{Records: 9, Share: 1e300}
	r.Answer.Overlap = [][]uint64{{1}, nil, {1, 2, 3, 4}}
	r.Answer.Demographics.Crosses = []api.CrossTab{{Fields: []string{"a", "b"}, Cells: []api.Cell{{Keys: []string{"x"}},
		{Keys: []string{"x", "y", "z"}, Share: -1}, {}}}, {}}
	r.Answer.Demographics.Fields = []api.Distribution{{Figures: &api.Figures{Min: raw(`{"a":1}`)[0],
		Quartiles: raw("", "[", "1e999")}}}
	r.Answer.Words[0].Common = []api.Value{{Key: strings.Repeat("long ", 1000), Lift: -1}, {Key: "\u202e"}}
	if err := r.HTML(io.Discard); err != nil {
		t.Error(err)
	}
	if _, err := r.PNG(io.Discard); err != nil {
		t.Error(err)
	}
}

func TestPNG(t *testing.T) {
	var b bytes.Buffer
	lacking, err := sample(60).PNG(&b)
	if err != nil {
		t.Fatal(err)
	}
	if lacking {
		t.Error("the font lacks a letter of the sample, or what stands for a control")
	}
	picture, err := png.Decode(&b)
	if err != nil {
		t.Fatal(err)
	}
	if w := picture.Bounds().Dx(); w != pageWidth*scale {
		t.Errorf("got a width of %d", w)
	}
	seen := make(map[color.RGBA]bool)
	for y := range picture.Bounds().Dy() {
		for x := range picture.Bounds().Dx() {
			seen[color.RGBAModel.Convert(picture.At(x, y)).(color.RGBA)] = true
		}
	}
	for of, c := range palette {
		if of := ink(of); of > heat0 && of < heat8 && of != heat1 || of == onHeat {
			continue // few cells have them here
		}
		if !seen[c] {
			t.Errorf("nothing has the ink %d", of)
		}
	}
	r := sample(3)
	r.Query = "city = Łódź"
	r.Answer.Demographics = nil
	if lacking, err := r.PNG(io.Discard); lacking || err != nil {
		t.Errorf("Latin: got %v, %v", lacking, err)
	}
	r.Query = "city = 東京"
	if lacking, err := r.PNG(io.Discard); !lacking || err != nil {
		t.Errorf("Japanese: got %v, %v, want boxes", lacking, err)
	}
	for _, lacking := range []bool{false, true} {
		if title := r.title(lacking); strings.Contains(title.shapes[1].text, Boxes) != lacking {
			t.Errorf("lacking letters %v: the title is %q", lacking, title.shapes[1].text)
		}
	}
	for range 200 {
		r.Answer.Values = append(r.Answer.Values, sample(60).Answer.Values...)
	}
	b.Reset()
	if _, err := r.PNG(&b); !errors.Is(err, ErrTall) || b.Len() > 0 {
		t.Errorf("200 fields: got %v and %d bytes, want ErrTall and none", err, b.Len())
	}
}

// Palette and style are the same colours.
func TestPalette(t *testing.T) {
	names := []string{"plain", "faint", "accent", "bar", "back", "tick", "accent", "w1", "w2", "w3", "h0", "h1", "h2",
		"h3", "h4", "h5", "h6", "h7", "h8", "on-heat"}
	light, _, _ := strings.Cut(style, "@media")
	for of, name := range names {
		c := palette[of]
		if want := fmt.Sprintf("--%s: #%02x%02x%02x;", name, c.R, c.G, c.B); !strings.Contains(light, want) {
			t.Errorf("the style lacks %s", want)
		}
		if !strings.Contains(style, "."+classes[of]+" {") {
			t.Errorf("the style has no class %s", classes[of])
		}
	}
}

// A browser shows the page: the bars are there.
func TestBrowser(t *testing.T) {
	program, err := exec.LookPath("chromium")
	if err != nil || testing.Short() {
		t.Skip("starts a browser, which may not be there: left out")
	}
	dir := t.TempDir()
	page, shot := filepath.Join(dir, "page.html"), filepath.Join(dir, "shot.png")
	f, err := os.Create(page)
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(sample(60).HTML(f), f.Close()); err != nil {
		t.Fatal(err)
	}
	out, err := exec.CommandContext(t.Context(), program, "--headless", "--no-sandbox", "--disable-gpu",
		"--user-data-dir="+dir, "--window-size=1240,1600", "--screenshot="+shot, "file://"+page).CombinedOutput()
	if err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	data, err := os.ReadFile(shot)
	if err != nil {
		t.Fatal(err)
	}
	picture, err := png.Decode(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	found := make(map[[3]uint32]int)
	for y := range picture.Bounds().Dy() {
		for x := range picture.Bounds().Dx() {
			r, g, b, _ := picture.At(x, y).RGBA()
			found[[3]uint32{r >> 8, g >> 8, b >> 8}]++
		}
	}
	for _, of := range []ink{bar, back, tick} {
		c := palette[of]
		if n := found[[3]uint32{uint32(c.R), uint32(c.G), uint32(c.B)}]; n < 100 {
			t.Errorf("the page has %d points of the ink %d, want more", n, of)
		}
	}
}
