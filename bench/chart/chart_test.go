// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package chart

import (
	"cmp"
	"encoding/xml"
	"errors"
	"io"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

const images = "../../docs/images"

// Each chart of the documents is what its figures draw, byte for byte, and each of its figures is
// in the table that it names.
func TestDocumentsCharts(t *testing.T) {
	files, err := filepath.Glob(images + "/*.json")
	if err != nil || len(files) < 1 {
		t.Fatalf("got %d files with figures (%v), want one at least", len(files), err)
	}
	for _, name := range files {
		c, err := Read(name)
		if err != nil {
			t.Fatal(err)
		}
		picture, err := c.SVG()
		if err != nil {
			t.Fatal(err)
		}
		drawn, err := os.ReadFile(strings.TrimSuffix(name, ".json") + ".svg")
		if err != nil {
			t.Fatal(err)
		}
		if string(drawn) != string(picture) {
			t.Errorf("%s is not what its figures draw: run go run . chart %s", name, name)
		}
		for _, b := range c.Bars {
			if cmp.Or(b.Command, c.Command) == "" || cmp.Or(b.Version, c.Version) == "" ||
				cmp.Or(b.Machine, c.Machine) == "" {
				t.Errorf("%s: %s: says not where its figures are from", name, b.Text)
			}
			if b.Page != "" {
				checkSource(t, b)
			}
		}
	}
}

// checkSource finds both figures in the lines of tables that the bar names. A ratio stands as 1 and
// theirs.
func checkSource(t *testing.T, b Bar) {
	t.Helper()
	page, err := os.ReadFile("../../docs/benchmarks/" + b.Page)
	if err != nil {
		t.Fatal(err)
	}
	find := func(row, figure string) {
		t.Helper()
		for line := range strings.Lines(string(page)) {
			if !strings.HasPrefix(line, "| "+row) {
				continue
			}
			for _, cell := range regexp.MustCompile(`[|,;·\n]`).Split(line, -1) {
				before, _, _ := strings.Cut(strings.TrimSpace(cell), " µs")
				if strings.ReplaceAll(before, " ", "") == figure {
					return
				}
			}
			t.Errorf("%s: no figure %q in the line of %s:\n%s", b.Text, figure, b.Page, line)
			return
		}
		t.Errorf("%s: no line of %s begins with %q", b.Text, b.Page, row)
	}
	if b.Unit != "(ratio)" {
		find(b.Row, b.Ours)
	}
	find(cmp.Or(b.TheirRow, b.Row), b.Theirs)
}

// The chart of the README is what stands in the charts of five commands, joined.
func TestBeside(t *testing.T) {
	joined, err := Join("../../docs/benchmarks/measured/beside.json")
	if err != nil {
		t.Fatal(err)
	}
	name := filepath.Join(t.TempDir(), "beside")
	if err := joined.Write(name); err != nil {
		t.Fatal(err)
	}
	commands := make(map[string]bool)
	for _, b := range joined.Bars {
		commands[b.Command] = true
	}
	if len(commands) < 5 {
		t.Errorf("got figures of the commands %v, want five", commands)
	}
	for _, ext := range []string{".json", ".svg"} {
		got, err := os.ReadFile(images + "/beside" + ext)
		want, err2 := os.ReadFile(name + ext)
		if err := errors.Join(err, err2); err != nil || string(got) != string(want) {
			t.Errorf("docs/images/beside%s is not what is joined (%v): run go run . chart -join "+
				"../docs/benchmarks/measured/beside.json ../docs/images/beside.json", ext, err)
		}
		if ext == ".svg" && !strings.Contains(string(got), "one thread") {
			t.Error("the picture does not say that its databases have one thread")
		}
	}
}

// A bar that is not there, or is there twice, cannot be joined.
func TestJoinRefuses(t *testing.T) {
	dir := t.TempDir()
	part := New("t", "c")
	for range 2 {
		part.Add("g", Bar{Text: "twice", Peer: "p"}, 1, 2)
	}
	if err := part.Write(filepath.Join(dir, "part")); err != nil {
		t.Fatal(err)
	}
	for _, bar := range []string{`"text": "twice"`, `"text": "never"`} {
		name := filepath.Join(dir, "joint.json")
		text := `{"title": "t", "bars": [{"file": "part.json", "group": "g", "peer": "p", ` + bar + `}]}`
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := Join(name); !errors.Is(err, ErrChart) {
			t.Errorf("%s: got %v, want ErrChart", bar, err)
		}
	}
}

func TestSVG(t *testing.T) {
	c := Chart{Title: "<a> & \"b\"", Command: "c", Version: "v", Machine: "m", Bars: []Bar{
		{Group: "g", Text: "fast", Peer: "p", Ours: "1 000", Theirs: "10", Unit: "a second", More: true},
		{Group: "g", Text: "slow", Peer: "p", Ours: "4", Theirs: "1", Unit: "µs"},
		{Text: "same", Peer: "p", Ours: "0.5", Theirs: "0.5", Unit: "µs"}}}
	picture, err := c.SVG()
	if err != nil {
		t.Fatal(err)
	}
	classes := make(map[string]int)
	d := xml.NewDecoder(strings.NewReader(string(picture)))
	for {
		token, err := d.Token()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		if e, ok := token.(xml.StartElement); ok {
			for _, a := range e.Attr {
				if a.Name.Local == "class" {
					classes[a.Value]++
				}
			}
		}
	}
	if classes["ahead"] != 2 || classes["behind"] != 1 || classes["equal"] != 1 || classes["group"] != 1 {
		t.Errorf("got the shapes %v, want two bars ahead, one behind, a line and a group", classes)
	}
	for _, want := range []string{">100×<", ">0.25×<", ">1×<"} {
		if !strings.Contains(string(picture), want) {
			t.Errorf("the picture lacks %s", want)
		}
	}
	for _, figure := range []string{"", "0", "-1", "NaN", "1e99", "x"} {
		bad := c
		bad.Bars = []Bar{{Text: "t", Ours: figure, Theirs: "1"}}
		if _, err := bad.SVG(); !errors.Is(err, ErrChart) {
			t.Errorf("figure %q: got %v, want ErrChart", figure, err)
		}
	}
	if _, err := (&Chart{}).SVG(); !errors.Is(err, ErrChart) {
		t.Errorf("no bars: got %v, want ErrChart", err)
	}
}

// Bars that are measured stand with those of their group.
func TestAdd(t *testing.T) {
	c := New("t", "c")
	for _, group := range []string{"a", "b", "a"} {
		c.Add(group, Bar{Text: group}, 1234.4, 0.012345)
	}
	c.Add("a", Bar{}, 0, 1)
	c.Add("a", Bar{}, 1, math.Inf(1))
	if len(c.Bars) != 3 || c.Bars[1].Group != "a" || c.Bars[0].Ours != "1234" || c.Bars[0].Theirs != "0.0123" {
		t.Errorf("got %+v, want two of a, one of b", c.Bars)
	}
	picture, err := c.SVG()
	if n := strings.Count(string(picture), `class="group"`); err != nil || n != 2 {
		t.Errorf("got %d groups (%v), want 2", n, err)
	}
}

// The command writes what the package draws, and refuses what is no figures.
func TestCommand(t *testing.T) {
	name := filepath.Join(t.TempDir(), "x")
	c := Chart{Title: "t", Bars: []Bar{{Text: "a", Ours: "1", Theirs: "2"}}}
	if err := c.Write(name); err != nil {
		t.Fatal(err)
	}
	want, err := os.ReadFile(name + ".svg")
	if err != nil {
		t.Fatal(err)
	}
	err = errors.Join(os.Remove(name+".svg"), Command([]string{name + ".json"}, io.Discard, io.Discard))
	if err != nil {
		t.Fatal(err)
	}
	if got, err := os.ReadFile(name + ".svg"); err != nil || string(got) != string(want) {
		t.Errorf("got %q, %v, want what Write wrote", got, err)
	}
	for _, args := range [][]string{nil, {"x.svg"}, {name + "missing.json"}} {
		if err := Command(args, io.Discard, io.Discard); err == nil {
			t.Errorf("%q: got no error", args)
		}
	}
}
