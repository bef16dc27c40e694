// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

//go:build !amd64 || purego

package kerneltest

// Lacks returns nothing: all processors have what the functions in assembly need.
func Lacks(string) string { return "" }
