// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

// Package packed measures the price of being small: intersections of sets packed as Smallest, and
// of the same sets in arrays and bitsets, in turn.
package packed

import (
	"flag"
	"fmt"
	"io"
	"math"
	"regexp"
	"time"

	"github.com/uproar-db/uproar/bitmap"
)

// settings are the flags of the command.
type settings struct {
	only   *regexp.Regexp
	slot   time.Duration
	rounds int
}

// Command measures all pairs of sets and writes a line for each to stdout. Then it writes what all
// lines have in common. The error is one of flags, or that two forms of a set gave different
// answers.
func Command(args []string, stdout, stderr io.Writer) (err error) {
	var s settings
	f := flag.NewFlagSet("packed", flag.ContinueOnError)
	f.SetOutput(stderr)
	only := f.String("only", "", "only lines that match this regular `expression`")
	f.DurationVar(&s.slot, "time", 50*time.Microsecond, "time of a slot; the least of all slots counts")
	f.IntVar(&s.rounds, "rounds", 40, "slots of each form")
	if err := f.Parse(args); err != nil {
		return err
	}
	if s.only, err = regexp.Compile(*only); err != nil {
		return err
	}
	if f.NArg() > 0 || s.slot <= 0 || s.rounds < 1 {
		return fmt.Errorf("packed: want flags only, with a time and a number of rounds above 0; got %q", args)
	}
	return s.run(stdout)
}

func (s *settings) run(stdout io.Writer) error {
	fmt.Fprintln(stdout, "Nanoseconds of one intersection: of arrays, or bitsets where there may be no arrays, of "+
		"the same sets packed, and how many times as long that is.")
	fmt.Fprintf(stdout, "%-34s %-8s %9s %9s %6s   %9s %9s %6s\n", "", "beside", "AndLen", "packed", "", "And", "packed",
		"")
	all := map[string]*[2][]float64{arrays: {}, bitsets: {}}
	for _, p := range pairs() {
		name := p.name()
		if !s.only.MatchString(name) {
			continue
		}
		plain, small := p.make()
		line := fmt.Sprintf("%-34s %-8s", name, p.beside())
		for i, do := range []func(a, b bitmap.View) uint64{
			bitmap.AndLen,
			func(a, b bitmap.View) uint64 { return bitmap.And(a, b).Len() },
		} {
			if got, want := do(small[0], small[1]), do(plain[0], plain[1]); got != want {
				return fmt.Errorf("packed: %s: got %d values of packed sets, and %d of arrays", name, got, want)
			}
			ns := s.compare(do, plain, small)
			ratios := &all[p.beside()][i]
			*ratios = append(*ratios, ns[1]/ns[0])
			line += fmt.Sprintf(" %9.0f %9.0f %6.2f  ", ns[0], ns[1], ns[1]/ns[0])
		}
		fmt.Fprintln(stdout, line)
	}
	for _, beside := range []string{arrays, bitsets} {
		for i, name := range []string{"AndLen", "And"} {
			if ratios := all[beside][i]; len(ratios) > 0 {
				fmt.Fprintf(stdout, "%s, %d pairs beside %s: %s\n", name, len(ratios), beside, summary(ratios))
			}
		}
	}
	return nil
}

// summary says what many ratios have in common.
func summary(ratios []float64) string {
	sum, most, above, slower := 0.0, 0.0, 0, 0
	for _, x := range ratios {
		sum += math.Log(x)
		most = max(most, x)
		if x > 2 {
			above++
		}
		if x > 1.05 {
			slower++
		}
	}
	return fmt.Sprintf("%.2f times in the geometric mean, %.2f at most; more than 1.05 times: %d, more than twice: %d",
		math.Exp(sum/float64(len(ratios))), most, slower, above)
}

// compare returns the nanoseconds of an operation on each of two forms of a pair, measured in turn:
// the least of all slots, as what else the machine does adds to all others.
func (s *settings) compare(do func(a, b bitmap.View) uint64, forms ...[2]bitmap.View) (ns []float64) {
	turns := make([]int, len(forms))
	for i, v := range forms {
		ns = append(ns, math.Inf(1))
		for begin := time.Now(); turns[i] == 0 || time.Since(begin) < s.slot; turns[i]++ {
			do(v[0], v[1])
		}
	}
	for range s.rounds {
		for i, v := range forms {
			begin := time.Now()
			for range turns[i] {
				do(v[0], v[1])
			}
			ns[i] = min(ns[i], float64(time.Since(begin).Nanoseconds())/float64(turns[i]))
		}
	}
	return ns
}
