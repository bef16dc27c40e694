// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package kerneltest

import (
	"strings"
	"testing"
	"time"

	"github.com/uproar-db/uproar/internal/roaring/cpu"
)

// OnPaths runs a benchmark on every path of this processor. per is what one call does of the unit.
// The metrics are nanoseconds and cycles, of the fastest of many short slots, so that other work on
// the machine counts little.
func OnPaths(b *testing.B, name string, per int, unit string, f func()) {
	taken := cpu.Active
	defer cpu.Use(taken)
	for _, p := range cpu.Paths() {
		cpu.Use(p)
		b.Run(name+"/"+p.String(), func(b *testing.B) {
			calls := 1
			for slot := time.Duration(0); slot < 20*time.Microsecond; calls *= 2 {
				start := time.Now()
				for range calls {
					f()
				}
				slot = time.Since(start)
			}
			fastest, chain := time.Hour, time.Hour
			for b.Loop() {
				start := time.Now()
				for range calls {
					f()
				}
				end := time.Now()
				fastest, chain = min(fastest, end.Sub(start)), min(chain, chainTime(end))
			}
			ns := float64(fastest.Nanoseconds()) / float64(calls) / float64(per)
			b.ReportMetric(ns, unit)
			b.ReportMetric(ns*chainCycles/float64(chain.Nanoseconds()), strings.Replace(unit, "ns", "cycles", 1))
			b.ReportMetric(0, "ns/op")
		})
	}
}

// Timing a chain of dependent instructions gives the length of a cycle, whatever the clock is at.
// chainSteps multiplications and additions each wait for the one before: a multiplication takes 3
// cycles and an addition one, on Intel's processors since 2008 and on AMD's since 2017. Virtual
// machines seldom have the processor's own counters.
const (
	chainSteps  = 1 << 12
	chainCycles = 4 * chainSteps
)

var chainEnd uint64 // so that the chain is not left out

// chainTime returns how long a chain takes that begins now.
func chainTime(now time.Time) time.Duration {
	x := chainEnd
	for range chainSteps {
		x = x*0x9E3779B97F4A7C15 + 12345
	}
	chainEnd = x
	return time.Since(now)
}
