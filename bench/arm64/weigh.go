// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package arm64

import (
	"bytes"
	"cmp"
	"fmt"
	"io"
	"maps"
	"os/exec"
	"regexp"
	"slices"
	"strconv"
)

// sum is what instructions add up to.
type sum struct {
	instructions, cycles, wrong float64
	turns                       float64 // of the innermost loop: how often the most frequent block ran
}

// weight is what the kernels do in one pass over an operation.
type weight struct {
	units     int
	all       sum
	functions map[string]*sum
}

// perRun is the number of instructions that llvm-mca is given at a time, and mostRuns how many
// times: parts of a longer trace are left out at even distances.
const (
	perRun   = 4000
	mostRuns = 60
)

// weigh runs what some flags ask for on a path and weighs what one pass of it does.
func (s *settings) weigh(c *code, program, path string, what ...string) (w weight, err error) {
	_, before, err := s.trace(c, program, path, what, 0)
	if err != nil {
		return w, err
	}
	units, blocks, err := s.trace(c, program, path, what, 1)
	if err != nil {
		return w, err
	}
	w = weight{units: units, functions: map[string]*sum{}}
	if len(blocks) <= len(before) {
		return w, fmt.Errorf("arm64: no kernel was called")
	}
	blocks = blocks[len(before):]
	guess := newPredictor()
	ran := map[uint64]float64{}
	per := map[string][]*instruction{}
	var all []*instruction
	for k, at := range blocks {
		ran[at]++
		end := c.end(at)
		last := c.at(end - 4)
		f := w.functions[last.function]
		if f == nil {
			f = &sum{}
			w.functions[last.function] = f
		}
		f.turns = max(f.turns, ran[at])
		if last.decides && k+1 < len(blocks) && guess.wrong(end, blocks[k+1] != end) {
			f.wrong++
			w.all.wrong++
		}
		f.instructions += float64(end-at) / 4
		for pc := at; pc < end; pc += 4 {
			all = append(all, c.at(pc))
			if list := per[last.function]; len(list) < perRun*mostRuns/10 {
				per[last.function] = append(list, c.at(pc))
			}
		}
	}
	w.all.instructions = float64(len(all))
	if w.all.cycles, err = s.cycles(all); err != nil || !s.functions {
		return w, err
	}
	for name, f := range w.functions {
		if f.instructions*50 < w.all.instructions {
			continue
		}
		list := per[name]
		if f.cycles, err = s.cycles(list); err != nil {
			return w, err
		}
		f.cycles *= f.instructions / float64(len(list))
	}
	return w, nil
}

var total = regexp.MustCompile(`Total Cycles: +([0-9]+)`)

// cycles returns the cycles that a sequence of instructions takes, by llvm-mca. It assumes no wrong
// guesses and everything in the nearest cache.
func (s *settings) cycles(all []*instruction) (cycles float64, err error) {
	// A call is a branch here, and its instructions follow: without the flag it would stand for a
	// hundred cycles.
	runs := (len(all) + perRun - 1) / perRun
	step := max(1, (runs+mostRuns-1)/mostRuns)
	weighed := 0
	for r := 0; r < runs; r += step {
		part := all[r*perRun : min(len(all), (r+1)*perRun)]
		var text bytes.Buffer
		for _, i := range part {
			text.WriteString(i.text)
			text.WriteByte('\n')
		}
		cmd := exec.Command(s.mca, "-mtriple=aarch64", "-mcpu="+s.cpu, "-iterations=1", "-call-latency=1",
			"-instruction-info=0", "-resource-pressure=0")
		cmd.Stdin = &text
		out, err := cmd.CombinedOutput()
		if err != nil {
			return 0, fmt.Errorf("arm64: %s: %w: %.300s", s.mca, err, out)
		}
		m := total.FindSubmatch(out)
		if m == nil {
			return 0, fmt.Errorf("arm64: %s printed no cycles: %.300s", s.mca, out)
		}
		n, err := strconv.Atoi(string(m[1]))
		if err != nil {
			return 0, err
		}
		cycles += float64(n)
		weighed += len(part)
	}
	return cycles * float64(len(all)) / float64(weighed), nil
}

// list writes a line for each function that counts.
func (w *weight) list(table io.Writer, path string) {
	names := slices.SortedFunc(maps.Keys(w.functions), func(a, b string) int {
		return cmp.Compare(w.functions[b].instructions, w.functions[a].instructions)
	})
	units := float64(w.units)
	for _, name := range names {
		f := w.functions[name]
		if f.instructions*50 < w.all.instructions {
			continue
		}
		fmt.Fprintf(table, "\t%s %s\t%.1f turns\t%.0f\t\t\t%.0f\t%.1f a turn\t\t%.1f\t\t\n", path, name, f.turns/units,
			f.instructions/units, f.cycles/units, f.cycles/f.turns, f.wrong/units)
	}
}

// predictor guesses branches by what happened at the same place after the same last ten branches
// (gshare: McFarling, Combining Branch Predictors, 1993).
type predictor struct {
	history uint64
	state   []uint8 // 0, 1: not taken; 2, 3: taken
}

func newPredictor() *predictor { return &predictor{state: make([]uint8, 1<<14)} }

// wrong learns what a branch did and reports whether it had been guessed wrong.
func (p *predictor) wrong(at uint64, taken bool) bool {
	s := &p.state[(at>>2^p.history<<4)&(1<<14-1)]
	guess := *s >= 2
	p.history = p.history << 1 & (1<<10 - 1)
	if taken {
		p.history |= 1
		*s = min(*s+1, 3)
	} else if *s > 0 {
		*s--
	}
	return guess != taken
}
