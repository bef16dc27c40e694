// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package posting

import (
	"cmp"
	"slices"
)

// ref names a current page in the manifest: what its key says, and what its content amounts to.
type ref struct {
	field      uint32
	shard      uint32
	first      uint64 // first row; of a hashes page the first hash
	piece      uint64 // first container key + 1; 0: the page is not a piece of a large list
	generation uint64 // unique to the page in its index
	rows       uint32 // rows, of hashes: entries
	bytes      uint32 // length of the page
	values     uint64 // postings: sum of cardinalities; keys: number of keys; hashes: 0
}

// pieceKey returns the first container key that the piece may hold, 0 for a page that is not a
// piece.
func (r *ref) pieceKey() uint64 {
	if r.piece == 0 {
		return 0
	}
	return r.piece - 1
}

// last returns the last row that the page covers.
func (r *ref) last() uint64 { return r.first + uint64(r.rows) - 1 }

// takes reports whether a row at or behind the first of a page of lists is merged into that page,
// if no other begins between them.
func (r *ref) takes(row uint64) bool {
	if r.piece > 0 {
		return row == r.first
	}
	return row-r.first < maxRows
}

// possible reports whether a manifest of this format can name such a page.
func (r *ref) possible() bool {
	kind := kindOf(r.field)
	switch {
	case r.shard != 0 || r.bytes > maxBytes || r.piece > maxPiece+1 || r.piece > 0 &&
		(kind != pagePostings && kind != pageValues || r.rows != 1):
		return false
	case kind == pageHashes:
		return true
	case kind == pageValues && r.rows > mostForwardRows:
		return false
	}
	return r.rows > 0 && r.last() >= r.first
}

// sortRefs puts pages in the order of the manifest.
func sortRefs(refs []ref) {
	slices.SortFunc(refs, func(a, b ref) int { return a.compare(&b) })
}

// compare orders pages by field, shard, first row and piece.
func (r *ref) compare(o *ref) int {
	return cmp.Or(cmp.Compare(r.field, o.field), cmp.Compare(r.shard, o.shard), cmp.Compare(r.first, o.first),
		cmp.Compare(r.piece, o.piece))
}
