// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

//go:build !linux && !darwin

package kernel

import "testing"

// newMemory returns size bytes; without protected pages, only what is written beyond a slice in
// them is found.
func newMemory(_ testing.TB, size int) []byte { return make([]byte, size) }
