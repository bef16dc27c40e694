// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

//go:build (amd64 || arm64) && !purego

package array

import (
	"testing"

	"github.com/uproar-db/uproar/internal/roaring/kernel/bitset"
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
	case func(a, b []byte) int:
		compareArrays(t, noRoom, counting(f), counting(reference.(func(a, b []byte) int)))
	case func(dst, a, b []byte) int:
		want := reference.(func(dst, a, b []byte) int)
		switch kerneltest.NameOf(reference) {
		case "arrayOrGeneric", "arrayXorGeneric":
			compareArrays(t, roomForBoth, withoutLast(f), withoutLast(want))
		case "arrayAndGeneric":
			compareArrays(t, roomForShorter, f, want)
		default:
			compareArrays(t, roomForFirst, f, want)
		}
	case func(lows []byte, a *bitset.Words) int:
		want := reference.(func([]byte, *bitset.Words) int)
		with := func(f func([]byte, *bitset.Words) int) func(_, lows []byte, a *bitset.Words, _ int) int {
			return func(_, lows []byte, a *bitset.Words, _ int) int { return f(lows, a) }
		}
		compareFilters(t, false, with(f), with(want))
	case func(dst, few, many []byte, flip int) int:
		for flip := range 2 {
			with := func(f func(dst, few, many []byte, flip int) int) func(dst, a, b []byte) int {
				return func(dst, a, b []byte) int { return f(dst, a, b, flip) }
			}
			compareArrays(t, roomForFirst, with(f), with(reference.(func(dst, few, many []byte,
				flip int) int)))
		}
	case func(dst, lows []byte, a *bitset.Words, flip int) int:
		compareFilters(t, true, f, reference.(func(dst, lows []byte, a *bitset.Words, flip int) int))
	case func(dst []uint64, lows []byte, base uint64):
		with := func(f func(dst []uint64, lows []byte, base uint64)) func(dst []uint64, lows []byte,
			base uint64) (int, int) {
			return func(dst []uint64, lows []byte, base uint64) (int, int) {
				f(dst, lows, base)
				return min(len(dst), len(lows)/2), 0
			}
		}
		kerneltest.CompareValues(t, 2, with(f), with(reference.(func(dst []uint64, lows []byte, base uint64))))
	case func(list []byte, i uint32) (at int, left uint32):
		kerneltest.CompareSelects(t, 2, stride, f, reference.(func(list []byte, i uint32) (at int, left uint32)))
	case func(lows []byte, x uint16) int:
		compareSearches(t, f, reference.(func(lows []byte, x uint16) int))
	case func(lows []byte, x uint16) bool:
		compareSearches(t, f, reference.(func(lows []byte, x uint16) bool))
	default:
		t.Fatalf("nothing compares a %T", f)
	}
}

// counting makes a kernel that writes nothing one that compareArrays takes.
func counting(f func(a, b []byte) int) func(dst, a, b []byte) int {
	return func(_, a, b []byte) int { return f(a, b) }
}

// withoutLast makes a merge ignore 65 535 at the end of its result. It does not call the merge
// without values.
func withoutLast(f func(dst, a, b []byte) int) func(dst, a, b []byte) int {
	return func(dst, a, b []byte) int {
		if len(a) < 2 || len(b) < 2 {
			return 0
		}
		return putLast(dst, f(dst, a, b), 0)
	}
}

// What a merge asks to have room for.
func noRoom(a, b []byte) int { return 0 }

func roomForFirst(a, b []byte) int { return len(a) }

func roomForShorter(a, b []byte) int { return min(len(a), len(b)) }

func roomForBoth(a, b []byte) int { return len(a) + len(b) }
