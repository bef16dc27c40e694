// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

//go:build (amd64 || arm64) && !purego

package eliasfano

import (
	"testing"

	"github.com/uproar-db/uproar/internal/roaring/kernel/kerneltest"
)

// TestAssembly compares every function in assembly with its reference. Operands stand at both ends
// of memory whose neighbour pages must not be touched, and at all alignments between.
func TestAssembly(t *testing.T) {
	kerneltest.CompareForms(t, forms, compareForm)
}

// TestAssemblyIsCompared reads the sources in assembly: each function must be among the forms.
func TestAssemblyIsCompared(t *testing.T) { kerneltest.CheckCompared(t, forms) }

// TestAssemblyIsFuzzed reads the sources: FuzzPaths must call each function in assembly.
func TestAssemblyIsFuzzed(t *testing.T) { kerneltest.CheckFuzzed(t, forms) }

// compareForm compares a function with its reference, as its type asks.
func compareForm(t *testing.T, called, reference any) {
	switch f := called.(type) {
	case func(dst, words []byte, word uint64, zeros, end int, low uint) (n, read int, left uint64):
		compareUppers(t, f, reference.(func(dst, words []byte, word uint64, zeros, end int, low uint) (n,
			read int, left uint64)))
	case func(lows, block []byte, off int, low uint):
		compareLowers(t, f, reference.(func(lows, block []byte, off int, low uint)))
	case func(dst []uint64, words []byte, word uint64, zeros int, block []byte, off int, low uint,
		base uint64) (n, read int, left uint64):
		comparePackedValues(t, f)
	case func(dst, values []uint64, base uint64, p *Probe) (n, read int):
		compareProbes(t, f, reference.(func(dst, values []uint64, base uint64, p *Probe) (n, read int)))
	case func(few, many *Packed, fewUpper, manyUpper int) int:
		compareMeets(t, f, reference.(func(few, many *Packed, fewUpper, manyUpper int) int))
	case func(p *Packed, upper int, d uint64) (i int, found bool):
		compareFinds(t, f, reference.(func(p *Packed, upper int, d uint64) (i int, found bool)))
	case func(p *Packed, upper, i int) (d uint64, ok bool):
		compareAts(t, f, reference.(func(p *Packed, upper, i int) (d uint64, ok bool)))
	case func(dst []uint32, words []byte, word uint64, zeros int, low uint) (n, read int, left uint64):
		compareUpperOffsets(t, f, reference.(func(dst []uint32, words []byte, word uint64, zeros int,
			low uint) (n, read int, left uint64)))
	case func(offsets []uint32, block []byte, off int, low uint):
		compareAddLowers(t, f, reference.(func(offsets []uint32, block []byte, off int, low uint)))
	case func(dst []uint32, a *Arrays, i, end int) (n, next int):
		compareDirectories(t, f, reference.(func(dst []uint32, a *Arrays, i, end int) (n, next int)))
	case func(dst []uint64, a *Arrays, i, end int) (n, next int):
		compareDirectories(t, f, reference.(func(dst []uint64, a *Arrays, i, end int) (n, next int)))
	case lookupFunction:
		compareLookups(t, f, reference.(lookupFunction))
	case func(p *Packed, upper int, a *Arrays) int:
		with := func(f func(p *Packed, upper int, a *Arrays) int) func(p *Packed, _ []uint64, a *Arrays) int {
			return func(p *Packed, _ []uint64, a *Arrays) int { return f(p, p.upper(), a) }
		}
		compareInArrays(t, listMost, with(f), with(reference.(func(p *Packed, upper int, a *Arrays) int)))
	case func(few []uint64, a *Arrays) int:
		with := func(f func(few []uint64, a *Arrays) int) func(_ *Packed, few []uint64, a *Arrays) int {
			return func(_ *Packed, few []uint64, a *Arrays) int { return f(few, a) }
		}
		compareInArrays(t, valuesMost, with(f), with(reference.(func(few []uint64, a *Arrays) int)))
	case sameFunction:
		compareSame(t, f, reference.(sameFunction))
	case inBitsFunction:
		compareInBits(t, f, reference.(inBitsFunction))
	case inArrayFunction:
		compareInArray(t, f, reference.(inArrayFunction))
	case func(room []byte, size, n int, d uint64) (i int, found bool):
		compareLocate(t, f, reference.(func(room []byte, size, n int, d uint64) (i int, found bool)))
	default:
		t.Fatalf("nothing compares a %T", f)
	}
}
