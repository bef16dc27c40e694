// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

//go:build (amd64 || arm64) && !purego

package run

import (
	"math"
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
	case runPairs:
		compareRunPairs(t, f, reference.(runPairs))
	case runPairsLen:
		as := func(f runPairsLen) runPairs {
			return func(_, a, b []byte) (values, runs int) { return f(a, b), 0 }
		}
		compareRunPairs(t, as(f), as(reference.(runPairsLen)))
	case func(runs []byte, i uint32) (x uint16, ok bool):
		as := func(f func(runs []byte, i uint32) (x uint16, ok bool)) func(list []byte, i uint32) (at int,
			left uint32) {
			return func(runs []byte, i uint32) (at int, left uint32) {
				x, ok := f(runs, i)
				return swar.One(ok), uint32(x)
			}
		}
		kerneltest.CompareSelects(t, 4, math.MaxInt32, as(f), as(reference.(func(runs []byte, i uint32) (x uint16,
			ok bool))))
	case func(dst []uint64, runs []byte, at, next int, base uint64) (n, run, value int):
		compareRunValues(t, f, reference.(func(dst []uint64, runs []byte, at, next int, base uint64) (n, run,
			value int)))
	default:
		t.Fatalf("nothing compares a %T", f)
	}
}
