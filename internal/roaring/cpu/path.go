// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package cpu

import "fmt"

// Path is one of the ways in which the kernels that have several are run. All give the same
// results, on payloads that are valid.
type Path uint8

const (
	// Generic is plain Go. It runs everywhere, and is what the other paths are compared with.
	Generic Path = iota
	// AVX2 is for amd64 processors with AVX2, BMI1, BMI2 and POPCNT: Intel's from Haswell (2013)
	// on, AMD's from Excavator (2015) on.
	AVX2
	// AVX512 is for amd64 processors that have, beside those, AVX-512 F, BW, CD, DQ, VL, VBMI,
	// VBMI2, BITALG and VPOPCNTDQ: Intel's servers from Ice Lake (2021) on, AMD's from Zen 4 (2022)
	// on.
	AVX512
	// NEON is for arm64 processors: all of them have it.
	NEON
)

var pathNames = [...]string{Generic: "generic", AVX2: "avx2", AVX512: "avx512", NEON: "neon"}

// String returns the name of a path: that of its instructions, in lower case.
func (p Path) String() string {
	if int(p) < len(pathNames) {
		return pathNames[p]
	}
	return fmt.Sprintf("path %d", uint8(p))
}

// choose returns the path called name from paths, or the last one, the best, if there is none.
func choose(name string, paths []Path) Path {
	for _, p := range paths {
		if p.String() == name {
			return p
		}
	}
	return paths[len(paths)-1]
}

// Best returns the best path of this processor, in this build.
func Best() Path { return Paths()[len(Paths())-1] }
