// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package benchwrite

import (
	"bufio"
	"fmt"
	"io"

	"github.com/uproar-db/uproar/cmd/uproar/terminal"
)

// shownStalls is how many of the longest batches are printed.
const shownStalls = 3

// Print prints what was measured: throughput over time, and then a line for each figure.
func Print(w io.Writer, r *Report) error {
	out := bufio.NewWriter(w)
	noun := map[Mode]string{Entries: "entries", Pages: "pages",
		Lists: "events"}[r.Mode]
	rows := [][]string{{"time", noun + "/s", "given MB/s", "slowest batch", "on disk", "anonymous memory"}}
	for _, in := range r.Writing.Intervals {
		rows = append(rows, []string{terminal.Seconds(in.At), terminal.Count(int64(in.PerSecond)), formatMB(in.Bytes),
			terminal.Seconds(in.Slowest), terminal.Bytes(in.Disk),
			terminal.BytesOrUnknown(in.Memory)})
	}
	terminal.Table(out, rows, 0)
	printChart(out, noun+"/s", r.Writing.Intervals)
	fmt.Fprintln(out)
	line := func(name, format string, args ...any) {
		fmt.Fprintf(out, "%-18s %s\n", name, fmt.Sprintf(format, args...))
	}
	if r.Interrupted {
		line("interrupted", "what follows is about the time until then")
	}
	if r.Found > 0 {
		line("found", "%s %s of earlier runs", terminal.Count(r.Found), noun)
	}
	if r.Writing.Count == 0 {
		line("written", "nothing")
		return out.Flush()
	}
	line("written", "%s %s in %s: %s a second, %s MB/s", terminal.Count(r.Writing.Count), noun,
		terminal.Seconds(r.Writing.Seconds),
		terminal.Count(int64(r.Writing.PerSecond)),
		formatMB(float64(r.Writing.Bytes)/r.Writing.Seconds))
	if r.Writing.Processor >= 0 {
		line("processor", "%s each, %.0f %% of one processor",
			terminal.Short(r.Writing.Processor/float64(r.Writing.Count)),
			100*r.Writing.Processor/r.Writing.Seconds)
	}
	line("intervals", "slowest %s, median %s %s a second", terminal.Count(int64(r.Writing.Slowest)),
		terminal.Count(int64(r.Writing.Median)),
		noun)
	line("a batch", "%s", formatLatency(r.Writing.Latency))
	for _, s := range r.Writing.Stalls[:min(shownStalls, len(r.Writing.Stalls))] {
		line("longest", "%s, at %s", terminal.Seconds(s.Took), terminal.Seconds(s.At))
	}
	if r.ReadsAlone.Count > 0 {
		line("reads alone", "%s", formatLatency(r.ReadsAlone))
		line("beside writers", "%s; p99 %.1f times", formatLatency(r.ReadsBeside), r.ReadsBeside.P99/r.ReadsAlone.P99)
	}
	if r.Ceiling.Ratio > 0 {
		line("disk alone", "%.0f synced appends a second of %s: %s MB/s; before %s, afterwards %s", r.Ceiling.Appends,
			terminal.Bytes(r.Ceiling.Append),
			formatMB(r.Ceiling.Appends*float64(r.Ceiling.Append)), formatMB(r.Ceiling.Before),
			formatMB(r.Ceiling.After))
		if n := len(r.Ceiling.Turns); n > 0 {
			line("of the disk", "%.0f %% in the median of %s", 100*r.Ceiling.Ratio, terminal.Plural(n, "turn"))
		} else {
			line("of the disk", "%.0f %%", 100*r.Ceiling.Ratio)
		}
	}
	printRoom(line, r)
	line("close, open again", "%s, %s", terminal.Seconds(r.Close), terminal.Seconds(r.Open))
	return out.Flush()
}

// printRoom prints what the store takes.
func printRoom(line func(name, format string, args ...any), r *Report) {
	line("on disk", "at most %s, at the end %s, after waiting %s; alive %s", terminal.Bytes(r.Disk.Most),
		terminal.Bytes(r.Disk.End), terminal.Bytes(r.Disk.Idle),
		terminal.Bytes(r.Disk.Live))
	if r.Disk.Written >= 0 {
		line("written to disk", "%s and %s afterwards: %s each, %.2f times what was given",
			terminal.Bytes(r.Disk.Written),
			terminal.Bytes(r.Disk.After),
			terminal.Bytes(int64(r.Disk.PerOne)), r.Disk.Factor)
	}
	if r.Mode == Lists {
		line("flushes", "%d", r.Engine.Flushes)
	}
	if r.Engine.Compactions > 0 {
		line("compactions", "%s, %s in all", terminal.Count(r.Engine.Compactions),
			terminal.Seconds(r.Engine.Compacting))
	}
	line("memory", "anonymous at most %s, heap at the end %s", terminal.BytesOrUnknown(r.Engine.Memory),
		terminal.Bytes(r.Engine.Heap))
}

func formatLatency(l Latency) string {
	return fmt.Sprintf("p50 %s, p99 %s, longest %s", terminal.Short(l.P50), terminal.Short(l.P99),
		terminal.Short(l.Most))
}

// formatMB returns megabytes.
func formatMB(bytes float64) string { return fmt.Sprintf("%.1f", bytes/1e6) }
