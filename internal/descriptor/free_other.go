// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

//go:build !unix

package descriptor

// Free returns how many more files the process may have open, up to a number: all, on systems on
// which it may have as many as it wants.
func Free(most int) (n int, err error) { return most, nil }
