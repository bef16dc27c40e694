// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package searches

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"

	"github.com/uproar-db/uproar/bench/chart"
	"github.com/uproar-db/uproar/bench/drive"
	"github.com/uproar-db/uproar/bench/prices"
)

// setting is how the collector of a process is set.
type setting struct{ gogc, limit string }

func (s setting) String() string { return "GOGC=" + s.gogc + ", GOMEMLIMIT=" + s.limit }

func (s setting) environment() []string { return []string{"GOGC=" + s.gogc, "GOMEMLIMIT=" + s.limit} }

// measured is what was measured under a setting.
type measured struct {
	setting
	servers []*server
	process prices.Report
}

// ways are what the report compares over HTTP, ours first.
var ways = []string{uproarKind, roaringKind, scanKind, compositeKind, constantKind}

// settingsOf returns each value of GOGC with each of GOMEMLIMIT.
func (s *settings) settingsOf() (list []setting) {
	for _, gogc := range strings.Split(s.gogc, ",") {
		for _, limit := range strings.Split(s.limits, ",") {
			list = append(list, setting{gogc, limit})
		}
	}
	return list
}

// writeReport measures all ways to search under all settings, and writes README.md, http.svg and
// process.svg to the folder, with the figures of the charts as JSON.
func (w *work) writeReport(stdout io.Writer) error {
	var all []measured
	for _, set := range w.settingsOf() {
		fmt.Fprintln(stdout, "measuring with", set)
		m := measured{setting: set}
		var err error
		if m.servers, err = w.measure(ways, set.environment()); err != nil {
			return err
		}
		if m.process, err = w.inProcess(set); err != nil {
			return err
		}
		all = append(all, m)
	}
	if err := os.MkdirAll(w.report, 0o755); err != nil {
		return err
	}
	http, process := w.charts(all[0])
	if err := errors.Join(http.Write(filepath.Join(w.report, "http")),
		process.Write(filepath.Join(w.report, "process"))); err != nil {
		return err
	}
	name := filepath.Join(w.report, "README.md")
	if err := os.WriteFile(name, w.markdown(all, http), 0o644); err != nil {
		return err
	}
	fmt.Fprintln(stdout, "wrote", name)
	return nil
}

// inProcess measures searches without a network, in a process of its own.
func (s *settings) inProcess(set setting) (r prices.Report, err error) {
	program, err := os.Executable()
	if err != nil {
		return r, err
	}
	c := exec.Command(program, "prices", "--json", "--offerings", strconv.Itoa(s.offerings), "--time", s.time.String(),
		fmt.Sprintf("--shuffled=%v", s.shuffled))
	c.Stderr, c.Env = os.Stderr, append(os.Environ(), set.environment()...)
	out, err := c.Output()
	if err != nil {
		return r, fmt.Errorf("bench prices: %w", err)
	}
	return r, json.Unmarshal(out, &r)
}

// heldColumns are those that the report has beside those of the comparison.
var heldColumns = []column{
	{"index, MB", 0, func(c *server) float64 { return float64(c.held.Index) / 1e6 }},
	{"entities, MB", 0, func(c *server) float64 { return float64(c.held.Entities) / 1e6 }},
}

// markdown returns the report.
func (w *work) markdown(all []measured, from *chart.Chart) []byte {
	b := new(bytes.Buffer)
	order := "offering by offering"
	if w.shuffled {
		order = "in random order"
	}
	fmt.Fprintf(b, "# The price for eight conditions\n\n%s, loaded %s.\n%s; %s; %s.\n\n```\n%s\n```\n\n", w.what(), order,
		from.Version, runtime.Version(), from.Machine, from.Command)
	b.WriteString("Uproar's index are the pages of its lists and keys, its entities those of its columns, as they lie on" +
		" the disk; of\nthe others both are on the heap. Resident is the whole process, after it was measured. All" +
		" answers were compared.\n\n![Over HTTP](http.svg)\n\n![In process](process.svg)\n")
	for i := range all {
		m := &all[i]
		fmt.Fprintf(b, "\n## %s\n\n### Over HTTP\n\n", m.setting)
		of := append(columns[:len(columns):len(columns)], heldColumns...)
		head := []string{""}
		for _, c := range of {
			head = append(head, c.head)
		}
		row(b, head)
		row(b, strings.Split("---"+strings.Repeat("|---", len(of)), "|"))
		for _, s := range m.servers {
			cells := []string{titles[s.Name]}
			for _, c := range of {
				cells = append(cells, figure(c.of(s)))
			}
			row(b, cells)
		}
		b.WriteString("\n### In process\n\n")
		row(b, []string{"", "searches", "a second", "p50, µs", "p99, µs", "processor, µs", "allocations", "memory, MB"})
		row(b, strings.Split("---"+strings.Repeat("|---", 7), "|"))
		for _, l := range m.process.Lines {
			row(b, []string{l.Way, l.Searches, figure(l.PerSecond), figure(l.P50 * 1e6), figure(l.P99 * 1e6),
				figure(l.Processor * 1e6), allocations(l.Allocs), figure(float64(l.Heap) / 1e6)})
		}
	}
	return b.Bytes()
}

// row writes a line of a table.
func row(b *bytes.Buffer, cells []string) { b.WriteString("| " + strings.Join(cells, " | ") + " |\n") }

// figure writes what was measured; what was not, not.
func figure(x float64) string {
	switch {
	case x <= 0:
		return ""
	case x < 1000:
		return strconv.FormatFloat(x, 'f', 1, 64)
	default:
		return strconv.FormatFloat(x, 'f', 0, 64)
	}
}

// allocations are also figures when there are none.
func allocations(x float64) string {
	if x < 0 {
		return ""
	}
	return strconv.FormatFloat(x, 'f', 0, 64)
}

// charts draws Uproar beside each of the others, over HTTP and in process.
func (w *work) charts(m measured) (http, process *chart.Chart) {
	command := fmt.Sprintf("bench catalog -report DIR -offerings %d -connections %d -rounds %d -time %v -gogc %s -limits %s",
		w.offerings, w.connections, w.rounds, w.time, w.gogc, w.limits)
	http = chart.New("The price for eight conditions, over HTTP, "+m.String(), command)
	for _, s := range m.servers[1 : len(m.servers)-1] {
		title := titles[s.Name]
		bar := func(text, unit string, more bool, of func(c *server) float64) {
			http.Add(title, chart.Bar{Text: text, Peer: title, Unit: unit, More: more}, of(m.servers[0]), of(s))
		}
		bar("requests", "a second", true, median(func(s drive.Slot) float64 { return s.PerSecond }))
		bar("p50", "µs", false, median(func(s drive.Slot) float64 { return s.P50 }))
		bar("p99", "µs", false, median(func(s drive.Slot) float64 { return s.P99 }))
		bar("processor", "µs", false, median(func(s drive.Slot) float64 { return s.Processor }))
		bar("resident", "MB", false, func(c *server) float64 { return float64(c.resident) / 1e6 })
	}
	process = chart.New("The price for eight conditions, in process, "+m.String(), command)
	var ours prices.Line
	for _, l := range m.process.Lines {
		if l.Way == "uproar" && l.Searches == "all conditions" {
			ours = l
		}
	}
	for _, l := range m.process.Lines {
		if l.Way == "uproar" || l.Searches != "all conditions" {
			continue
		}
		process.Add(l.Way, chart.Bar{Text: "p50", Peer: l.Way, Unit: "µs"}, ours.P50*1e6, l.P50*1e6)
		process.Add(l.Way, chart.Bar{Text: "p99", Peer: l.Way, Unit: "µs"}, ours.P99*1e6, l.P99*1e6)
	}
	return http, process
}
