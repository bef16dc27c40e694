// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package bitmap

import (
	"github.com/uproar-db/uproar/internal/roaring"
	"github.com/uproar-db/uproar/internal/roaring/view"
)

// AppendAnd appends to dst the body of the set of values that both a and b have. It returns the
// longer slice; [OpenBody] reads what was appended.
//
// It is [And] into the caller's memory: with room in dst nothing is allocated once the package's
// builders are warm. As with [AppendBody] there is no envelope, and the empty set appends nothing;
// unlike there, the containers are those of And, chosen for speed. dst must not overlap the bytes
// of a and b beyond its length. The same holds for [AppendOr], [AppendAndNot] and [AppendXor].
func AppendAnd(dst []byte, a, b View) []byte {
	return roaring.AppendAnd(dst, view.View(a), view.View(b))
}

// AppendOr appends the body of the set of values that at least one of a and b has. See [AppendAnd].
func AppendOr(dst []byte, a, b View) []byte {
	return roaring.AppendOr(dst, view.View(a), view.View(b))
}

// AppendAndNot appends the body of the set of values of a that b has not. See [AppendAnd].
func AppendAndNot(dst []byte, a, b View) []byte {
	return roaring.AppendAndNot(dst, view.View(a), view.View(b))
}

// AppendXor appends the body of the set of values that only one of a and b has. See [AppendAnd].
func AppendXor(dst []byte, a, b View) []byte {
	return roaring.AppendXor(dst, view.View(a), view.View(b))
}

// AppendOrAll appends the body of the set of values that at least one of the sets has: [OrAll] into
// the caller's memory, see [AppendAnd].
func AppendOrAll(dst []byte, views ...View) []byte { return roaring.AppendOrAll(dst, engine(views)...) }

// AppendXorAll appends the body of the set of values that an odd number of the sets have: [XorAll]
// into the caller's memory, see [AppendAnd].
func AppendXorAll(dst []byte, views ...View) []byte {
	return roaring.AppendXorAll(dst, engine(views)...)
}

// AppendAndAll appends the body of the set of values that all of the sets have: [AndAll] into the
// caller's memory, see [AppendAnd].
func AppendAndAll(dst []byte, views ...View) []byte {
	return roaring.AppendAndAll(dst, engine(views)...)
}

// AppendAndNotAll appends the body of the set of values of a that none of the others has:
// [AndNotAll] into the caller's memory, see [AppendAnd].
func AppendAndNotAll(dst []byte, a View, others ...View) []byte {
	return roaring.AppendAndNotAll(dst, view.View(a), engine(others)...)
}
