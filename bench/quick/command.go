// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package quick

import (
	"flag"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/uproar-db/uproar/bench/audience"
	"github.com/uproar-db/uproar/bench/chart"
	"github.com/uproar-db/uproar/bench/library"
)

// settings are the flags of the command.
type settings struct {
	dir              string
	limit, slot      time.Duration
	people, accounts int
	records          int
	chart            string
}

// Names returns the names of the figures, in the order in which they are printed.
func Names() []string {
	names := append(library.HeadlineNames(), graphNames[:]...)
	return append(append(names, audience.HeadlineNames()...), catalogNames...)
}

// Command measures, and prints a line for each figure: its name, ours, the best peer's, and the
// ratio. Tabs are between them. A ratio above 1 means that we are ahead. Times are nanoseconds. A
// figure that could not be measured has a ratio of 0; stderr says why.
func Command(args []string, stdout, stderr io.Writer) error {
	var s settings
	f := flag.NewFlagSet("quick", flag.ContinueOnError)
	f.SetOutput(stderr)
	f.StringVar(&s.dir, "data", "../../shared/data/realdata",
		"`folder` with RoaringBitmap's real data sets, as zip files; without it only random sets are measured")
	f.DurationVar(&s.limit, "limit", 36*time.Second, "what has not begun by then is left out")
	f.DurationVar(&s.slot, "time", 4*time.Millisecond, "time of each contestant in each round of an operation")
	f.IntVar(&s.people, "people", 30_000, "people of the population")
	f.IntVar(&s.accounts, "accounts", 50_000, "accounts of the graph")
	f.IntVar(&s.records, "records", 10_000, "records of the price list")
	f.StringVar(&s.chart, "chart", "", "also write the figures as `NAME`.json and draw them as NAME.svg")
	if err := f.Parse(args); err != nil {
		return err
	}
	if f.NArg() > 0 || s.limit <= 0 || s.slot <= 0 || s.people < 1000 || s.accounts < 1000 || s.records < 1000 {
		return fmt.Errorf(
			"quick: want flags only, times above 0, and at least 1000 people, accounts and records; got %q", args)
	}
	return s.run(stdout, stderr)
}

func (s *settings) run(stdout, stderr io.Writer) error {
	begun := time.Now()
	found := make(map[string]library.Headline)
	for _, part := range []struct {
		name    string
		share   float64 // of the limit, by which it must have begun
		measure func(until time.Time) ([]library.Headline, error)
	}{
		{"audience", 0.5, func(until time.Time) ([]library.Headline, error) {
			return audience.Headlines(s.people, 5*s.slot, until)
		}},
		{"catalog", 0.6, func(until time.Time) ([]library.Headline, error) {
			return catalogHeadlines(s.records, s.slot, until)
		}},
		{"graph", 0.8, func(until time.Time) ([]library.Headline, error) {
			return graphHeadlines(s.accounts, s.slot, until)
		}},
		{"library", 1, func(until time.Time) ([]library.Headline, error) {
			return library.Headlines(s.dir, s.slot, until)
		}},
	} {
		until := begun.Add(time.Duration(part.share * float64(s.limit)))
		if time.Now().After(until) {
			fmt.Fprintf(stderr, "%s: no time was left\n", part.name)
			continue
		}
		list, err := part.measure(until)
		if err != nil {
			fmt.Fprintf(stderr, "%s: %v\n", part.name, err)
		}
		for _, h := range list {
			found[h.Name] = h
		}
		fmt.Fprintf(stderr, "%s: after %.0f s\n", part.name, time.Since(begun).Seconds())
	}
	for _, name := range Names() {
		h := found[name]
		if _, err := fmt.Fprintf(stdout, "%s\t%.4g\t%.4g\t%.3g\n", name, h.Ours, h.Peer, h.Ratio()); err != nil {
			return err
		}
	}
	return draw(found).WriteIf(s.chart)
}

// draw returns the chart of what was measured.
func draw(found map[string]library.Headline) *chart.Chart {
	c := chart.New("Uproar beside Go libraries", "bench quick")
	for _, name := range Names() {
		group, what, _ := strings.Cut(name, ": ")
		c.Add(group, chart.Bar{Text: what, Peer: "best peer", Unit: "ns"}, found[name].Ours, found[name].Peer)
	}
	return c
}
