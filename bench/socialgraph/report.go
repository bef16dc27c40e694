// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package socialgraph

import (
	"bufio"
	"fmt"
	"io"

	"github.com/uproar-db/uproar/cmd/uproar/terminal"
)

// printGraph prints what was measured of a graph.
func printGraph(w io.Writer, r *Report) error {
	out := bufio.NewWriter(w)
	line := func(name, format string, args ...any) {
		fmt.Fprintf(out, "%-12s %s\n", name, fmt.Sprintf(format, args...))
	}
	line("network", "%s, %s", terminal.Plural(int64(r.Accounts), "account"), terminal.Plural(r.Follows, "follow"))
	if r.SHA256 != "" {
		line("sha256", "%s", r.SHA256)
	}
	if r.Load > 0 {
		line("load", "%s (%s follows a second), processor %s, anonymous memory at most %s", terminal.Seconds(r.Load),
			terminal.Count(int64(float64(r.Follows)/r.Load)),
			terminal.Seconds(r.LoadWork), terminal.BytesOrUnknown(r.LoadMost))
	}
	line("on disk", "%s; lists %s, keys %s", terminal.Bytes(r.Disk), terminal.Bytes(r.Lists), terminal.Bytes(r.Keys))
	line("open", "%s to the first answer, anonymous memory %s", terminal.Seconds(r.Open),
		terminal.BytesOrUnknown(r.OpenBytes))
	if r.Asked != 0 {
		line("asked", "anonymous memory after random questions %s", terminal.BytesOrUnknown(r.Asked))
	}
	if len(r.Process) > 0 {
		rows := [][]string{{"in process", "p50 µs", "p99 µs", "values", "ns a value", "allocations"}}
		for _, l := range r.Process {
			each := ""
			if l.Each > 0 {
				each = fmt.Sprintf("%.0f", l.Each*1e9)
			}
			rows = append(rows, []string{l.Name, fmt.Sprintf("%.1f", l.P50*1e6), fmt.Sprintf("%.1f", l.P99*1e6),
				fmt.Sprintf("%.0f", l.Values), each, fmt.Sprintf("%.1f", l.Allocs)})
		}
		fmt.Fprintln(out)
		terminal.Table(out, rows, 1)
	}
	if len(r.HTTP) > 0 {
		rows := [][]string{{"over HTTP", "answers/s", "p50 ms", "p99 ms", "bytes", "constant replies/s", "of them"}}
		for _, c := range r.HTTP {
			rows = append(rows, []string{c.Name, terminal.Count(int64(c.PerSecond)), fmt.Sprintf("%.2f", c.P50*1e3),
				fmt.Sprintf("%.2f", c.P99*1e3), terminal.Count(int64(c.Bytes)),
				terminal.Count(int64(c.Ceiling)), fmt.Sprintf("%.0f %%", 100*c.PerSecond/c.Ceiling)})
		}
		fmt.Fprintln(out)
		terminal.Table(out, rows, 1)
	}
	if len(r.Cold) > 0 {
		rows := [][]string{{"nothing in memory", "p50 ms", "p99 ms"}}
		for _, c := range r.Cold {
			rows = append(rows, []string{c.Name, fmt.Sprintf("%.2f", c.P50*1e3), fmt.Sprintf("%.2f", c.P99*1e3)})
		}
		fmt.Fprintln(out)
		terminal.Table(out, rows, 1)
	}
	if len(r.Live) > 0 {
		rows := [][]string{{"beside events", "events/s", "questions", "p50 µs", "p99 µs", "memory", "on disk"}}
		at := 0.0
		for i, p := range r.Live {
			name := "without"
			if i > 0 {
				at += p.Seconds
				name = "until " + terminal.Seconds(at)
			}
			rows = append(rows, []string{name, terminal.Count(int64(float64(p.Events)/p.Seconds + 0.5)),
				terminal.Count(int64(p.Questions)), fmt.Sprintf("%.0f", p.P50*1e6), fmt.Sprintf("%.0f", p.P99*1e6),
				terminal.BytesOrUnknown(p.Memory), terminal.Bytes(p.Disk)})
		}
		fmt.Fprintln(out)
		terminal.Table(out, rows, 1)
	}
	if r.Changed > 0 {
		line("\nevents", "%s in batches, %s a second", terminal.Count(r.Changed), terminal.Count(int64(r.PerSecond)))
	}
	if r.Checked > 0 {
		line("\ncompared", "%s, all equal to a plain computation", terminal.Plural(r.Checked, "answer"))
	}
	return out.Flush()
}
