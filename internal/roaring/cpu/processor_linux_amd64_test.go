// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

//go:build !purego

package cpu

import (
	"os"
	"slices"
	"strings"
)

// processorPaths returns the paths that the Linux kernel says the processor has. [Best] asks the
// processor instead, so the two sources check each other.
func processorPaths() []Path {
	info, err := os.ReadFile("/proc/cpuinfo")
	if err != nil {
		return nil
	}
	var flags []string
	for line := range strings.Lines(string(info)) {
		if name, value, ok := strings.Cut(line, ":"); ok && strings.TrimSpace(name) == "flags" {
			flags = strings.Fields(value)
			break
		}
	}
	has := func(names string) bool {
		for _, name := range strings.Fields(names) {
			if !slices.Contains(flags, name) {
				return false
			}
		}
		return true
	}
	paths := []Path{Generic}
	if has("sse4_2 popcnt avx avx2 bmi1 bmi2") {
		paths = append(paths, AVX2)
		if has("avx512f avx512bw avx512cd avx512dq avx512vl avx512vbmi avx512_vbmi2 avx512_bitalg avx512_vpopcntdq") {
			paths = append(paths, AVX512)
		}
	}
	return paths
}
