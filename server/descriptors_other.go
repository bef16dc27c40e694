// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

//go:build !linux && !darwin

package server

// spareFiles is not known here.
func spareFiles() (n int64, known bool) { return 0, false }
