// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

//go:build !purego

package run

import (
	"github.com/uproar-db/uproar/internal/roaring/cpu"
)

// The kernels of runs with runs.

const (
	runsFrom      = 4 * 8   // bytes of the longer list from which it pays to compare a run with several of it at a time
	runsMost      = 1 << 17 // bytes that a list of runs that do not touch has at most
	runsBlockSkip = 64      // times as long as the other may that list be; each run is searched in a longer one
)

// blocks reports whether runs of b, which is not the shorter list, are compared several at a time.
func blocks(a, b []byte) bool {
	return cpu.Active == cpu.NEON && len(b) >= runsFrom && len(b) <= min(runsBlockSkip*len(a), runsMost)
}

func runAnd(dst, a, b []byte) (values, runs int) {
	if !blocks(a, b) {
		return runAndGeneric(dst, a, b)
	}
	return runAndByNEON(dst, a, b)
}

func runAndLen(a, b []byte) int {
	if !blocks(a, b) {
		return runAndLenGeneric(a, b)
	}
	return runAndLenByNEON(a, b)
}

func runAndByNEON(dst, a, b []byte) (values, runs int) {
	values, runs, i, j := runAndNEON(dst, a, b)
	restValues, restRuns := runAndGeneric(dst[4*runs:], a[i:], b[j:])
	return values + restValues, runs + restRuns
}

func runAndLenByNEON(a, b []byte) int {
	n, i, j := runAndLenNEON(a, b)
	return n + runAndLenGeneric(a[i:], b[j:])
}

// runAndNEON returns from which bytes on of a and b what they have in common is left, less than
// eight runs of b, or because dst may not have room.
//
//go:noescape
func runAndNEON(dst, a, b []byte) (values, runs, i, j int)

// runAndLenNEON returns from which bytes on of a and b what they have in common is left, less than
// eight runs of b. Neither list has more than runsMost bytes.
//
//go:noescape
func runAndLenNEON(a, b []byte) (n, i, j int)
