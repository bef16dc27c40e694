// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

//go:build (!arm64 && (!linux || !amd64)) || purego

package cpu

// processorPaths returns the paths that the processor has for certain.
func processorPaths() []Path { return []Path{Generic} }
