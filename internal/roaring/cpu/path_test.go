// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package cpu

import (
	"fmt"
	"os"
	"slices"
	"testing"
)

// TestChoose names a path that there is, and others, also by the variable: go test, which notes
// what is read while tests run and not before, takes no result of another path for one of this
// then.
func TestChoose(t *testing.T) {
	if name := os.Getenv("UPROAR_KERNELS"); name != "" && Active != choose(name, Paths()) {
		t.Errorf("UPROAR_KERNELS is %s: %v is taken, want %v", name, Active, choose(name, Paths()))
	}
	intel, arm := []Path{Generic, AVX2, AVX512}, []Path{Generic, NEON}
	for _, c := range []struct {
		name  string
		paths []Path
		want  Path
	}{
		{"", intel, AVX512}, {"generic", intel, Generic}, {"avx2", intel, AVX2}, {"avx512", intel[:2], AVX2},
		{"AVX2", intel[:2], AVX2}, {"nonsense", intel, AVX512}, {"avx2", intel[:1], Generic},
		{"", arm, NEON}, {"generic", arm, Generic}, {"avx512", arm, NEON}, {"neon", arm, NEON},
	} {
		if got := choose(c.name, c.paths); got != c.want {
			t.Errorf("%q of %v: got %v, want %v", c.name, c.paths, got, c.want)
		}
	}
	if got := fmt.Sprint(Generic, AVX2, AVX512, NEON, Path(9)); got != "generic avx2 avx512 neon path 9" {
		t.Error(got)
	}
}

// TestPaths expects every path that the operating system says the processor has, and takes each.
func TestPaths(t *testing.T) {
	for _, p := range processorPaths() {
		if !slices.Contains(Paths(), p) {
			t.Errorf("the processor has %v, which is not among %v", p, Paths())
		}
	}
	defer Use(Active)
	for _, p := range Paths() {
		if !Use(p) || Active != p {
			t.Errorf("%v cannot be taken, though the best is %v", p, Best())
		}
	}
	if Use(Best() + 9) {
		t.Error("a path that there is not was taken")
	}
}
