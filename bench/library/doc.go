// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

// Package library compares the bitmap package with other libraries of sets: operation by operation,
// on real and on random sets.
//
// Every contestant holds the same sets. Before an operation is timed, its answers are compared with
// those of plain slices: a peer that is wrong is reported and left out, a wrong answer of ours
// fails the run. Then all contestants take turns for several rounds, so that what disturbs the
// machine disturbs all of them, and the median of the rounds counts. Allocations are those of one
// pass, warm.
//
// CRoaring takes part with the build tag croaring, after `make croaring`; -with
// 'Fastest|Smallest|CRoaring' compares with it alone.
//
// A file for each contestant says how it does each operation (ours.go, roaring32.go, …); a file for
// each group of operations says what is checked and what is timed (pairs.go, wide.go, reads.go,
// opens.go, builds.go).
package library
