// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

//go:build !purego

package cpu

// processorPaths returns the paths that every processor of arm64 has.
func processorPaths() []Path { return []Path{Generic, NEON} }
