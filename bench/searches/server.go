// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package searches

import (
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"time"

	"github.com/uproar-db/uproar/bench/chart"
	"github.com/uproar-db/uproar/bench/drive"
)

// The kinds of servers.
const (
	uproarKind    = "uproar"
	roaringKind   = "roaring"
	scanKind      = "scan"      // of the prices of an offering, in a map
	compositeKind = "composite" // key of a map
	constantKind  = "constant"  // the answer is always the same, of answerBytes: about as long as a price
	answerBytes   = 90
)

// titles are what the kinds are called.
var titles = map[string]string{uproarKind: "Uproar", roaringKind: "roaring on fiber",
	scanKind: "scan of a map on fiber", compositeKind: "composite map on fiber", constantKind: "constant reply"}

// server is a process that answers, with what was measured of it.
type server struct {
	*drive.Process
	slots    []drive.Slot
	bulk     []time.Duration
	resident int64 // bytes, at the end; 0: the system does not tell
	held     sizes
}

// start starts this program as one of the servers, and waits until it answers.
// Its environment is this one's, and what is given.
func (s *settings) start(kind string, environment []string) (*server, error) {
	program, err := os.Executable()
	if err != nil {
		return nil, err
	}
	c := exec.Command(program, "catalog", "-serve", kind, "-dir", s.dir, "-offerings", strconv.Itoa(s.offerings),
		"-shuffled="+strconv.FormatBool(s.shuffled),
		"-memory", strconv.FormatInt(s.memory, 10))
	c.Stderr, c.Env = os.Stderr, append(os.Environ(), environment...)
	p, err := drive.Start(kind, "", c)
	return &server{Process: p}, err
}

// askSizes asks a server in memory what it holds.
func (c *server) askSizes() error {
	status, text, err := c.Ask(drive.Request{Path: pathSizes})
	if err == nil && status != 200 {
		err = fmt.Errorf("%s: sizes: got %d", c.Name, status)
	}
	if err != nil {
		return err
	}
	return json.Unmarshal(text, &c.held)
}

// measure drives the server. Then it asks some bulk requests, one after the other, unless the
// server sends constants.
func (c *server) measure(asks drive.Driver, r *requests, long time.Duration) error {
	took, err := c.Measure(asks, long)
	if err != nil {
		return err
	}
	c.slots = append(c.slots, took)
	if c.Name == constantKind {
		return nil
	}
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

// column is one figure of a server.
type column struct {
	head  string
	width int
	of    func(c *server) float64
}

// median is the median of a figure of the slots of a server.
func median(of func(s drive.Slot) float64) func(c *server) float64 {
	return func(c *server) float64 { return drive.Median(c.slots, of) }
}

// ofBulks is a figure of the bulk requests, in ms; 0 of a server that was asked none. They are
// sorted.
func ofBulks(at func(n int) int) func(c *server) float64 {
	return func(c *server) float64 {
		if len(c.bulk) == 0 {
			return 0
		}
		return c.bulk[at(len(c.bulk))].Seconds() * 1e3
	}
}

// columns are what is printed.
var columns = []column{
	{"requests/s", 12, median(func(s drive.Slot) float64 { return s.PerSecond })},
	{"p50, µs", 10, median(func(s drive.Slot) float64 { return s.P50 })},
	{"p90, µs", 10, median(func(s drive.Slot) float64 { return s.P90 })},
	{"p99, µs", 10, median(func(s drive.Slot) float64 { return s.P99 })},
	{"p99.9, µs", 10, median(func(s drive.Slot) float64 { return s.P999 })},
	{"processor, µs", 14, median(func(s drive.Slot) float64 { return s.Processor })},
	{"resident, MB", 14, func(c *server) float64 { return float64(c.resident) / 1e6 }},
	{"bulk p50, ms", 14, ofBulks(func(n int) int { return n / 2 })},
	{"bulk max, ms", 14, ofBulks(func(n int) int { return n - 1 })},
}

// report prints what was measured: ours, the peer, and the constant.
func report(w io.Writer, servers []*server) {
	line := func(name string, text func(c column) string) {
		fmt.Fprintf(w, "%-18s", name)
		for _, c := range columns {
			fmt.Fprintf(w, " %*s", c.width, text(c))
		}
		fmt.Fprintln(w)
	}
	line("", func(c column) string { return c.head })
	for _, s := range servers {
		line(titles[s.Name], func(c column) string {
			if f := c.of(s); f != 0 {
				return fmt.Sprintf("%.1f", f)
			}
			return ""
		})
	}
	line("ours / theirs", func(c column) string { return fmt.Sprintf("%.2f", c.of(servers[0])/c.of(servers[1])) })
}

// picture returns the chart of what was measured, ours beside the peer.
func picture(servers []*server) *chart.Chart {
	c := chart.New("The price for eight conditions, over HTTP", "bench catalog")
	for i, x := range columns {
		name, unit, _ := strings.Cut(x.head, ", ")
		b := chart.Bar{Text: name, Peer: "roaring on fiber", Unit: unit}
		if i == 0 {
			b.Text, b.Unit, b.More = "requests", "a second", true
		}
		c.Add("", b, x.of(servers[0]), x.of(servers[1]))
	}
	return c
}
