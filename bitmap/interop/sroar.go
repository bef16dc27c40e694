// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package interop

import (
	"github.com/uproar-db/uproar/bitmap"
	"github.com/uproar-db/uproar/internal/roaring"
)

// FromSroar returns the set whose bytes sroar wrote: b is what ToBuffer of
// github.com/dgraph-io/sroar or github.com/weaviate/sroar returns, in which both agree. No bytes
// are the empty set, as sroar has it. The set is packed as [bitmap.Fastest] and keeps nothing of b.
//
// Everything is checked: bytes that sroar would not have written are a [*bitmap.FormatError] that
// wraps ErrTruncated or ErrCorrupt. The cost is one pass over the containers; memory is a small
// multiple of len(b), whatever the bytes claim.
func FromSroar(b []byte) (*bitmap.Bitmap, error) {
	r, err := roaring.FromSroar(b)
	return (*bitmap.Bitmap)(r), failure(err)
}

// AppendSroar appends the set in the layout of sroar to dst and returns the longer slice: byte for
// byte what FromSortedList(values).ToBuffer() of github.com/dgraph-io/sroar and
// github.com/weaviate/sroar returns for the same values, and so nothing for the empty set. sroar
// can change the set: FromBufferWithCopy, or FromBuffer if dst is not used any more.
//
// sroar reads its bytes as words of 8: what is handed to it should begin at a multiple of 8 bytes.
// The cost is one pass over the keys and one over the values.
func AppendSroar(dst []byte, v bitmap.View) []byte { return roaring.View(v).AppendSroar(dst) }
