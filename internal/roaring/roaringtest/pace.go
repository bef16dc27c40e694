// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package roaringtest

import (
	"os"
	"runtime"
	"runtime/debug"
	"testing"
)

// RaceEnabled is set by a file with a build tag: the race detector makes everything ten times
// slower, and sync.Pool drop values at random.
var RaceEnabled = false

// Long asks for several times as many random cases of the same kinds: CONTRIBUTING.md says when. It
// looks while a test runs: what is read before is unknown to go test, which would then give a
// cached result of the short form.
func Long() bool { return os.Getenv("UPROAR_LONG") == "1" }

// Paced returns how much a random test does: all of it with UPROAR_LONG=1, otherwise a third, less
// with -short, and a quarter of that under the race detector.
func Paced(all, short int) int {
	n := max(all/3, short)
	switch {
	case testing.Short():
		n = short
	case Long():
		n = all
	}
	if RaceEnabled {
		n = max(min(n, short)/4, 3)
	}
	return n
}

// AllocatedBy returns how many bytes a call of f allocates, with the collector at rest: see
// [allocations].
func AllocatedBy(f func()) uint64 {
	defer debug.SetGCPercent(debug.SetGCPercent(-1))
	var before, after runtime.MemStats
	least := ^uint64(0)
	for range 3 {
		runtime.ReadMemStats(&before)
		f()
		runtime.ReadMemStats(&after)
		least = min(least, after.TotalAlloc-before.TotalAlloc)
	}
	return least
}

// Allocations returns how often a call of f allocates: see [testing.AllocsPerRun]. The collector
// rests meanwhile: it empties the pools, and a call that then fills them again would be counted.
// What f itself allocates is allocated every time, so the least of three counts is that of f;
// anything else, such as a goroutine that an earlier test left behind, is not. Under the race
// detector, which makes pools forget, f is only called.
func Allocations(runs int, f func()) float64 {
	if RaceEnabled {
		f()
		return 0
	}
	defer debug.SetGCPercent(debug.SetGCPercent(-1))
	least := testing.AllocsPerRun(runs, f)
	for range 2 {
		least = min(least, testing.AllocsPerRun(runs, f))
	}
	return least
}

// Alone leaves out a long test of one goroutine under the race detector, which would find nothing
// in it: it runs without. What shares memory between goroutines, in pools as well, is tested by
// others.
func Alone(t *testing.T) {
	t.Helper()
	if RaceEnabled {
		t.Skip("one goroutine: nothing for the race detector to see")
	}
}
