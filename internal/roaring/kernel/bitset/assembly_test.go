// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

//go:build (amd64 || arm64) && !purego

package bitset

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
	case func([]byte) int:
		kerneltest.CompareCounts(t, f, reference.(func([]byte) int))
	case func(a, b *Words) int:
		compareWordCounts(t, f, reference.(func(a, b *Words) int))
	case func(dst, a, b *Words) int:
		compareWordWrites(t, f, reference.(func(dst, a, b *Words) int))
	case func(dst, a *Words):
		want := reference.(func(dst, a *Words))
		counted := func(f func(dst, a *Words)) func(dst, a, b *Words) int {
			return func(dst, a, b *Words) int {
				*dst = *a
				f(dst, b)
				return 0
			}
		}
		compareWordWrites(t, counted(f), counted(want))
	case func(bits *Words, lows []byte):
		compareScatters(t, f, reference.(func(bits *Words, lows []byte)))
	case func(dst []byte, a *Words) int:
		compareToArray(t, f, reference.(func(dst []byte, a *Words) int))
	case func(dst []uint16, a *Words) int:
		in := func(f func(dst []uint16, a *Words) int) func([]byte, *Words) int {
			return func(dst []byte, a *Words) int { return f(kerneltest.AsLows(dst), a) }
		}
		compareToArray(t, in(f), in(reference.(func(dst []uint16, a *Words) int)))
	case func(dst []uint64, words []byte, base uint64) (n, read int):
		kerneltest.CompareValues(t, 8, f, reference.(func(dst []uint64, words []byte, base uint64) (n, read int)))
	default:
		t.Fatalf("nothing compares a %T", f)
	}
}
