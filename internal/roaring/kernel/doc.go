// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

// Package kernel holds the inner loops of package bitmap: merges, probes, word-wise loops and the
// coding of packed blocks.
//
// Terminology:
//
//   - lows: ascending little-endian uint16, the payload of an array container
//   - words: 1 024 little-endian uint64, the payload of a bitset container; bit b of word w is
//     value 64·w + b
//   - runs: pairs (start, length − 1) of little-endian uint16, the payload of a run container
//   - packed block: an Elias–Fano block, see [Packed]
//
// Payloads go in and come out as bytes in the order of the format, need no alignment, and may be
// hostile: a kernel reads within its operands, writes within its destination and does work bounded
// by their lengths on any bytes. On payloads that are not valid the result is unspecified but the
// same each time. Every kernel is a pure function of its operands, so that it may be called from
// any number of goroutines.
//
// The Go code has no build tag. Some kernels are written in assembly as well, for one or more paths
// of package cpu: their Go function has a name in Generic and is what they are compared with.
// Beside each family stand the files that choose, for one processor each: bitset.go and
// bitsetpaths_amd64.go, bitsetpaths_arm64.go and bitsetpaths_generic.go. They choose by a switch,
// not by a variable that holds a function: through that the compiler cannot see that operands do
// not escape, and would move those on the stack to the heap. docs/kernels.md says how kernels work,
// and what they give.
package kernel
