// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

//go:build (!amd64 && !arm64) || purego

package eliasfano

func packedKeep(dst, values []uint64, base uint64, p *Probe) (n, read int) {
	return packedKeepGeneric(dst, values, base, p)
}
