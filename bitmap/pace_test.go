// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package bitmap

import "testing"

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

// allocations returns how often f allocates: see [testing.AllocsPerRun]. Under the race detector it only calls f.
func allocations(runs int, f func()) float64 {
	if raceEnabled {
		f()
		return 0
	}
	return testing.AllocsPerRun(runs, f)
}
