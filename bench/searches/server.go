// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package searches

import (
	"fmt"
	"io"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"time"

	"github.com/uproar-db/uproar/bench/drive"
)

// server is a process that answers, with what was measured of it.
type server struct {
	*drive.Process
	slots    []drive.Slot
	bulk     []time.Duration
	resident int64 // bytes, at the end; 0: the system does not tell
}

// start starts this program as one of the servers, and waits until it answers.
func (s *settings) start(kind string) (*server, error) {
	program, err := os.Executable()
	if err != nil {
		return nil, err
	}
	c := exec.Command(program, "catalog", "-serve", kind, "-dir", s.dir, "-offerings", strconv.Itoa(s.offerings), "-shuffled="+strconv.FormatBool(s.shuffled),
		"-memory", strconv.FormatInt(s.memory, 10))
	c.Stderr = os.Stderr
	p, err := drive.Start(kind, "", c)
	return &server{Process: p}, err
}

// measure drives the server, and then asks some bulk requests, one after the other.
func (c *server) measure(asks drive.Driver, r *requests, long time.Duration) error {
	took, err := c.Measure(asks, long)
	if err != nil {
		return err
	}
	c.slots = append(c.slots, took)
	for range 12 {
		start := time.Now()
		status, _, err := c.Ask(drive.Request{Path: pathBulk, Body: r.bulk})
		if err != nil || status != 200 {
			return fmt.Errorf("%s: bulk: got %d, %w", c.Name, status, err)
		}
		c.bulk = append(c.bulk, time.Since(start))
	}
	c.resident = c.Resident()
	return nil
}

// report prints what was measured, ours first.
func report(w io.Writer, servers []*server) {
	fmt.Fprintf(w, "%-18s %12s %10s %10s %14s %14s %14s %14s\n", "", "requests/s", "p50, µs", "p99, µs", "processor, µs", "resident, MB", "bulk p50, ms", "bulk max, ms")
	figures := func(c *server) []float64 {
		slices.Sort(c.bulk)
		return []float64{drive.Median(c.slots, func(s drive.Slot) float64 { return s.PerSecond }), drive.Median(c.slots, func(s drive.Slot) float64 { return s.P50 }),
			drive.Median(c.slots, func(s drive.Slot) float64 { return s.P99 }), drive.Median(c.slots, func(s drive.Slot) float64 { return s.Processor }),
			float64(c.resident) / 1e6, c.bulk[len(c.bulk)/2].Seconds() * 1e3, c.bulk[len(c.bulk)-1].Seconds() * 1e3}
	}
	print := func(name, format string, f []float64) {
		fmt.Fprintf(w, "%-18s", name)
		for i, width := range [...]int{12, 10, 10, 14, 14, 14, 14} {
			fmt.Fprintf(w, " %*s", width, fmt.Sprintf(format, f[i]))
		}
		fmt.Fprintln(w)
	}
	ours, peer := figures(servers[0]), figures(servers[1])
	print("Uproar", "%.1f", ours)
	print("roaring on fiber", "%.1f", peer)
	ratios := make([]float64, len(ours))
	for i := range ours {
		ratios[i] = ours[i] / peer[i]
	}
	print("ours / theirs", "%.2f", ratios)
}
