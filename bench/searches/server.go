// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package searches

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// server is a process that answers, with what was measured of it.
type server struct {
	kind, addr string
	process    *exec.Cmd
	slots      []slot
	bulk       []time.Duration
	resident   int64 // bytes, at the end; 0: the system does not tell
}

// slot is one measurement.
type slot struct {
	perSecond, p50, p99 float64 // requests a second, and microseconds
	processor           float64 // microseconds of the server for each request
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
	out, err := c.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := c.Start(); err != nil {
		return nil, err
	}
	addr, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		return nil, fmt.Errorf("%s: %w, and %v", kind, err, c.Wait())
	}
	return &server{kind: kind, addr: strings.TrimSpace(addr), process: c}, nil
}

// stop ends the process.
func (c *server) stop() {
	_ = c.process.Process.Signal(syscall.SIGTERM)
	_ = c.process.Wait()
}

// ask sends a request, and returns the answer.
func (c *server) ask(path, body string) (status int, answer []byte, err error) {
	resp, err := http.Post("http://"+c.addr+path, "application/json", strings.NewReader(body))
	if err != nil {
		return 0, nil, err
	}
	defer resp.Body.Close()
	answer, err = io.ReadAll(resp.Body)
	return resp.StatusCode, answer, err
}

// measure drives the server, and then asks some bulk requests, one after the other.
func (c *server) measure(drive driver, r *requests, long time.Duration) error {
	before := c.processor()
	took, err := drive(c.addr, long)
	if err != nil {
		return fmt.Errorf("%s: %w", c.kind, err)
	}
	took.processor = (c.processor() - before).Seconds() * 1e6 / (took.perSecond * long.Seconds())
	c.slots = append(c.slots, took)
	for range 12 {
		start := time.Now()
		status, _, err := c.ask(pathBulk, r.bulk)
		if err != nil || status != 200 {
			return fmt.Errorf("%s: bulk: got %d, %w", c.kind, status, err)
		}
		c.bulk = append(c.bulk, time.Since(start))
	}
	c.resident = c.memory()
	return nil
}

// processor returns how long the threads of the process have run.
func (c *server) processor() time.Duration {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", c.process.Process.Pid))
	fields := bytes.Fields(text[bytes.LastIndexByte(text, ')')+1:])
	if err != nil || len(fields) < 13 {
		return 0
	}
	user, _ := strconv.Atoi(string(fields[11]))
	system, _ := strconv.Atoi(string(fields[12]))
	return time.Duration(user+system) * 10 * time.Millisecond // Linux counts hundredths of a second
}

// memory returns what the process has in memory.
func (c *server) memory() int64 {
	text, _ := os.ReadFile(fmt.Sprintf("/proc/%d/status", c.process.Process.Pid))
	_, rest, _ := strings.Cut(string(text), "VmRSS:")
	kilobytes, _, _ := strings.Cut(strings.TrimSpace(rest), " ")
	n, _ := strconv.ParseInt(kilobytes, 10, 64)
	return n << 10
}

// median returns the middle one of some figures of the slots.
func (c *server) median(of func(s slot) float64) float64 {
	var all []float64
	for _, s := range c.slots {
		all = append(all, of(s))
	}
	slices.Sort(all)
	return all[len(all)/2]
}

// report prints what was measured, ours first.
func report(w io.Writer, servers []*server) {
	fmt.Fprintf(w, "%-18s %12s %10s %10s %14s %14s %14s %14s\n", "", "requests/s", "p50, µs", "p99, µs", "processor, µs", "resident, MB", "bulk p50, ms", "bulk max, ms")
	figures := func(c *server) []float64 {
		slices.Sort(c.bulk)
		return []float64{c.median(func(s slot) float64 { return s.perSecond }), c.median(func(s slot) float64 { return s.p50 }), c.median(func(s slot) float64 { return s.p99 }),
			c.median(func(s slot) float64 { return s.processor }), float64(c.resident) / 1e6, c.bulk[len(c.bulk)/2].Seconds() * 1e3, c.bulk[len(c.bulk)-1].Seconds() * 1e3}
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
