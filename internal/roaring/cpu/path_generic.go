// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

//go:build (!amd64 && !arm64) || purego

package cpu

// Active is the path that kernels take: there is no other.
const Active = Generic

// Paths returns the paths that can be taken on this processor, in this build: [Generic] first, the
// best one last.
func Paths() []Path { return []Path{Generic} }

// Use makes p the path that is taken, or returns false if this processor has not got it. It is for
// tests and measurements: no kernel may run meanwhile.
func Use(p Path) bool { return p == Generic }
