// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package library

import (
	"math"
	"slices"
	"strings"
)

const randomSets = "random, " // how the names of sets of random values begin

// kind returns what sort of data a data set is: those of one sort stand beside each other.
func (r *result) kind() string {
	switch {
	case slices.Contains(realNames, r.name):
		return "real data"
	case strings.HasPrefix(r.name, randomSets):
		return "random sets"
	}
	return "other sets"
}

// overviews returns the tables of docs/benchmarks/library.md: for each of ours and each sort of
// data, all data sets beside each other, with our nanoseconds and how many times as long the best
// peer takes.
func (p *plan) overviews(results []*result) (list []*table) {
	for own, name := range p.own() {
		for rest := results; len(rest) > 0; {
			n := slices.IndexFunc(rest, func(r *result) bool { return r.kind() != rest[0].kind() })
			if n < 0 {
				n = len(rest)
			}
			list = append(list, p.overview(rest[:n], own, name+", "+rest[0].kind()))
			rest = rest[n:]
		}
	}
	return list
}

func (p *plan) overview(results []*result, own int, title string) *table {
	t := &table{title: title}
	header, last := []string{"ns · best peer / ours"}, []string{"geometric mean of the ratios"}
	for _, r := range results {
		header = append(header, strings.TrimPrefix(r.name, randomSets))
		var m mean
		for _, l := range r.lines {
			if l.op.counts() {
				m.add(p.ratios(l.cells)[own])
			}
		}
		last = append(last, strings.TrimSuffix(multiple(m.value()), "×"))
	}
	t.row(header...)
	for _, op := range append(slices.Clone(operations), bytesAValue) {
		row, found := []string{string(op)}, false
		for _, r := range results {
			cells := r.cells(op)
			found = found || cells != nil
			row = append(row, p.besidePeers(cells, own))
		}
		if found {
			t.row(row...)
		}
	}
	t.row(last...)
	return t
}

// besidePeers returns the figure of one of ours. After a point it adds the best peer's divided by
// it, if there is one.
func (p *plan) besidePeers(cells []cell, own int) string {
	if cells == nil {
		return "–"
	}
	at := slices.IndexFunc(p.contestants, func(c contestant) bool { return c.ours() && c.name() == p.own()[own] })
	if cells[at].state != timed {
		return cells[at].text()
	}
	text := figure(cells[at].ns)
	if ratio := p.ratios(cells)[own]; !math.IsNaN(ratio) {
		text += " · " + strings.TrimSuffix(multiple(ratio), "×")
	}
	return text
}

// cells returns the figures of an operation, or of the bytes a value; nil if it was not measured.
func (r *result) cells(op operation) []cell {
	if op == bytesAValue {
		return r.bytes
	}
	if i := slices.IndexFunc(r.lines, func(l line) bool { return l.op == op }); i >= 0 {
		return r.lines[i].cells
	}
	return nil
}
