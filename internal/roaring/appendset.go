// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package roaring

import (
	"github.com/uproar-db/uproar/internal/roaring/container"
	"github.com/uproar-db/uproar/internal/roaring/pack"
	"github.com/uproar-db/uproar/internal/roaring/pair"
	"github.com/uproar-db/uproar/internal/roaring/view"
)

// AppendAnd appends the body of the intersection of a and b to dst. It returns the longer slice,
// which [OpenBody] reads.
//
// It is [pair.And] into the caller's memory: with room in dst it allocates nothing once the
// package's builders are warm. As with [AppendBody] there is no envelope, and the empty set appends
// nothing. Unlike there, the containers are chosen for speed, as in And. dst must not overlap the
// bytes of a and b beyond its length. The same holds for [AppendOr], [AppendAndNot] and
// [AppendXor].
func AppendAnd(dst []byte, a, b view.View) []byte { return appendCombined(dst, container.And, &a, &b) }

// AppendOr appends the body of the set of values that at least one of a and b has. See [AppendAnd].
func AppendOr(dst []byte, a, b view.View) []byte { return appendCombined(dst, container.Or, &a, &b) }

// AppendAndNot appends the body of the set of values of a that b has not. See [AppendAnd].
func AppendAndNot(dst []byte, a, b view.View) []byte {
	return appendCombined(dst, container.AndNot, &a, &b)
}

// AppendXor appends the body of the set of values that only one of a and b has. See [AppendAnd].
func AppendXor(dst []byte, a, b view.View) []byte { return appendCombined(dst, container.Xor, &a, &b) }

func appendCombined(dst []byte, op container.Op, a, b *view.View) []byte {
	m := pack.BorrowBuilder()
	defer m.Release()
	pair.CombineInto(m, op, a, b)
	return m.Write(dst, m.LayOut(pack.AsTheyAre))
}

// AppendOrAll appends the body of the set of values that at least one of the sets has: [OrAll] into
// the caller's memory, see [AppendAnd].
func AppendOrAll(dst []byte, views ...view.View) []byte {
	return appendMerged(dst, container.Or, views)
}

// AppendXorAll appends the body of the set of values that an odd number of the sets have: [XorAll]
// into the caller's memory, see [AppendAnd].
func AppendXorAll(dst []byte, views ...view.View) []byte {
	return appendMerged(dst, container.Xor, views)
}

// AppendAndAll appends the body of the set of values that all of the sets have: [AndAll] into the
// caller's memory, see [AppendAnd].
func AppendAndAll(dst []byte, views ...view.View) []byte {
	if len(views) == 0 {
		return dst
	}
	m := pack.BorrowBuilder()
	defer m.Release()
	m.Layout = pack.AsTheyAre
	meetAll(&sink{m: m}, views)
	return m.Write(dst, m.LayOut(pack.AsTheyAre))
}

// AppendAndNotAll appends the body of the set of values of a that none of the others has:
// [AndNotAll] into the caller's memory, see [AppendAnd].
func AppendAndNotAll(dst []byte, a view.View, others ...view.View) []byte {
	m := pack.BorrowBuilder()
	defer m.Release()
	m.Layout = pack.AsTheyAre
	subtractAll(&sink{m: m}, a, others)
	return m.Write(dst, m.LayOut(pack.AsTheyAre))
}

func appendMerged(dst []byte, op container.Op, views []view.View) []byte {
	m := pack.BorrowBuilder()
	defer m.Release()
	m.Layout = pack.AsTheyAre
	mergeInto(&sink{m: m}, op, views)
	return m.Write(dst, m.LayOut(pack.AsTheyAre))
}
