// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package bitmap

import (
	"runtime/debug"
	"testing"
)

// raceEnabled is set by a file with a build tag: the race detector makes everything ten times slower, and sync.Pool drop values at random.
var raceEnabled = false

// paced returns how much a random test does: all of it, less with -short, and a quarter of that under the race detector.
func paced(all, short int) int {
	n := all
	if testing.Short() {
		n = short
	}
	if raceEnabled {
		n = max(min(n, short)/4, 3)
	}
	return n
}

// allocations returns how often a call of f allocates: see [testing.AllocsPerRun]. The collector rests meanwhile: it empties the pools, and a call that then
// fills them again would be counted. What f itself allocates is allocated every time, so the least of three counts is that of f; anything else, such as a
// goroutine that an earlier test left behind, is not. Under the race detector, which makes pools forget, f is only called.
func allocations(runs int, f func()) float64 {
	if raceEnabled {
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
