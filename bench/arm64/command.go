// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

// Package arm64 says what the kernels are worth on a processor that is not at hand. It runs
// operations on the real data sets under qemu, which tells the blocks of instructions that are
// executed, one by one, and has the same instructions in the same order weighed by llvm-mca for the
// processor asked for: so each branch weighs as often as it is taken. What it cannot see is the
// cost of wrongly predicted branches and of the cache; of the former it counts how many a simple
// predictor would guess wrong.
package arm64

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"text/tabwriter"

	"github.com/uproar-db/uproar/bench/library"
)

// settings are the flags of the command.
type settings struct {
	dir, sets, ops, contestant string
	cpu, mca, objdump, qemu    string
	functions, onlyLoops       bool
	work                       string
	passes                     int
}

// Command writes a table of the kernels' instructions and cycles for each operation and data set.
// It compares the paths generic and neon. It needs Go, qemu-aarch64, llvm-mca and llvm-objdump.
func Command(args []string, stdout, stderr io.Writer) error {
	s := settings{}
	f := flag.NewFlagSet("arm64", flag.ContinueOnError)
	f.SetOutput(stderr)
	f.StringVar(&s.dir, "data", "../../shared/data/realdata",
		"`folder` with RoaringBitmap's real data sets, as zip files")
	f.StringVar(&s.sets, "only", "census-income,census1881,weather_sept_85,wikileaks-noquotes,uscensus2000",
		"data sets, with commas between")
	f.StringVar(&s.ops, "op", "and,and-cardinality,or,andnot,xor", "operations, with commas between")
	f.StringVar(&s.contestant, "with", "Fastest", "Fastest or Smallest")
	f.StringVar(&s.cpu, "mcpu", "neoverse-n1", "`processor`, as llvm-mca calls it")
	f.StringVar(&s.mca, "llvm-mca", "llvm-mca", "the program, of LLVM 19 or later")
	f.StringVar(&s.objdump, "llvm-objdump", "llvm-objdump", "the program")
	f.StringVar(&s.qemu, "qemu", "qemu-aarch64", "the program")
	f.BoolVar(&s.functions, "functions", false,
		"a line for each function of the kernels that takes a fiftieth of the instructions")
	f.BoolVar(&s.onlyLoops, "loops", false, "only the cycles of a turn of each loop, which needs neither data nor qemu")
	f.StringVar(&s.work, "work", "",
		"only what single kernels do, of which the name has this `part`, on operands drawn at random; \".\" for all")
	f.IntVar(&s.passes, "passes", -1,
		"what the runs under qemu are called with: only to go over an operation so often, unmeasured")
	if err := f.Parse(args); err != nil {
		return err
	}
	if f.NArg() > 0 {
		return fmt.Errorf("arm64: want flags only, got %q", f.Args())
	}
	if s.passes >= 0 && s.work != "" {
		units, err := pass(s.work, s.passes)
		fmt.Fprintln(stdout, units)
		return err
	}
	if s.passes >= 0 {
		units, err := library.Pass(s.dir, s.sets, s.contestant, s.ops, s.passes)
		fmt.Fprintln(stdout, units)
		return err
	}
	return s.run(stdout)
}

func (s *settings) run(stdout io.Writer) (err error) {
	work, err := os.MkdirTemp("", "arm64")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(work)) }()
	program := filepath.Join(work, "bench")
	if err := build(program); err != nil {
		return err
	}
	code, err := s.disassemble(program)
	if err != nil {
		return err
	}
	table := tabwriter.NewWriter(stdout, 0, 0, 2, ' ', tabwriter.AlignRight)
	if s.onlyLoops {
		return errors.Join(s.loops(code, table), table.Flush())
	}
	if s.work != "" {
		return errors.Join(s.works(code, program, table), table.Flush())
	}
	fmt.Fprintln(table,
		"data set\toperation\tunits\tinstructions generic\tneon\tratio\tcycles generic\tneon\tratio\twrong guesses "+
			"generic\tneon\t")
	for _, set := range strings.Split(s.sets, ",") {
		for _, op := range strings.Split(s.ops, ",") {
			var both [2]weight
			for i, path := range []string{"generic", "neon"} {
				if both[i], err = s.weigh(code, program, path, "-data", s.dir, "-only", set, "-op", op, "-with",
					s.contestant); err != nil {
					return fmt.Errorf("%s, %s, %s: %w", set, op, path, err)
				}
			}
			a, b := both[0].all, both[1].all
			units := float64(both[0].units)
			fmt.Fprintf(table, "%s\t%s\t%d\t%.0f\t%.0f\t%.2f\t%.0f\t%.0f\t%.2f\t%.1f\t%.1f\t\n", set, op, both[0].units,
				a.instructions/units, b.instructions/units, a.instructions/b.instructions, a.cycles/units,
				b.cycles/units, a.cycles/b.cycles, a.wrong/units, b.wrong/units)
			if s.functions {
				for i, path := range []string{"generic", "neon"} {
					both[i].list(table, path)
				}
			}
		}
		if err := table.Flush(); err != nil {
			return err
		}
	}
	return nil
}

// works writes a line for each work that is asked for.
func (s *settings) works(c *code, program string, table io.Writer) error {
	fmt.Fprintln(table,
		"work\tper\tinstructions generic\tneon\tratio\tcycles generic\tneon\tratio\twrong guesses generic\tneon\t")
	for _, w := range works() {
		if s.work != "." && !strings.Contains(w.name, s.work) {
			continue
		}
		var both [2]weight
		for i, path := range []string{"generic", "neon"} {
			var err error
			if both[i], err = s.weigh(c, program, path, "-work", w.name); err != nil {
				return fmt.Errorf("%s, %s: %w", w.name, path, err)
			}
		}
		a, b := both[0].all, both[1].all
		units := float64(both[0].units)
		fmt.Fprintf(table, "%s\t%s\t%.1f\t%.1f\t%.2f\t%.2f\t%.2f\t%.2f\t%.3f\t%.3f\t\n", w.name, w.per,
			a.instructions/units, b.instructions/units, a.instructions/b.instructions, a.cycles/units, b.cycles/units,
			a.cycles/b.cycles, a.wrong/units, b.wrong/units)
		if s.functions {
			both[0].list(table, "generic")
			both[1].list(table, "neon")
		}
	}
	return nil
}
