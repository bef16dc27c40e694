// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

//go:build (!amd64 && !arm64) || purego

package eliasfano

func packedHas(p *Packed, upper, _ int, d uint64) bool {
	_, found := packedFindGeneric(p, upper, d)
	return found
}

func packedFind(p *Packed, upper, _ int, d uint64) (i int, found bool) {
	return packedFindGeneric(p, upper, d)
}

func packedAt(p *Packed, upper, _, i int) (d uint64, ok bool) { return packedAtGeneric(p, upper, i) }
