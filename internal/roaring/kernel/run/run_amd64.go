// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

//go:build !purego

package run

import (
	"github.com/uproar-db/uproar/internal/roaring/cpu"
)

// The kernels of runs with runs.

const (
	runsFrom      = 4 * 8 // bytes of the longer list from which it pays to compare a run with several of it at a time
	runsBlockSkip = 64    // times as long as the other may that list be; each run is searched in a longer one
)

// blocks reports whether runs of b, which is not the shorter list, are compared several at a time.
func blocks(a, b []byte) bool {
	return cpu.Active != cpu.Generic && len(b) >= runsFrom && len(b) <= runsBlockSkip*len(a)
}

func runAnd(dst, a, b []byte) (values, runs int) {
	switch {
	case !blocks(a, b):
		return runAndGeneric(dst, a, b)
	case cpu.Active == cpu.AVX512:
		return runAndAVX512(dst, a, b)
	}
	return runAndByAVX2(dst, a, b)
}

func runAndLen(a, b []byte) int {
	switch {
	case !blocks(a, b):
		return runAndLenGeneric(a, b)
	case cpu.Active == cpu.AVX512:
		return runAndLenAVX512(a, b)
	}
	return runAndLenByAVX2(a, b)
}

func runAndByAVX2(dst, a, b []byte) (values, runs int) {
	values, runs, i, j := runAndAVX2(dst, a, b)
	restValues, restRuns := runAndGeneric(dst[4*runs:], a[i:], b[j:])
	return values + restValues, runs + restRuns
}

func runAndLenByAVX2(a, b []byte) int {
	n, i, j := runAndLenAVX2(a, b)
	return n + runAndLenGeneric(a[i:], b[j:])
}

//go:noescape
func runAndAVX512(dst, a, b []byte) (values, runs int)

//go:noescape
func runAndLenAVX512(a, b []byte) int

// runAndAVX2 returns from which bytes on of a and b what they have in common is left, less than
// eight runs of b, or because dst may not have room.
//
//go:noescape
func runAndAVX2(dst, a, b []byte) (values, runs, i, j int)

// runAndLenAVX2 returns from which bytes on of a and b what they have in common is left, less than
// eight runs of b.
//
//go:noescape
func runAndLenAVX2(a, b []byte) (n, i, j int)
