// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package roaring

import (
	"os"
	"testing"

	"github.com/uproar-db/uproar/internal/roaring/cpu"
)

// TestKernelsNamed: the kernels take the path that UPROAR_KERNELS names, if the processor has it.
// As they read the variable before tests run, of which go test does not know, it is read here: so
// that no result of another path is taken for one of this.
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
