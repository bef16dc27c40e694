// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

//go:build (!amd64 && !arm64) || purego

package bitset

func scatter(bits *Words, lows []byte) { scatterGeneric(bits, lows) }
