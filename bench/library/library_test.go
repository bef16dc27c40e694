// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package library

import (
	"bytes"
	"errors"
	"io"
	"math"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/uproar-db/uproar/bench/chart"
	"github.com/uproar-db/uproar/bitmap"
)

// TestRun runs the whole program on a small data set, which every contestant can hold. It also runs
// it on sets of 2^40, which not all can.
func TestRun(t *testing.T) {
	sources := func(string) []source {
		return append([]source{tiny()}, source{"large", func() (*dataset, error) {
			return newDataset("large", randomLists(wideIDs, []int{5, 80, 20})), nil
		}})
	}
	for _, markdown := range []bool{false, true} {
		var out bytes.Buffer
		s := settings{sources: sources, slot: 10 * time.Microsecond, rounds: 2, markdown: markdown,
			chart: filepath.Join(t.TempDir(), "peers")}
		if err := s.run(&out, io.Discard); err != nil {
			t.Fatal(err)
		}
		if c, err := chart.Read(s.chart + ".json"); err != nil || len(c.Bars) < 4 || c.Bars[0].Peer != "roaring" {
			t.Errorf("got the chart %+v (%v), want a bar for each peer", c, err)
		}
		text := out.String()
		for _, op := range operations {
			if !strings.Contains(text, string(op)) {
				t.Errorf("markdown %v: no line %q", markdown, op)
			}
		}
		for _, want := range []string{"tiny: 5 sets", "large: 3 sets", "bytes a value", "overall",
			"Where the best peer is ahead", "–", "×"} {
			if !strings.Contains(text, want) {
				t.Errorf("markdown %v: no %q in:\n%s", markdown, want, text)
			}
		}
		for line := range strings.Lines(text) {
			if strings.Contains(line, "wrong") && !strings.Contains(line, "sroar") && !strings.Contains(line, " · ") {
				t.Errorf("only sroar is known to be wrong: %s", line)
			}
		}
	}
}

// wronged returns ours with an And that loses a value.
func wronged(own bool) contestant {
	c := uproar("broken", bitmap.Fastest).(*library[*bitmap.View, *bitmap.Bitmap])
	c.own = own
	c.and = func(a, b *bitmap.View) *bitmap.Bitmap {
		r := bitmap.And(*a, *b)
		if x, ok := r.Min(); ok {
			r.Remove(x)
		}
		return r
	}
	return c
}

// TestWrongAnswers checks that a wrong peer is reported, and that a wrong answer of ours fails.
func TestWrongAnswers(t *testing.T) {
	d, err := tiny().make()
	if err != nil {
		t.Fatal(err)
	}
	p := &plan{wanted: func(op operation) bool { return op == opAnd || op == opOr }, slot: time.Microsecond, rounds: 1}
	p.contestants = []contestant{uproar("good", bitmap.Smallest), wronged(false)}
	r, err := p.measure(d)
	if err != nil {
		t.Fatal(err)
	}
	if got := r.lines[0].cells[1].state; got != wrong || len(r.notes) != 1 {
		t.Errorf("a wrong peer: got state %d and notes %q", got, r.notes)
	}
	if got := r.lines[1].cells[1].state; got != timed {
		t.Errorf("its other operations: got state %d, want them timed", got)
	}
	p.contestants[1] = wronged(true)
	if _, err := p.measure(d); err == nil || !strings.Contains(err.Error(), "broken") {
		t.Errorf("a wrong answer of ours: got error %v", err)
	}
}

// TestPanics checks that a peer that panics is reported as wrong.
func TestPanics(t *testing.T) {
	if err := checked(task{check: func() error {
		panic("out of range")
	}}); err == nil || !strings.Contains(err.Error(), "out of range") {
		t.Errorf("got %v", err)
	}
	if err := checked(task{check: func() error { return io.EOF }}); !errors.Is(err, io.EOF) {
		t.Errorf("got %v, want io.EOF", err)
	}
}

// TestRatios checks that wrong and missing peers do not count, and what the means are.
func TestRatios(t *testing.T) {
	p := &plan{contestants: []contestant{uproar("a", bitmap.Fastest), roaring32("b", false), roaring32("c", true)}}
	got := p.ratios([]cell{{state: timed, ns: 10}, {state: wrong, ns: 1}, {state: timed, ns: 40}})
	if !slices.Equal(got, []float64{4}) {
		t.Errorf("got %v, want 4", got)
	}
	if got := p.ratios([]cell{{state: timed, ns: 10}, {state: wrong, ns: 1}, {}}); !math.IsNaN(got[0]) {
		t.Errorf("without a peer: got %v, want NaN", got)
	}
	m := make(means, 1)
	for _, x := range []float64{2, 8, math.NaN()} {
		m.add([]float64{x})
	}
	if got := m.values()[0]; math.Abs(got-4) > 1e-9 {
		t.Errorf("mean: got %v, want 4", got)
	}
}

// TestOverviews checks the tables that have all data sets beside each other: what was not measured,
// what has no peer, and the mean.
func TestOverviews(t *testing.T) {
	p := &plan{contestants: []contestant{uproar("a", bitmap.Fastest), roaring32("b", false),
		uproar("c", bitmap.Smallest)}}
	cells := func(a, b, c float64) []cell {
		return []cell{{state: timed, ns: a}, {state: timed, ns: b}, {state: timed, ns: c}}
	}
	alone := cells(5, 0, 5)
	alone[1].state = missing
	results := []*result{
		{name: "census1881", lines: []line{{opAnd, cells(10, 20, 40)}, {opOr, cells(10, 80, 20)}},
			bytes: cells(2, 3, 1)},
		{name: "uscensus2000", lines: []line{{opAnd, alone}}, bytes: cells(4, 4, 4)},
		{name: "random, 1 in 5.5 M", lines: []line{{opOr, cells(1, 3, 2)}}, bytes: cells(1, 2, 1)},
	}
	tables := p.overviews(results)
	var titles []string
	for _, table := range tables {
		titles = append(titles, table.title)
	}
	if want := []string{"a, real data", "a, random sets", "c, real data", "c, random sets"}; !slices.Equal(titles,
		want) {
		t.Fatalf("got tables %q, want %q", titles, want)
	}
	for i, want := range [][][]string{
		{
			{"ns · best peer / ours", "census1881", "uscensus2000"}, {"and", "10.0 · 2.00", "5.00"},
			{"or", "10.0 · 8.00", "–"},
			{"bytes a value", "2.00 · 1.50", "4.00 · 1.00"}, {"geometric mean of the ratios", "4.00", "–"},
		},
		{{"ns · best peer / ours", "1 in 5.5 M"}, {"or", "1.00 · 3.00"}, {"bytes a value", "1.00 · 2.00"},
			{"geometric mean of the ratios", "3.00"}},
	} {
		if !slices.EqualFunc(tables[i].rows, want, slices.Equal) {
			t.Errorf("%s: got %q, want %q", titles[i], tables[i].rows, want)
		}
	}
	if got := tables[2].rows[1]; !slices.Equal(got, []string{"and", "40.0 · 0.50", "5.00"}) {
		t.Errorf("the second of ours: got %q", got)
	}
}

// TestPeers checks the table of us against each peer alone.
func TestPeers(t *testing.T) {
	p := &plan{contestants: []contestant{uproar("a", bitmap.Fastest), roaring32("b", false), roaring32("c", true)}}
	at := func(op operation, ns ...float64) line {
		l := line{op: op}
		for _, x := range ns {
			c := cell{state: timed, ns: x}
			if x == 0 {
				c = cell{state: wrong}
			}
			l.cells = append(l.cells, c)
		}
		return l
	}
	table := p.peers([]*result{{lines: []line{at(opAnd, 10, 20, 0), at(opOr, 10, 80, 5),
		at(opWideAndPar, 1, 100, 100)}}, {lines: []line{at(opAnd, 100, 99, 20)}}})
	want := [][]string{{"", "lines", "a", "ahead"}, {"b", "3", "2.51×", "0"}, {"c", "2", "0.32×", "2"}}
	if !slices.EqualFunc(table.rows, want, slices.Equal) {
		t.Errorf("got %q, want %q", table.rows, want)
	}
}

// TestMeansCountNoParallelIntersections checks that no mean over several operations has the line of
// parallel intersections. Peers are far slower there.
func TestMeansCountNoParallelIntersections(t *testing.T) {
	p := &plan{contestants: []contestant{uproar("a", bitmap.Fastest), roaring32("b", false)}}
	at := func(op operation, ours, theirs float64) line {
		return line{op: op, cells: []cell{{state: timed, ns: ours}, {state: timed, ns: theirs}}}
	}
	cells := at("", 1, 1).cells
	r := &result{name: "set", lines: []line{at(opAnd, 10, 20), at(opOr, 10, 80), at(opWideAndPar, 1, 1000)},
		bytes: cells}
	means := map[string]string{}
	for _, table := range append(p.summary([]*result{r}), r.table(p)) {
		for _, row := range table.rows {
			means[row[0]] = row[len(row)-1]
		}
	}
	for name, want := range map[string]string{geometricMean: "4.00×", "set": "4.00×", "overall": "4.00×",
		string(opWideAndPar): "1000×"} {
		if means[name] != want {
			t.Errorf("%s: got %q, want %q", name, means[name], want)
		}
	}
}

// TestReadValues checks the text form of the real data sets.
func TestReadValues(t *testing.T) {
	for text, want := range map[string][]uint64{
		"":            nil,
		"7":           {7},
		"1,20,300\n":  {1, 20, 300},
		"4294967296,": {1 << 32},
	} {
		if got, err := readValues(strings.NewReader(text)); err != nil || !slices.Equal(got, want) {
			t.Errorf("%q: got %d, %v, want %d", text, got, err, want)
		}
	}
	if _, err := readZip(t.TempDir(), "census1881"); err == nil || !strings.Contains(err.Error(), "-data") {
		t.Errorf("no file: got error %v, want one that names the flag", err)
	}
}

// TestFigures checks how numbers are shortened.
func TestFigures(t *testing.T) {
	for x, want := range map[float64]string{
		0.0123: "0.012", 0.1: "0.10", 1.234: "1.23", 9.999: "10.0", 99.99: "100", 1234: "1234", 12_345: "12.3k",
		999_600: "1.00M", 2.5e6: "2.50M", math.NaN(): "–",
	} {
		if got := figure(x); got != want {
			t.Errorf("%v: got %s, want %s", x, got, want)
		}
	}
}

// TestCombine checks the plain algorithm against maps.
func TestCombine(t *testing.T) {
	a, b := []uint64{1, 2, 5, 9}, []uint64{2, 3, 9, 10, 11}
	for i, keep := range []func(a, b bool) bool{
		func(a, b bool) bool {
			return a && b
		}, func(a, b bool) bool {
			return a || b
		}, func(a, b bool) bool { return a && !b }, func(a, b bool) bool { return a != b },
	} {
		var want []uint64
		for x := range uint64(20) {
			if keep(slices.Contains(a, x), slices.Contains(b, x)) {
				want = append(want, x)
			}
		}
		if got := combine(nil, a, b, keep); !slices.Equal(got, want) {
			t.Errorf("%d: got %v, want %v", i, got, want)
		}
	}
}
