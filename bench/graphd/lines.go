// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package graphd

import (
	"fmt"
	"io"
	"strings"

	"github.com/uproar-db/uproar/bench/chart"
	"github.com/uproar-db/uproar/bench/drive"
	"github.com/uproar-db/uproar/bench/socialgraph"
)

// line is what was measured of some questions.
type line struct {
	name  string
	size  int            // bytes of an answer, on average
	slots [][]drive.Slot // of each server; the constant is the last
}

// measure asks the questions of a line of all servers, in turns, while the others are stopped.
func (s *settings) measure(scratch string, a socialgraph.Asked, servers []*server) (*line, string, error) {
	requests := make([]drive.Request, len(a.Addresses))
	for i, address := range a.Addresses {
		requests[i].Path = address
	}
	asks, name, err := drive.New(s.driver, scratch, s.connections, requests)
	if err != nil {
		return nil, "", err
	}
	l := &line{name: a.Name}
	if l.size, err = sizeOf(servers[0], a.Addresses); err != nil {
		return nil, "", err
	}
	constant, err := startConstant(l.size)
	if err != nil {
		return nil, "", err
	}
	defer constant.Stop()
	all := append(servers[:len(servers):len(servers)], &server{Process: constant})
	l.slots = make([][]drive.Slot, len(all))
	for _, p := range all {
		p.Suspend()
		defer p.Resume()
	}
	for range s.rounds {
		for i, p := range all {
			p.Resume()
			took, err := p.Measure(asks, s.time)
			p.Suspend()
			if err != nil {
				return nil, "", err
			}
			l.slots[i] = append(l.slots[i], took)
		}
	}
	return l, name, nil
}

// figures returns the medians of one server.
func (l *line) figures(server int) drive.Slot {
	of := func(figure func(drive.Slot) float64) float64 { return drive.Median(l.slots[server], figure) }
	return drive.Slot{
		PerSecond: of(func(s drive.Slot) float64 {
			return s.PerSecond
		}), P50: of(func(s drive.Slot) float64 { return s.P50 }),
		P99: of(func(s drive.Slot) float64 {
			return s.P99
		}), Processor: of(func(s drive.Slot) float64 { return s.Processor }),
	}
}

// report prints what was measured, as a table of Markdown: requests a second, p50 in ms, and µs of
// the server's processor for a request.
func (s *settings) report(w io.Writer, lines []*line, servers []*server) error {
	head := []string{"requests/s · p50, ms · µs of CPU"}
	for _, p := range servers {
		head = append(head, p.Name)
	}
	if len(s.graphd) > 0 {
		head = append(head, "Uproar / GraphD", "CPU, GraphD / Uproar")
	}
	head = append(head, "constant", "of the constant")
	fmt.Fprintf(w, "| %s |\n|%s\n", strings.Join(head, " | "), strings.Repeat("---|", len(head)))
	for _, l := range lines {
		row := []string{fmt.Sprintf("%s (%d bytes)", l.name, l.size)}
		ours, best, least := l.figures(0), 0.0, 0.0
		for i := range servers {
			f := l.figures(i)
			row = append(row, text(f))
			if i < len(s.uproar) {
				continue
			}
			best = max(best, f.PerSecond)
			if least == 0 || f.Processor < least {
				least = f.Processor
			}
		}
		if len(s.graphd) > 0 {
			row = append(row, ratio(ours.PerSecond, best), ratio(least, ours.Processor))
		}
		constant := l.figures(len(servers))
		row = append(row, text(constant), fmt.Sprintf("%.0f %%", 100*ours.PerSecond/constant.PerSecond))
		if _, err := fmt.Fprintf(w, "| %s |\n", strings.Join(row, " | ")); err != nil {
			return err
		}
	}
	return nil
}

// draw returns the chart of the requests a second, each GraphD beside the first Uproar.
func (s *settings) draw(lines []*line, servers []*server) *chart.Chart {
	c := chart.New("Questions about follows over HTTP", "bench graphd")
	for _, l := range lines {
		for i, p := range servers[len(s.uproar):] {
			c.Add(l.name, chart.Bar{Text: "beside " + p.Name, Peer: p.Name, Unit: "a second", More: true},
				l.figures(0).PerSecond, l.figures(len(s.uproar)+i).PerSecond)
		}
	}
	return c
}

// text is the figures of a server as the table has them.
func text(f drive.Slot) string {
	return fmt.Sprintf("%.0f · %.2f · %.1f", f.PerSecond, f.P50/1000, f.Processor)
}

// ratio is how often one figure has another; none if there was no answer in the time.
func ratio(of, by float64) string {
	if of == 0 || by == 0 {
		return "–"
	}
	return fmt.Sprintf("%.1f", of/by)
}
