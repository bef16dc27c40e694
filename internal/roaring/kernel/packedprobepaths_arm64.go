// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

//go:build !purego

package kernel

func packedKeep(dst, values []uint64, base uint64, p *PackedProbe) (n, read int) {
	return packedKeepGeneric(dst, values, base, p)
}
