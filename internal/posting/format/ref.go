// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package format

import (
	"cmp"
	"slices"
)

// Ref names a current page in the manifest: what its key says, and what its content amounts to.
type Ref struct {
	Field      uint32
	shard      uint32
	First      uint64 // first row; of a hashes page the first hash
	Piece      uint64 // first container key + 1; 0: the page is not a piece of a large list
	Generation uint64 // unique to the page in its index
	Rows       uint32 // rows, of hashes: entries
	Bytes      uint32 // length of the page
	Values     uint64 // postings: sum of cardinalities; keys: number of keys; hashes: 0
}

// PieceKey returns the first container key that the piece may hold. It returns 0 for a page that is
// not a piece.
func (r *Ref) PieceKey() uint64 {
	if r.Piece == 0 {
		return 0
	}
	return r.Piece - 1
}

// Last returns the last row that the page covers.
func (r *Ref) Last() uint64 { return r.First + uint64(r.Rows) - 1 }

// Takes reports whether a row is merged into this page of lists. The row must not precede the
// page's first, and no other page may begin between them.
func (r *Ref) Takes(row uint64) bool {
	if r.Piece > 0 {
		return row == r.First
	}
	return row-r.First < MaxRows
}

// possible reports whether a manifest of this format can name such a page.
func (r *Ref) possible() bool {
	kind := KindOf(r.Field)
	switch {
	case r.shard != 0 || r.Bytes > MaxBytes || r.Piece > MaxPiece+1 || r.Piece > 0 &&
		(kind != Postings && kind != Values || r.Rows != 1):
		return false
	case kind == Hashes:
		return true
	case kind == Values && r.Rows > MostValueRows:
		return false
	}
	return r.Rows > 0 && r.Last() >= r.First
}

// sortRefs puts pages in the order of the manifest.
func sortRefs(refs []Ref) {
	slices.SortFunc(refs, func(a, b Ref) int { return a.compare(&b) })
}

// compare orders pages by field, shard, first row and piece.
func (r *Ref) compare(o *Ref) int {
	return cmp.Or(cmp.Compare(r.Field, o.Field), cmp.Compare(r.shard, o.shard), cmp.Compare(r.First, o.First),
		cmp.Compare(r.Piece, o.Piece))
}
