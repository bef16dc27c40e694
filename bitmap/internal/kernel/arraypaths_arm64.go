// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

//go:build !purego

package kernel

// vectorRatio is the number of values of the longer array for each of the shorter one up to which arrays are intersected by vectors: beyond, the longer one is searched. vectorsFrom and networkFrom are the
// numbers of values that the shorter one must have: less fill hardly a block, and few are merged by copying what lies between them.
const (
	vectorRatio = 20
	vectorsFrom = 12
	networkFrom = 8
)

// mergedRatio is the number of values of an array for each change up to which changes are merged into it by vectors.
const mergedRatio = 16

// similar reports whether two arrays are worth intersecting by vectors.
func similar(a, b []byte) bool {
	short, long := min(len(a), len(b)), max(len(a), len(b))
	return path == NEON && short >= 2*vectorsFrom && long <= vectorRatio*short
}

// mergeable reports whether two arrays are worth a network.
func mergeable(a, b []byte) bool { return path == NEON && min(len(a), len(b)) >= 2*networkFrom }

func arrayAndLen(a, b []byte) int {
	if !similar(a, b) {
		return arrayAndLenGeneric(a, b)
	}
	return andLenByNEON(a, b)
}

func arrayAnd(dst, a, b []byte) int {
	if len(a) > len(b) {
		a, b = b, a
	}
	if !similar(a, b) {
		return arrayAndGeneric(dst, a, b)
	}
	return andByNEON(dst[:len(a)], a, b)
}

func arrayAndNot(dst, a, b []byte) int {
	if !similar(a, b) {
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
	if !mergeable(a, b) {
		return arrayOrGeneric(dst, a, b)
	}
	dst = dst[:len(a)+len(b)]
	return putLast(dst, arrayOrNEON(dst, a, b), endsFull(a)|endsFull(b))
}

func arrayXor(dst, a, b []byte) int {
	if !mergeable(a, b) {
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
