// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package terms

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"
)

// engine is a process that speaks the protocol of the benchmark.
type engine struct {
	name    string
	command *exec.Cmd
	in      io.WriteCloser
	out     *bufio.Reader
	best    map[string]time.Duration // of each query
	build   time.Duration
	disk    int64
}

// start runs an engine.
func start(name string, command *exec.Cmd) (*engine, error) {
	e := &engine{name: name, command: command, best: make(map[string]time.Duration)}
	var err error
	if e.in, err = command.StdinPipe(); err != nil {
		return nil, err
	}
	out, err := command.StdoutPipe()
	if err != nil {
		return nil, err
	}
	e.out = bufio.NewReader(out)
	command.Stderr = os.Stderr
	return e, command.Start()
}

// ask returns what the engine counts.
func (e *engine) ask(text string) (n int, took time.Duration, err error) {
	begun := time.Now()
	if _, err = fmt.Fprintf(e.in, "COUNT\t%s\n", text); err != nil {
		return 0, 0, err
	}
	line, err := e.out.ReadString('\n')
	took = time.Since(begun)
	if err != nil {
		return 0, 0, fmt.Errorf("terms: %s: %w", e.name, err)
	}
	if n, err = strconv.Atoi(strings.TrimSpace(line)); err != nil {
		err = fmt.Errorf("terms: %s: %s: got %q, want a number", e.name, text, line)
	}
	return n, took, err
}

// stop ends the engine.
func (e *engine) stop() error {
	e.in.Close()
	return e.command.Wait()
}

// shape is one kind of queries.
type shape struct {
	name  string
	texts []string
}

// shapes returns the intersections and unions of the benchmark.
func shapes() []shape {
	all, any := shape{name: "intersections"}, shape{name: "unions"}
	for _, q := range queries() {
		all.texts = append(all.texts, "+"+strings.Join(q.terms, " +"))
		any.texts = append(any.texts, strings.Join(q.terms, " "))
	}
	return []shape{all, any}
}

// measure asks all engines all queries in turns: a round to warm up, and some of which the best
// time of each query counts, as the benchmark does. It fails if two count differently.
func measure(ctx context.Context, engines []*engine, warm time.Duration, rounds int) error {
	var texts []string
	for _, s := range shapes() {
		texts = append(texts, s.texts...)
	}
	rand.New(rand.NewPCG(2, 2)).Shuffle(len(texts), func(i, k int) { texts[i], texts[k] = texts[k], texts[i] })
	want := make(map[string]int)
	for _, e := range engines {
		for begun, first := time.Now(), true; first || time.Since(begun) < warm; first = false {
			for _, text := range texts {
				n, _, err := e.ask(text)
				if err == nil {
					err = ctx.Err()
				}
				if err != nil {
					return err
				}
				if before, there := want[text]; there && before != n {
					return fmt.Errorf("terms: %s: %s counts %d, %s %d", text, engines[0].name, before, e.name, n)
				}
				want[text] = n
			}
		}
	}
	for range rounds {
		for _, e := range engines {
			for _, text := range texts {
				_, took, err := e.ask(text)
				if err == nil {
					err = ctx.Err()
				}
				if err != nil {
					return err
				}
				if best, there := e.best[text]; !there || took < best {
					e.best[text] = took
				}
			}
		}
	}
	return nil
}

// of returns mean and 99th percentile of the times of some queries, in microseconds.
func (e *engine) of(texts []string) (mean, p99 float64) {
	var all []float64
	for _, text := range texts {
		us := e.best[text].Seconds() * 1e6
		all = append(all, us)
		mean += us / float64(len(texts))
	}
	slices.Sort(all)
	return mean, all[len(all)*99/100]
}

// print writes the table: ours first, then the share of ours in the best of the others.
func print(out io.Writer, engines []*engine) {
	const head, row = "%-14s %-22s %10s %10s\n", "%-14s %-22s %10.1f %10.1f\n"
	fmt.Fprintf(out, head, "queries", "engine", "mean, µs", "p99, µs")
	for _, s := range shapes() {
		ours, oursP99 := engines[0].of(s.texts)
		least, leastP99 := 0.0, 0.0
		for i, e := range engines {
			mean, p99 := e.of(s.texts)
			fmt.Fprintf(out, row, s.name, e.name, mean, p99)
			if i > 0 && (least == 0 || mean < least) {
				least, leastP99 = mean, p99
			}
		}
		if least > 0 {
			fmt.Fprintf(out, "%-14s %-22s %10.2f %10.2f\n", s.name, "ours / the better", ours/least, oursP99/leastP99)
		}
	}
	for _, e := range engines {
		fmt.Fprintf(out, "%-37s built in %.1f s, %.1f MB\n", e.name, e.build.Seconds(), float64(e.disk)/1e6)
	}
}

// size returns the bytes of the files in a folder.
func size(dir string) (n int64, err error) {
	err = filepath.WalkDir(dir, func(_ string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		i, err := d.Info()
		if errors.Is(err, os.ErrNotExist) {
			return nil
		}
		n += i.Size()
		return err
	})
	return n, err
}
