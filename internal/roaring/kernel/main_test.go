// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package kernel

import (
	"flag"
	"fmt"
	"os"
	"testing"
)

// TestMain runs every test on every path of this processor, so that all of them meet the same
// references; benchmarks and fuzzing run on the one that is taken, which UPROAR_KERNELS names. It
// fails when the processor has a path that did not run.
func TestMain(m *testing.M) {
	flag.Parse()
	if set("test.bench") || set("test.fuzz") || set("test.list") || os.Getenv("UPROAR_KERNELS") != "" {
		fmt.Println("kernel path:", Taken())
		os.Exit(m.Run())
	}
	ran := map[Path]bool{}
	for _, p := range Paths() {
		if !Use(p) {
			fmt.Println("kernel path: FAIL:", p, "cannot be taken, though the best is", Best())
			os.Exit(1)
		}
		fmt.Println("kernel path:", p)
		if code := m.Run(); code != 0 {
			os.Exit(code)
		}
		ran[p] = true
	}
	for _, p := range processorPaths() {
		if !ran[p] {
			fmt.Println("kernel path: FAIL: the processor has", p, "which did not run")
			os.Exit(1)
		}
	}
	os.Exit(0)
}

// set reports whether a flag of the test binary is set to something that matters.
func set(name string) bool {
	f := flag.Lookup(name)
	return f != nil && f.Value.String() != "" && f.Value.String() != "false"
}
