// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

//go:build (amd64 || arm64) && !purego

package swar

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
	case func([]byte):
		// What it does cannot be seen; what it must not do, fault or write, can.
		quiet := func(f func([]byte)) func([]byte) int {
			return func(b []byte) int {
				f(b)
				return 0
			}
		}
		kerneltest.CompareCounts(t, quiet(f), quiet(reference.(func([]byte))))
	default:
		t.Fatalf("nothing compares a %T", f)
	}
}
