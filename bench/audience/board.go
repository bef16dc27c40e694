// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package audience

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/uproar-db/uproar/bench/chart"
	"github.com/uproar-db/uproar/bench/population"
)

// cell is one question to one contestant.
type cell struct {
	name     string
	threads  int
	audience int
	question question
	whole    bool
}

// loaded is what it took to load the population.
type loaded struct {
	name  string
	took  time.Duration
	bytes int64
}

// board gathers what was measured.
type board struct {
	markdown bool
	missing  []string
	loads    []loaded
	medians  map[cell]time.Duration
	answers  map[cell][]row // of whoever answered first: without name and threads
}

// compare fails when an answer is not that of those before.
func (b *board) compare(x cell, rows []row) error {
	key := cell{audience: x.audience, question: x.question}
	want, ok := b.answers[key]
	if !ok {
		b.answers[key] = rows
		return nil
	}
	if !agree(x.question, want, rows) {
		return fmt.Errorf("%s of %s in %d threads: got %v, want %v", x.question,
			population.Audiences()[x.audience].Name, x.threads, rows, want)
	}
	return nil
}

// put keeps the median.
func (b *board) put(x cell, took []time.Duration) {
	if b.medians == nil {
		b.medians = make(map[cell]time.Duration)
	}
	slices.Sort(took)
	b.medians[x] = took[len(took)/2]
}

// ratio returns the time of the best peer, divided by ours. It is 0 if one of them was not
// measured.
func (b *board) ratio(x cell) (best time.Duration, ratio float64) {
	for c, took := range b.medians {
		if !isOurs(c.name) && c.threads == x.threads && c.audience == x.audience && c.question == x.question &&
			c.whole == x.whole && (best == 0 || took < best) {
			best = took
		}
	}
	if ours := b.medians[x]; ours > 0 {
		ratio = float64(best) / float64(ours)
	}
	return best, ratio
}

// draw returns the chart of all audiences in one thread, each peer beside our fast layout, from the
// query to the answer where that was measured.
func (b *board) draw() *chart.Chart {
	c := chart.New("Audiences, each question in one thread", "bench audience")
	for _, q := range questions {
		whole := q != size && q != postalCodes && q != cities
		for i, a := range population.Audiences() {
			for _, l := range b.loads[min(1, len(b.loads)):] {
				if isOurs(l.name) {
					continue
				}
				ours := b.medians[cell{b.loads[0].name, 1, i, q, whole}]
				theirs := b.medians[cell{l.name, 1, i, q, whole}]
				c.Add(string(q)+", "+a.Name, chart.Bar{Text: "beside " + l.name, Peer: l.name, Unit: "ms"},
					ours.Seconds()*1e3, theirs.Seconds()*1e3)
			}
		}
	}
	return c
}

func isOurs(name string) bool { return strings.HasPrefix(name, "Uproar") }

// write writes a table for each question, with the audiences as its rows.
func (b *board) write(w io.Writer) error {
	t := newTable(w, b.markdown)
	t.title("Load and disk")
	t.row("", "load, s", "disk, MB")
	for _, l := range b.loads {
		t.row(l.name, fmt.Sprintf("%.1f", l.took.Seconds()), fmt.Sprintf("%.0f", float64(l.bytes)/1e6))
	}
	for _, m := range b.missing {
		t.note(m)
	}
	for _, threads := range []int{1, 2} {
		for _, whole := range []bool{false, true} {
			for _, q := range questions {
				b.question(t, q, threads, whole)
			}
		}
	}
	return t.flush()
}

// question writes the table of one question.
func (b *board) question(t *table, q question, threads int, whole bool) {
	if q == size && threads > 1 {
		return
	}
	given := "audience given"
	if whole || q == size {
		given = "end to end"
	}
	lines := [][]string{{"ms"}}
	for _, l := range b.loads {
		lines[0] = append(lines[0], l.name)
	}
	lines[0] = append(lines[0], "best peer / ours")
	for audience, a := range population.Audiences() {
		line := []string{a.Name}
		fastest := 0.0
		for _, l := range b.loads {
			x := cell{l.name, threads, audience, q, whole}
			took, ok := b.medians[x]
			if !ok {
				return
			}
			line = append(line, milliseconds(took))
			if _, ratio := b.ratio(x); isOurs(l.name) {
				fastest = max(fastest, ratio)
			}
		}
		lines = append(lines, append(line, fmt.Sprintf("%.2f×", fastest)))
	}
	t.title(fmt.Sprintf("%s, %s, threads: %d", strings.ToUpper(string(q[:1]))+string(q[1:]), given, threads))
	for _, line := range lines {
		t.row(line...)
	}
}

func milliseconds(d time.Duration) string {
	ms := d.Seconds() * 1e3
	switch {
	case ms >= 10:
		return fmt.Sprintf("%.0f", ms)
	case ms >= 0.1:
		return fmt.Sprintf("%.2f", ms)
	default:
		return fmt.Sprintf("%.4f", ms)
	}
}

// table writes tables as text or Markdown.
type table struct {
	w        io.Writer
	tabs     *tabwriter.Writer
	markdown bool
	first    bool
}

func newTable(w io.Writer, markdown bool) *table {
	return &table{w: w, tabs: tabwriter.NewWriter(w, 0, 0, 2, ' ', 0), markdown: markdown}
}

func (t *table) title(text string) {
	_ = t.tabs.Flush() // the last one tells
	if t.markdown {
		text = "**" + text + "**\n"
	}
	fmt.Fprintf(t.tabs, "\n%s\n", text)
	t.first = true
}

func (t *table) note(text string) { fmt.Fprintf(t.tabs, "\n%s\n", text) }

func (t *table) row(cells ...string) {
	if !t.markdown {
		fmt.Fprintln(t.tabs, strings.Join(cells, "\t"))
		return
	}
	fmt.Fprintln(t.tabs, "| "+strings.Join(cells, " | ")+" |")
	if t.first {
		fmt.Fprintln(t.tabs, "|"+strings.Repeat("---|", len(cells)))
		t.first = false
	}
}

func (t *table) flush() error { return t.tabs.Flush() }
