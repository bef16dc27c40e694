// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

//go:build (!amd64 && !arm64) || purego

package array

func searchArray(lows []byte, x uint16) int { return searchArrayGeneric(lows, x) }

func arrayContains(lows []byte, x uint16) bool { return arrayContainsGeneric(lows, x) }
