// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package overlay

import (
	"github.com/uproar-db/uproar/internal/posting/delta"
	"github.com/uproar-db/uproar/internal/roaring/pair"
)

// maxAndPieces is up to how many pairs of pieces AndLen looks at: beyond that a walk over the
// blocks of both lists is the better way.
const maxAndPieces = 8

// What AndLen takes, in nanoseconds and about: BenchmarkAndLen has the lists by which the ways were
// compared.
const (
	matchCost  = 400 // to go over the records of the shorter list
	recordCost = 11  // such a record
	ownCost    = 20  // an edit of that list then
	othersMet  = 2   // so many edits of the other list take a nanosecond then, where they are gone through
	filtersMet = 5   // a record and a run of that list, where its filters are asked
	pageCost   = 3   // a record of the shorter list, where what pages have is counted
	editCost   = 25  // an edit of which both lists are asked whether they have its record then
	walkedCost = 10  // a record in a walk over the blocks of both lists
	patchCost  = 15  // an edit in such a walk

	meetingCost = 700 // a meeting
	chunkCost   = 600 // a chunk of it
	metCost     = 3   // a record, or edit, of the shorter list then

	mostCounted = 1 << 20 // what takes longer is left to a walk, which can be told to stop
)

// CountPlan is how what two lists have in common is counted.
type CountPlan uint8

const (
	byPages   CountPlan = iota // there are no edits
	ByMatches                  // record by record of the shorter list, see matching
	byEdits                    // on the pages, corrected by a look at what edits name
	ByChunks                   // chunk by chunk, see meeting
	byWalking                  // by a walk over the blocks of both lists, which is not done here
)

// AndLen returns how many records are in both lists, without overlaying anything: it counts on the
// bitmaps of their pages, and corrects that by a look at what the edits name (see correction), or
// goes over the records of the shorter list (see matching), or chunk by chunk (see meeting). ok is
// false when one of the lists has deletions to leave out, or so many pieces, records and edits that
// a walk over the blocks of both costs less. It allocates nothing once its scratch memory is there,
// unless one of the lists has tens of thousands of edits, or the shorter one as many records, where
// these are gone over.
func AndLen(a, b *List) (n uint64, ok bool) {
	way := PlanCount(a, b)
	if a.AtMost() > b.AtMost() {
		a, b = b, a
	}
	switch way {
	case byWalking:
		return 0, false
	case ByChunks:
		return min(OverlayAndLen(a, b), a.AtMost()), true
	case ByMatches:
		return min(ProbeLen(a, b), a.AtMost()), true
	}
	for i := range a.Pieces() {
		for k := range b.Pieces() {
			n += pair.AndLen(a.Piece(i), b.Piece(k))
		}
	}
	if way == byEdits {
		n += CountedByEdits(a, b)
	}
	return min(n, a.AtMost()), true // also of damaged pages, of which one part says what another one does not
}

// PlanCount returns how to count what two lists have in common: what takes least.
func PlanCount(a, b *List) CountPlan {
	if !a.Mask.IsEmpty() || !b.Mask.IsEmpty() {
		return byWalking
	}
	if a.AtMost() > b.AtMost() {
		a, b = b, a
	}
	own, others := uint64(a.Pending()), uint64(b.Pending())
	fewPieces := a.Pieces()*b.Pieces() <= maxAndPieces
	if own+others == 0 && fewPieces {
		return byPages
	}
	best, least := byWalking, walkedCost*(a.AtMost()+b.AtMost())+patchCost*(own+others)
	consider := func(w CountPlan, cost uint64) {
		if cost <= least && cost < mostCounted {
			best, least = w, cost
		}
	}
	if fewPieces {
		consider(ByMatches, matchCost+recordCost*a.AtMost()+ownCost*own+min(others/othersMet,
			filtersMet*a.AtMost()*uint64(len(b.Much)+1)))
		// runs are asked about records, and not gone through
		if own < delta.RunsFrom && others < delta.RunsFrom {
			consider(byEdits, pageCost*a.AtMost()+editCost*(own+others))
		}
	}
	consider(ByChunks, meetingCost+chunkCost*chunksMet(a, b)+metCost*(a.AtMost()+own))
	return best
}
