// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

//go:build !purego

package bitset

func scatter(bits *Words, lows []byte) { scatterGeneric(bits, lows) }
