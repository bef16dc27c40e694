// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package library

import (
	"strconv"
	"strings"

	"github.com/uproar-db/uproar/bench/chart"
)

// behind is the ratio below which a peer counts as ahead of us: closer figures are one.
const behind = 0.98

// peers returns the table of us against each peer alone. It has the geometric mean of its times
// divided by ours, and in how many of the lines that count it is ahead.
func (p *plan) peers(results []*result) *table {
	t := &table{title: "Against each peer (geometric mean of its time / ours, without parallel intersections; lines " +
		"in which it is ahead by more than 2 %)"}
	header := []string{"", "lines"}
	for _, name := range p.own() {
		header = append(header, name, "ahead")
	}
	t.row(header...)
	for i, peer := range p.contestants {
		if peer.ours() {
			continue
		}
		row, lines := []string{peer.name(), ""}, 0
		for j, own := range p.contestants {
			if !own.ours() {
				continue
			}
			var m mean
			ahead := 0
			for _, r := range results {
				for _, l := range r.lines {
					if !l.op.counts() || l.cells[i].state != timed || l.cells[j].state != timed {
						continue
					}
					ratio := l.cells[i].ns / l.cells[j].ns
					if m.add(ratio); ratio < behind {
						ahead++
					}
				}
			}
			lines = max(lines, m.n)
			row = append(row, multiple(m.value()), strconv.Itoa(ahead))
		}
		row[1] = strconv.Itoa(lines)
		t.row(row...)
	}
	return t
}

// draw returns the chart of that table: the peers beside the first of ours.
func draw(peers *table) *chart.Chart {
	c := chart.New("Uproar's sets beside Go libraries", "bench library")
	for _, row := range peers.rows[1:] {
		ratio, err := strconv.ParseFloat(strings.TrimSuffix(row[2], "×"), 64)
		if err != nil {
			continue // it has no line that is measured of both
		}
		c.Add("geometric mean of its time / ours", chart.Bar{Text: row[1] + " lines", Peer: row[0], Unit: "(ratio)",
			Said: "geometric mean of the ratios, " + row[0]}, 1, ratio)
	}
	return c
}
