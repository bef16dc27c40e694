// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

//go:build (amd64 || arm64) && !purego

package column

import (
	"testing"

	"github.com/uproar-db/uproar/internal/roaring/kernel/kerneltest"
)

// TestAssembly compares every function in assembly with its reference. Operands stand at both ends
// of memory whose neighbour pages must not be touched, and at all alignments between.
func TestAssembly(t *testing.T) { kerneltest.CompareForms(t, forms, compareForm) }

// TestAssemblyIsCompared reads the sources in assembly: each function must be among the forms.
func TestAssemblyIsCompared(t *testing.T) { kerneltest.CheckCompared(t, forms) }

// TestAssemblyIsFuzzed reads the sources: FuzzPaths must call each function in assembly.
func TestAssemblyIsFuzzed(t *testing.T) { kerneltest.CheckFuzzed(t, forms) }

// compareForm compares a function with its reference, as its type asks.
func compareForm(t *testing.T, called, reference any) {
	switch f := called.(type) {
	case func(counts []uint32, spans [][]byte, width int) int:
		compareColumns(t, f, reference.(func(counts []uint32, spans [][]byte, width int) int))
	case func(counts []uint32, least uint32) int:
		want := reference.(func(counts []uint32, least uint32) int)
		with := func(f func(counts []uint32, least uint32) int) func(counts, _ []uint32, least uint32,
			_ float64) int {
			return func(counts, _ []uint32, least uint32, _ float64) int { return f(counts, least) }
		}
		compareRanks(t, with(f), with(want))
	case func(counts, sizes []uint32, least uint32, part float64) int:
		compareRanks(t, f, reference.(func(counts, sizes []uint32, least uint32, part float64) int))
	case func(dst, lows []uint16, words []byte, offset, bits int) uint16:
		compareSmallWords(t, f, reference.(func(dst, lows []uint16, words []byte, offset, bits int) uint16))
	default:
		t.Fatalf("nothing compares a %T", f)
	}
}
