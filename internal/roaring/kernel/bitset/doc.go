// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

// Package bitset has the inner loops over bitsets: 1 024 little-endian words of 64 bits, in which
// bit b of word w is value 64·w + b. It combines two, counts and selects ones, writes their places,
// and sets the bits of arrays and runs.
//
// Bytes may be hostile: a kernel reads within its operands, writes within its destination, and does
// work bounded by their lengths. On payloads that are not valid the result is unspecified but the
// same each time. Kernels are pure functions of their operands, for any number of goroutines.
package bitset
