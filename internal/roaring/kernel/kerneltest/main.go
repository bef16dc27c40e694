// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package kerneltest

import (
	"flag"
	"fmt"
	"os"
	"testing"

	"github.com/uproar-db/uproar/internal/roaring/cpu"
)

// Main runs every test on every path of this processor, so that all meet the same references.
// Benchmarks and fuzzing run only on the active path, which UPROAR_KERNELS names. The tests of cpu
// check that the processor has no other paths.
func Main(m *testing.M) {
	flag.Parse()
	if set("test.bench") || set("test.fuzz") || set("test.list") || os.Getenv("UPROAR_KERNELS") != "" {
		fmt.Println("kernel path:", cpu.Active)
		os.Exit(m.Run())
	}
	for _, p := range cpu.Paths() {
		if !cpu.Use(p) {
			fmt.Println("kernel path: FAIL:", p, "cannot be taken, though the best is", cpu.Best())
			os.Exit(1)
		}
		fmt.Println("kernel path:", p)
		if code := m.Run(); code != 0 {
			os.Exit(code)
		}
	}
	os.Exit(0)
}

// set reports whether a flag of the test binary is set to something that matters.
func set(name string) bool {
	f := flag.Lookup(name)
	return f != nil && f.Value.String() != "" && f.Value.String() != "false"
}
