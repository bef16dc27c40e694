// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

//go:build (!amd64 && !arm64) || purego

package array

func selectCard([]byte, uint64) (at int, left uint64, ok bool) { return 0, 0, false }
