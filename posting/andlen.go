// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package posting

import "github.com/uproar-db/uproar/bitmap"

// maxAndPieces is up to how many pairs of pieces AndLen looks at: beyond that a walk over the blocks of both lists is the better way.
const maxAndPieces = 8

// What AndLen takes, in nanoseconds and about: BenchmarkAndLen has the lists by which the ways were compared.
const (
	recordCost = 10 // a record of the shorter list that is looked for among the edits of the other one
	ownCost    = 25 // an edit of the shorter list then
	editCost   = 25 // an edit of which both lists are asked whether they have its record
	walkedCost = 5  // a record in a walk over the blocks of both lists
	patchCost  = 10 // an edit in such a walk
)

// AndLen returns how many records are in both lists, without overlaying anything: it counts on the bitmaps of their pages, and corrects that by a look at what the edits name (see correction). ok is false when one of the
// lists has deletions to leave out, or so many pieces, records and edits that a walk over the blocks of both costs less. It allocates nothing once its scratch memory is there, unless one of the lists has tens of thousands of edits.
func AndLen(a, b *List) (n uint64, ok bool) {
	if a.AtMost() > b.AtMost() {
		a, b = b, a
	}
	if !a.mask.IsEmpty() || !b.mask.IsEmpty() || a.pieces()*b.pieces() > maxAndPieces {
		return 0, false
	}
	own, others := uint64(a.pending()), uint64(b.pending())
	byRecords := recordCost*a.AtMost() + ownCost*own
	byEdits := editCost * (own + others)
	if len(a.much) > 0 || len(b.much) > 0 {
		byEdits = byRecords // layers are asked about records, and not gone through
	}
	if min(byRecords, byEdits) > walkedCost*(a.AtMost()+b.AtMost())+patchCost*(own+others) {
		return 0, false
	}
	for i := range a.pieces() {
		for k := range b.pieces() {
			n += bitmap.AndLen(a.piece(i), b.piece(k))
		}
	}
	switch {
	case own+others == 0:
	case byEdits < byRecords:
		n += correctedByEdits(a, b)
	default:
		n += correctedByRecords(a, b)
	}
	return n, true
}
