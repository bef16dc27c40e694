// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

//go:build (!amd64 && !arm64) || purego

package column

func countRows(counts []uint32, spans [][]byte, width int) int {
	return countRowsGeneric(counts, spans, width)
}
