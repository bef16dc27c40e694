// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

//go:build !linux && !darwin

package kerneltest

import "testing"

// NewMemory returns size bytes; without protected pages, only what is written beyond a slice in
// them is found.
func NewMemory(_ testing.TB, size int) []byte { return make([]byte, size) }
