// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

//go:build (amd64 || arm64) && !purego

package sorted

import (
	"testing"

	"github.com/uproar-db/uproar/internal/roaring/kernel/kerneltest"
	"github.com/uproar-db/uproar/internal/roaring/kernel/swar"
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
	case fixedPairs:
		compareFixedPairs(t, f, reference.(fixedPairs))
	case fixedLookUp:
		want := reference.(fixedLookUp)
		compareFixedLists(t, func(list []byte, width int, x uint64) (int, int) {
			return swar.One(f(list, width, x)), swar.One(want(list, width, x))
		})
	case fixedRanked:
		want := reference.(fixedRanked)
		compareFixedLists(t, func(list []byte, width int, x uint64) (int, int) {
			n := len(list) / width
			return f(list, n, width, x), want(list, n, width, x)
		})
	case fixedRead:
		compareFixedReads(t, f, reference.(fixedRead))
	case func(a, b []uint64) (n, i, j int):
		compareMeeting(t, func(_, a, b []uint64) (n, i, j int) { return f(a, b) }, false)
	case func(dst, a, b []uint64) (n, i, j int):
		compareMeeting(t, f, true)
	case func(dst []uint32, lows []byte, base uint32):
		compareArrayOffsets(t, f, reference.(func(dst []uint32, lows []byte, base uint32)))
	case func(offsets []uint32, bits []byte, base uint32) (n int):
		compareKeeps(t, f, reference.(func(offsets []uint32, bits []byte, base uint32) (n int)))
	case func(a, b []uint32) (n, i, j int):
		with := func(f func(a, b []uint32) (n, i, j int)) func(_, a, b []uint32) (n, i, j int) {
			return func(_, a, b []uint32) (n, i, j int) { return f(a, b) }
		}
		compareOffsets(t, with(f), with(reference.(func(a, b []uint32) (n, i, j int))), false)
	case func(dst, a, b []uint32) (n, i, j int):
		compareOffsets(t, f, reference.(func(dst, a, b []uint32) (n, i, j int)), true)
	case func(values []uint64, bits []byte, base uint64) int:
		compareContainedLen(t, f, reference.(func(values []uint64, bits []byte, base uint64) int))
	default:
		t.Fatalf("nothing compares a %T", f)
	}
}
