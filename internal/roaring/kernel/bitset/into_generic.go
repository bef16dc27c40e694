// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

//go:build (!amd64 && !arm64) || purego

package bitset

func orInto(dst, a *Words) { orIntoGeneric(dst, a) }

func xorInto(dst, a *Words) { xorIntoGeneric(dst, a) }

func andNotInto(dst, a *Words) { andNotIntoGeneric(dst, a) }

func fillRuns(bits *Words, runs []byte) { fillRunsGeneric(bits, runs) }
