// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

//go:build !purego

package kernel

// vectorRatio is the number of values of the longer array for each of the shorter one up to which arrays are intersected by vectors: beyond, the longer one is searched. Networks take less than
// searches and copies up to fewRatio. vectorsFrom is the number of values that the shorter one must have: less fill hardly a block.
const (
	vectorRatio = 20
	fewRatio    = 16
	vectorsFrom = 12
)

// similar reports whether two arrays are worth merging by vectors, the longer one of which has at most ratio times as many values as the shorter.
func similar(a, b []byte, ratio int) bool {
	short, long := min(len(a), len(b)), max(len(a), len(b))
	return path == NEON && short >= 2*vectorsFrom && long <= ratio*short
}

func arrayAndLen(a, b []byte) int {
	if !similar(a, b, vectorRatio) {
		return arrayAndLenGeneric(a, b)
	}
	return andLenByNEON(a, b)
}

func arrayAnd(dst, a, b []byte) int {
	if len(a) > len(b) {
		a, b = b, a
	}
	if !similar(a, b, vectorRatio) {
		return arrayAndGeneric(dst, a, b)
	}
	return andByNEON(dst[:len(a)], a, b)
}

func arrayAndNot(dst, a, b []byte) int {
	if !similar(a, b, vectorRatio) {
		return arrayAndNotGeneric(dst, a, b)
	}
	return andNotByNEON(dst[:len(a)], a, b)
}

func andLenByNEON(a, b []byte) int {
	n, i, j := arrayAndLenNEON(a, b)
	return n + arrayAndLenGeneric(a[i:], b[j:])
}

func andByNEON(dst, a, b []byte) int {
	n, i, j := arrayAndNEON(dst, a, b)
	return n + andRest(dst[2*n:], a, b, i, j)
}

func andNotByNEON(dst, a, b []byte) int {
	n, i, j := arrayAndNotNEON(dst, a, b)
	return n + arrayAndNotGeneric(dst[2*n:], a[i:], b[j:])
}

func arrayOr(dst, a, b []byte) int {
	if !similar(a, b, fewRatio) {
		return arrayOrGeneric(dst, a, b)
	}
	dst = dst[:len(a)+len(b)]
	return putLast(dst, arrayOrNEON(dst, a, b), endsFull(a)|endsFull(b))
}

func arrayXor(dst, a, b []byte) int {
	if !similar(a, b, fewRatio) {
		return arrayXorGeneric(dst, a, b)
	}
	dst = dst[:len(a)+len(b)]
	return putLast(dst, arrayXorNEON(dst, a, b), endsFull(a)^endsFull(b))
}

// laneWeights is what each lane of a mask of eight counts: its own bit in the lower byte, so that the sum of lanes is the number of a shuffle of [together], and 1 in the upper one, so
// that it is the number of lanes, too.
//
//lint:ignore U1000 assembly uses it
var laneWeights = [8]uint16{0x101, 0x102, 0x104, 0x108, 0x110, 0x120, 0x140, 0x180}
