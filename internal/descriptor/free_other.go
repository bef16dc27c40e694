// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

//go:build !unix

package descriptor

// Free returns most: this system does not limit open files.
func Free(most int) (n int, err error) { return most, nil }
