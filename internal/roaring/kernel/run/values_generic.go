// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

//go:build (!amd64 && !arm64) || purego

package run

func runValues(dst []uint64, runs []byte, at, next int, base uint64) (n, run, value int) {
	return runValuesGeneric(dst, runs, at, next, base)
}
