// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

//go:build linux

package engines

import (
	"fmt"
	"io"
	"regexp"
	"strings"

	"github.com/uproar-db/uproar/cmd/uproar/terminal"
)

// figure is a number in a cell: of a measurement, as show prints it.
type figure struct {
	measurement, name string
	show              func(float64) string
}

// row is a line of the table: its figures stand beside each other. A row without figures is a
// heading.
type row struct {
	name    string
	figures []figure
	disk    []figure // of the disk alone
}

func count(x float64) string   { return terminal.Count(int64(x)) }
func bytes_(x float64) string  { return terminal.Bytes(int64(x)) }
func took(x float64) string    { return terminal.Short(x) }
func times(x float64) string   { return fmt.Sprintf("%.2f", x) }
func percent(x float64) string { return fmt.Sprintf("%.0f %%", 100*x) }
func mb(x float64) string      { return fmt.Sprintf("%.1f", x) }

// share shows megabytes a second as a share of what the disk does alone.
const share = "share of "

var table = []row{
	{name: "**through the database**"},
	{"single events, 64 writers: events/s", []figure{{"single", "rate", count}}, nil},
	{"… reads' p99 alone · beside · times", []figure{{"single", "alone", took}, {"single", "beside", took},
		{"single", "times", times}}, nil},
	{"batches of 100, 8 writers: events/s", []figure{{"batches", "rate", count}}, nil},
	{"… reads' p99 alone · beside · times", []figure{{"batches", "alone", took}, {"batches", "beside", took},
		{"batches", "times", times}}, nil},
	{"written an event: 200/s · 20 000/s · single · batches", []figure{{"at 200/s", "written each", bytes_},
		{"at 20 000/s", "written each", bytes_}, {"single", "written each", bytes_},
		{"batches", "written each", bytes_}}, nil},
	{"… anonymous memory, most: single · batches", []figure{{"single", "memory", bytes_},
		{"batches", "memory", bytes_}}, nil},
	{"graph: load · on disk · first answer after opening", []figure{{"graph", "load", took}, {"graph", "disk", bytes_},
		{"graph", "open", took}}, nil},
	{"… does_follow, p50 · p99", []figure{{"graph", "does_follow", took}, {"graph", "does_follow p99", took}}, nil},
	{"… intersect_followers of the top 2, p50 · p99", []figure{{"graph", "intersect_followers of the top 2", took},
		{"graph", "intersect_followers of the top 2 p99", took}}, nil},
	{"… anonymous memory, most", []figure{{"graph", "memory", bytes_}}, nil},
	{"graph of ten times as many: load · on disk · first answer after opening", []figure{{"large graph", "load", took},
		{"large graph", "disk", bytes_}, {"large graph", "open", took}}, nil},
	{"… does_follow, p50 · p99", []figure{{"large graph", "does_follow", took},
		{"large graph", "does_follow p99", took}}, nil},
	{"… intersect_followers of the top 2, p50 · p99", []figure{
		{"large graph", "intersect_followers of the top 2", took},
		{"large graph", "intersect_followers of the top 2 p99", took}}, nil},
	{"… anonymous memory, most", []figure{{"large graph", "memory", bytes_}}, nil},
	{"audience: load · on disk · open", []figure{{"audience", "load", took}, {"audience", "disk", bytes_},
		{"audience", "open", took}}, nil},
	{"… word cloud of the largest", []figure{{"audience", "cloud", took}}, nil},
	{"… anonymous memory, most", []figure{{"audience", "memory", bytes_}}, nil},
	{"catalog: load · on disk · first answer after opening", []figure{{"catalog", "load", took},
		{"catalog", "disk", bytes_}, {"catalog", "open", took}}, nil},
	{"… a search by 8 conditions, p50 · p99", []figure{{"catalog", "search", took}, {"catalog", "search p99", took}},
		nil},
	{"… two readers beside a writer, p50 · p99", []figure{{"catalog", "beside", took},
		{"catalog", "beside p99", took}}, nil},
	{"… anonymous memory, most", []figure{{"catalog", "memory", bytes_}}, nil},
	{name: "**the engine alone**"},
	{"page rewrites: pages/s · MB/s · of the disk", []figure{{"pages", "rate", count}, {"pages", "MB/s", mb},
		{"pages", share + "pages MB/s", percent}}, []figure{{"disk", "pages", count}, {"disk", "pages MB/s", mb}}},
	{"… bytes written, times what was given", []figure{{"pages", "factor", times}}, nil},
	{"… room, times what is alive: at most · after idling", []figure{{"pages", "most", times}, {"pages", "idle", times}},
		nil},
	{"… close · open · anonymous memory, most", []figure{{"pages", "close", took}, {"pages", "open", took},
		{"pages", "memory", bytes_}}, nil},
	{"page Get, warm: p50 · p99", []figure{{"gets", "warm p50", took}, {"gets", "warm p99", took}}, nil},
	{"page Get, cold: p50 · p99", []figure{{"gets", "cold p50", took}, {"gets", "cold p99", took}}, nil},
	{"synced commits/s of one writer · p50 · p99", []figure{{"one writer", "rate", count}, {"one writer", "p50", took},
		{"one writer", "p99", took}}, []figure{{"disk", "entry", count}}},
	{"synced commits/s of 64 writers · p50 · p99", []figure{{"64 writers", "rate", count}, {"64 writers", "p50", took},
		{"64 writers", "p99", took}}, nil},
	{"sorted entries, MB/s · of the disk · × written", []figure{{"sorted", "MB/s", mb},
		{"sorted", share + "bulk MB/s", percent}, {"sorted", "factor", times}}, []figure{{"disk", "bulk MB/s", mb}}},
	{"random entries/s · slowest second of the median · × written", []figure{{"random", "rate", count},
		{"random", "slowest", percent}, {"random", "factor", times}}, nil},
	{"… close · open · anonymous memory, most", []figure{{"random", "close", took}, {"random", "open", took},
		{"random", "memory", bytes_}}, nil},
	{name: "**what it costs**"},
	{"lines of ours · modules of others", []figure{{"code", "lines", count}, {"code", "modules", count}}, nil},
}

// print writes the table as Markdown. Rows of which nothing was measured are left out.
func (s *settings) print(w io.Writer, all results) (err error) {
	write := func(format string, args ...any) {
		if err == nil {
			_, err = fmt.Fprintf(w, format, args...)
		}
	}
	chosen, shown := regexp.MustCompile(s.engines), []string{}
	for _, e := range engines {
		if e == disk || chosen.MatchString(e) {
			shown = append(shown, e)
		}
	}
	write("| | %s |\n|---%s|\n", strings.Join(shown, " | "), strings.Repeat("|---", len(shown)))
	for _, r := range table {
		cells, something := make([]string, len(shown)), len(r.figures) == 0
		for i, e := range shown {
			list := r.figures
			if e == disk {
				list = r.disk
			}
			cells[i] = all.cell(e, list)
			something = something || cells[i] != ""
		}
		if something {
			write("| %s | %s |\n", r.name, strings.Join(cells, " | "))
		}
	}
	write("\nMedians of %s. %d accounts and %d follows are written to, %d and %d are asked; %d people; "+
		"%d offerings; %d pages of %d bytes; %d sorted and %d random entries of %d bytes; %v each; "+
		"memory %s, twice that for the process.\n", terminal.Plural(s.rounds, "round"), s.Accounts, s.Follows, s.Graph,
		s.Large, s.People, s.Offerings, s.Pages, s.PageBytes, s.Sorted, s.Random, entryBytes, s.Time,
		terminal.Bytes(s.Memory))
	return err
}

// cell returns the figures of an engine, "" when there are none.
func (r results) cell(engine string, list []figure) string {
	var parts []string
	for _, f := range list {
		name, isShare := strings.CutPrefix(f.name, share)
		x, ok := r.median(f.measurement, engine, f.name)
		if isShare {
			var alone float64
			x, ok = r.median(f.measurement, engine, "MB/s")
			if alone, _ = r.median("disk", disk, name); alone == 0 {
				ok = false
			}
			x /= max(alone, 1e-9)
		}
		if ok {
			parts = append(parts, f.show(x))
		}
	}
	return strings.Join(parts, " · ")
}
