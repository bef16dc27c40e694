// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

//go:build !purego

package cpu

import "os"

// Active is the path that kernels take: [NEON], unless the environment variable UPROAR_KERNELS
// names the other one. Only [Use] sets it.
var Active = choose(os.Getenv("UPROAR_KERNELS"), Paths())

// Paths returns the paths that can be taken on this processor, in this build: [Generic] first, the
// best one last.
func Paths() []Path { return []Path{Generic, NEON} }

// Use makes p the path that is taken, or returns false if this processor has not got it. It is for
// tests and measurements: no kernel may run meanwhile.
func Use(p Path) bool {
	if p != Generic && p != NEON {
		return false
	}
	Active = p
	return true
}
