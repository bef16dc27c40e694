// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package library

import (
	"cmp"
	"fmt"
	"math"
	"slices"
)

// bytesAValue names the line of sizes.
const bytesAValue = "bytes a value"

const geometricMean = "geometric mean of the times' ratios"

// table returns the table of a data set. Its mean is of the lines that count.
func (r *result) table(p *plan) *table {
	t := &table{title: fmt.Sprintf("%s: %d sets, %d values", r.name, r.sets, r.count), notes: r.notes}
	t.row(p.header("ns · allocations")...)
	total := make(means, len(p.own()))
	for _, l := range r.lines {
		row := []string{string(l.op)}
		for _, c := range l.cells {
			row = append(row, c.text())
		}
		ratios := p.ratios(l.cells)
		if l.op.counts() {
			total.add(ratios)
		}
		t.row(append(row, multiples(ratios)...)...)
	}
	row := []string{bytesAValue}
	for _, c := range r.bytes {
		if c.state == timed {
			row = append(row, figure(c.ns))
		} else {
			row = append(row, c.text())
		}
	}
	t.row(append(row, multiples(p.ratios(r.bytes))...)...)
	row = make([]string, 1+len(p.contestants))
	row[0] = geometricMean
	t.row(append(row, multiples(total.values())...)...)
	return t
}

// header returns the names of the columns of a table by contestant.
func (p *plan) header(first string) []string {
	row := []string{first}
	for _, c := range p.contestants {
		row = append(row, c.name())
	}
	for _, name := range p.own() {
		row = append(row, "best peer / "+name)
	}
	return row
}

func multiples(ratios []float64) (row []string) {
	for _, x := range ratios {
		row = append(row, multiple(x))
	}
	return row
}

// summary returns the tables over all data sets: means by peer, by data set and by operation, and
// the lines where we lose.
func (p *plan) summary(results []*result) []*table {
	columns := []string{""}
	for _, name := range p.own() {
		columns = append(columns, "best peer / "+name)
	}
	sets := &table{title: "By data set (geometric mean of all lines but parallel intersections)"}
	sets.row(columns...)
	all := make(means, len(p.own()))
	for _, r := range results {
		one := make(means, len(p.own()))
		for _, l := range r.lines {
			if l.op.counts() {
				one.add(p.ratios(l.cells))
				all.add(p.ratios(l.cells))
			}
		}
		sets.row(append([]string{r.name}, multiples(one.values())...)...)
	}
	sets.row(append([]string{"overall"}, multiples(all.values())...)...)

	ops := &table{title: "By operation (geometric mean over the data sets)"}
	ops.row(columns...)
	for _, op := range operations {
		one := make(means, len(p.own()))
		found := false
		for _, r := range results {
			if i := slices.IndexFunc(r.lines, func(l line) bool { return l.op == op }); i >= 0 {
				one.add(p.ratios(r.lines[i].cells))
				found = true
			}
		}
		if found {
			ops.row(append([]string{string(op)}, multiples(one.values())...)...)
		}
	}
	return []*table{p.peers(results), sets, ops, p.losses(results)}
}

const shownLosses = 40

// losses returns the table of lines in which the best peer is ahead of us, the worst first.
func (p *plan) losses(results []*result) *table {
	type loss struct {
		ratio float64
		row   []string
	}
	var list []loss
	for _, r := range results {
		for _, l := range append(slices.Clone(r.lines), line{bytesAValue, r.bytes}) {
			for i, x := range p.ratios(l.cells) {
				if best, ok := p.bestPeer(l.cells); ok && !math.IsNaN(x) && x < 1 {
					list = append(list, loss{x, []string{r.name + ": " + string(l.op), p.own()[i], figure(best / x),
						figure(best), multiple(x)}})
				}
			}
		}
	}
	slices.SortStableFunc(list, func(a, b loss) int { return cmp.Compare(a.ratio, b.ratio) })
	t := &table{title: fmt.Sprintf("Where the best peer is ahead: %d lines, of which the worst are", len(list))}
	t.row("line", "ours", "ns, or bytes", "best peer", "best peer / ours")
	for _, l := range list[:min(len(list), shownLosses)] {
		t.row(l.row...)
	}
	return t
}
