// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

//go:build !purego

package array

import (
	"github.com/uproar-db/uproar/internal/roaring/cpu"
	"github.com/uproar-db/uproar/internal/roaring/kernel/swar"
)

// searchRatio and vectorRatio are numbers of values of the longer array for each of the shorter
// one. From searchRatio on the longer array is searched. Up to vectorRatio other operations merge
// by vectors; beyond, they copy what lies between the values of the shorter array. vectorsFrom and
// networkFrom are the least numbers of values of the shorter array: fewer hardly fill a block, and
// few merge by copying, too.
const (
	searchRatio = 12
	vectorRatio = 20
	vectorsFrom = 12
	networkFrom = 8
)

// mergedRatio is the largest ratio of values to changes at which vectors merge changes into an
// array.
const mergedRatio = 16

// similar reports whether two arrays are worth intersecting by vectors.
func similar(a, b []byte) bool {
	short, long := min(len(a), len(b)), max(len(a), len(b))
	return cpu.Active == cpu.NEON && short >= 2*vectorsFrom && long <= vectorRatio*short
}

// searchable reports whether an array is so much shorter than another that each of its values is
// searched there.
func searchable(few, many []byte) bool {
	return cpu.Active == cpu.NEON && len(many) > searchRatio*len(few) && len(many) >= 2*wideWindow
}

// Mergeable reports whether two arrays are worth a network.
func Mergeable(a, b []byte) bool {
	return cpu.Active == cpu.NEON && min(len(a), len(b)) >= 2*networkFrom
}

func arrayAndLen(a, b []byte) int {
	if len(a) > len(b) {
		a, b = b, a
	}
	if searchable(a, b) {
		return arrayTinyLenNEON(a, b)
	}
	if !similar(a, b) {
		return arrayAndLenGeneric(a, b)
	}
	return andLenByNEON(a, b)
}

func arrayAnd(dst, a, b []byte) int {
	if len(a) > len(b) {
		a, b = b, a
	}
	if searchable(a, b) {
		return arrayTinyNEON(dst[:len(a)], a, b, 0)
	}
	if !similar(a, b) {
		return arrayAndGeneric(dst, a, b)
	}
	return andByNEON(dst[:len(a)], a, b)
}

func arrayAndNot(dst, a, b []byte) int {
	if searchable(a, b) {
		return arrayTinyNEON(dst[:len(a)], a, b, 1)
	}
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
	if !Mergeable(a, b) {
		return arrayOrGeneric(dst, a, b)
	}
	dst = dst[:len(a)+len(b)]
	return putLast(dst, arrayOrNEON(dst, a, b), endsFull(a)|endsFull(b))
}

func arrayXor(dst, a, b []byte) int {
	if !Mergeable(a, b) {
		return arrayXorGeneric(dst, a, b)
	}
	dst = dst[:len(a)+len(b)]
	return putLast(dst, arrayXorNEON(dst, a, b), endsFull(a)^endsFull(b))
}

// laneWeights is what each lane of a mask of eight counts: its own bit in the lower byte, so that
// the sum of lanes is the number of a shuffle of [together], and 1 in the upper one, so that it is
// the number of lanes, too.
//
//lint:ignore U1000 assembly uses it
var laneWeights = swar.LaneWeights()
