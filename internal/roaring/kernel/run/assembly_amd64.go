// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

//go:build !purego

package run

// Each of these does what the function does whose name ends in Generic.

//go:noescape
func runValuesAVX512(dst []uint64, runs []byte, at, next int, base uint64) (n, run, value int)

//go:noescape
func runValuesAVX2(dst []uint64, runs []byte, at, next int, base uint64) (n, run, value int)

//go:noescape
func runSelectAVX512(runs []byte, i uint32) (x uint16, ok bool)
