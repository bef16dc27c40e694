// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package roaring

import (
	"encoding/binary"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/uproar-db/uproar/internal/roaring/mutable"
	"github.com/uproar-db/uproar/internal/roaring/pack"
	"github.com/uproar-db/uproar/internal/roaring/pair"
	"github.com/uproar-db/uproar/internal/roaring/view"
)

var rewrite = flag.Bool("rewrite", false, "write the golden files anew: the diff is what has changed in the format")

const (
	goldenDir = "testdata/golden"
	goldenRow = 16 // bytes a line
	separator = "----\n"
)

// TestGolden makes the set that each golden file describes. It compares the bytes, what each of
// them means, and what reading gives back.
//
// The head of a file is lines of commands, one after the other: "set" makes a set of values, "add"
// and "remove" change it in place, "pack" packs it, "checksum" and "envelope" put the body in
// another envelope, "body" leaves the envelope away, "page" makes the body that a page would have.
// A range is first..last/step.
func TestGolden(t *testing.T) {
	files, err := filepath.Glob(goldenDir + "/*.txt")
	if err != nil {
		t.Fatal(err)
	}
	forms := map[uint8]bool{}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txt"), func(t *testing.T) {
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			head, _, _ := strings.Cut(string(text), separator)
			g := golden{t: t}
			for line := range strings.Lines(head) {
				g.run(strings.TrimSpace(line))
			}
			v := g.open()
			forms[v.Form()] = true
			if err := v.Validate(); err != nil {
				t.Fatal(err)
			}
			got := head + separator + g.dump(v) + separator + g.reads(v)
			if *rewrite {
				if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
					t.Fatal(err)
				}
				return
			}
			if got != string(text) {
				t.Errorf(
					"got:\n%s\nwant:\n%s\nIf the change is meant, run the test with -rewrite and look at the diff.",
					got, text)
			}
		})
	}
	for form := uint8(view.FormEmpty); form <= view.FormLoose; form++ {
		if !forms[form] {
			t.Errorf("no golden file has form %d", form)
		}
	}
}

// golden is a file being made.
type golden struct {
	t      *testing.T
	b      *mutable.Bitmap
	values []uint64 // of the model
	bytes  []byte
	body   bool // bytes is a body
	out    strings.Builder
	at     int
}

// run carries out a line of the head.
func (g *golden) run(line string) {
	g.t.Helper()
	command, rest, _ := strings.Cut(line, ":")
	rest = strings.TrimSpace(rest)
	if g.b == nil {
		g.b = new(mutable.Bitmap)
	}
	switch command {
	case "set":
		g.values = parseValues(g.t, rest)
		slices.Sort(g.values)
		g.b = pair.FromSorted(g.values)
	case "add", "remove":
		for _, x := range parseValues(g.t, rest) {
			i, found := slices.BinarySearch(g.values, x)
			switch {
			case command == "add" && !found:
				g.b.Add(x)
				g.values = slices.Insert(g.values, i, x)
			case command == "remove" && found:
				g.b.Remove(x)
				g.values = slices.Delete(g.values, i, i+1)
			default:
				g.t.Fatalf("%s %d changes nothing", command, x)
			}
		}
	case "pack":
		layout, ok := map[string]pack.Layout{"smallest": pack.Smallest, "fastest": pack.Fastest}[rest]
		if !ok {
			g.t.Fatalf("unknown layout %q", rest)
		}
		g.b.Pack(layout)
	case "checksum":
		g.bytes = pack.AppendChecked(g.b.View(), nil)
		return
	case "envelope":
		width, err := strconv.Atoi(rest)
		if err != nil {
			g.t.Fatal(err)
		}
		body := g.b.View().Body()
		g.bytes = binary.LittleEndian.AppendUint64([]byte{view.Magic, view.Version |
			byte(slices.Index([]int{1, 2, 4, 8}, width))<<view.WidthShift}, uint64(len(body)))
		g.bytes = append(g.bytes[:2+width], body...)
		return
	case "page":
		g.body, g.bytes = true, pack.AppendBody(nil, g.values)
		return
	case "body":
		g.body, g.bytes = true, g.b.View().Body()
		return
	default:
		if !strings.HasPrefix(line, "#") && line != "" {
			g.t.Fatalf("unknown command %q", line)
		}
		return
	}
	g.bytes = g.b.Bytes()
}

// parseValues reads values and ranges.
func parseValues(t *testing.T, text string) (values []uint64) {
	t.Helper()
	number := func(s string) uint64 {
		x, err := strconv.ParseUint(s, 10, 64)
		if err != nil {
			t.Fatal(err)
		}
		return x
	}
	for _, field := range strings.Fields(text) {
		first, rest, isRange := strings.Cut(field, "..")
		if !isRange {
			values = append(values, number(field))
			continue
		}
		last, step, stepped := strings.Cut(rest, "/")
		by := uint64(1)
		if stepped {
			by = number(step)
		}
		for x := number(first); x <= number(last); x += by {
			values = append(values, x)
		}
	}
	return values
}

func (g *golden) open() view.View {
	g.t.Helper()
	open := view.Open
	if g.body {
		open = view.OpenBody
	}
	v, err := open(g.bytes)
	if err != nil {
		g.t.Fatal(err)
	}
	return v
}

// take writes the next n bytes and what they mean. Rows that repeat the one before are counted.
func (g *golden) take(n int, format string, args ...any) {
	meaning := fmt.Sprintf(format, args...)
	for end := g.at + n; g.at < end; meaning = "" {
		row := g.bytes[g.at:min(g.at+goldenRow, end)]
		same := 0
		for next := g.at + len(row); next+len(row) <= end && slices.Equal(row,
			g.bytes[next:next+len(row)]); next += len(row) {
			same++
		}
		fmt.Fprintf(&g.out, "%s\n", strings.TrimRight(fmt.Sprintf("%6d  %-47x  %s", g.at, hexSpaced(row), meaning),
			" "))
		g.at += len(row)
		if same > 1 {
			fmt.Fprintf(&g.out, "%6s  the same %d times more\n", "*", same)
			g.at += same * len(row)
		}
	}
}

// hexSpaced prints bytes with spaces between, under any verb.
type hexSpaced []byte

func (h hexSpaced) Format(f fmt.State, _ rune) {
	text := fmt.Sprintf("% x", []byte(h))
	width, _ := f.Width()
	fmt.Fprintf(f, "%-*s", width, text)
}

// dump annotates all bytes.
func (g *golden) dump(v view.View) string {
	body := v.Body()
	if !g.body {
		width := view.HeaderLen(v) - 2
		g.take(1, "magic")
		g.take(1, "version 1, length of %d bytes, checksum: %v", width, view.Flags(&v)&view.FlagChecksum != 0)
		g.take(width, "body length %d", len(body))
	}
	start := g.at
	switch v.Form() {
	case view.FormSingle:
		g.take(1, "single")
		g.take(len(body)-1, "value %d", v.Single())
	case view.FormList:
		g.take(int(v.Ow()), "solo: low width %d, %d values", v.Kw(), v.Values())
		g.packed(view.List(&v), start+len(body))
	case view.FormCompact:
		g.compact(&v)
	case view.FormLoose:
		g.loose(&v, start)
	}
	if view.Flags(&v)&view.FlagChecksum != 0 {
		g.take(view.ChecksumBytes, "CRC-32C %08x of the bytes before", view.Sum(&v))
	}
	if g.at != len(g.bytes) {
		g.t.Fatalf("annotated %d bytes of %d", g.at, len(g.bytes))
	}
	return g.out.String()
}

// reads says what reading gives back.
func (g *golden) reads(v view.View) string {
	values := v.AppendTo(nil)
	if !slices.Equal(values, g.values) || v.Len() != uint64(len(values)) ||
		!slices.Equal(slices.Collect(v.All()), values) {
		g.t.Fatalf("got %d values, want %d", len(values), len(g.values))
	}
	var out strings.Builder
	fmt.Fprintf(&out, "%d bytes, %d values", len(g.bytes), len(values))
	if len(values) > 0 {
		lo, _ := v.Min()
		hi, _ := v.Max()
		fmt.Fprintf(&out, " from %d to %d: %d", lo, hi, values[:min(len(values), 12)])
		if len(values) > 12 {
			out.WriteString(" …")
		}
	}
	return out.String() + "\n"
}
