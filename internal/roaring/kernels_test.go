// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package roaring

import (
	"os"
	"testing"

	"github.com/uproar-db/uproar/internal/roaring/cpu"
)

// TestKernelsNamed checks that UPROAR_KERNELS chooses the path of the kernels, if the processor has
// it. The kernels read the variable before tests run, which go test does not see. Reading it here
// keeps go test from using a cached result of another path.
func TestKernelsNamed(t *testing.T) {
	name, want := os.Getenv("UPROAR_KERNELS"), cpu.Best()
	for _, p := range cpu.Paths() {
		if p.String() == name {
			want = p
		}
	}
	if got := cpu.Active; got != want {
		t.Errorf("UPROAR_KERNELS is %q: %v is taken, want %v", name, got, want)
	}
}
