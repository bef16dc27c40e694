// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package overlay

import "github.com/uproar-db/uproar/internal/roaring/pair"

// maxAndPieces is up to how many pairs of pieces AndLen looks at: beyond that a walk over the
// blocks of both lists is the better way.
const maxAndPieces = 8

// Costs of a count, in nanoseconds and about: BenchmarkAndLen has the lists by which they were
// found.
const (
	probeCost       = 400 // a count by probes
	probeRecordCost = 11  // a record of the shorter list
	probeOwnCost    = 20  // an edit of it
	scannedEdits    = 2   // edits of the longer list that are scanned in a nanosecond
	probeFilterCost = 5   // a record and a run of the longer list, where its filters are asked

	chunksCost      = 700 // a count by chunks
	chunkCost       = 600 // a chunk
	chunkRecordCost = 3   // a record, or edit, of the shorter list

	walkRecordCost = 10 // a record in a walk over the blocks of both lists
	walkEditCost   = 15 // an edit in such a walk

	maxCost = 1 << 20 // what takes longer is left to a walk, which can be told to stop
)

// CountPlan is how what two lists have in common is counted.
type CountPlan uint8

const (
	byPages  CountPlan = iota // there are no edits
	ByProbes                  // record by record of the shorter list, see probe
	ByChunks                  // chunk by chunk, see overlayAnd
	byWalk                    // by a walk over the blocks of both lists, which is not done here
)

// AndLen returns how many records are in both lists, without overlaying them. It looks up the
// records of the shorter list if they are few, and goes chunk by chunk otherwise. ok is false if a
// list has deletions to leave out. It is also false if walking the blocks of both costs less, given
// the pieces, records and edits. AndLen allocates only its first scratch memory, unless one list
// has tens of thousands of edits, or the shorter one as many records.
func AndLen(a, b *List) (n uint64, ok bool) {
	plan := PlanCount(a, b)
	if a.AtMost() > b.AtMost() {
		a, b = b, a
	}
	switch plan {
	case byWalk:
		return 0, false
	case ByChunks:
		n = OverlayAndLen(a, b)
	case ByProbes:
		n = ProbeLen(a, b)
	default:
		for i := range a.Pieces() {
			for k := range b.Pieces() {
				n += pair.AndLen(a.Piece(i), b.Piece(k))
			}
		}
	}
	return min(n, a.AtMost()), true // damaged pages may contradict themselves
}

// PlanCount returns how to count what two lists have in common: what takes least.
func PlanCount(a, b *List) CountPlan {
	if !a.Mask.IsEmpty() || !b.Mask.IsEmpty() {
		return byWalk
	}
	if a.AtMost() > b.AtMost() {
		a, b = b, a
	}
	own, others := uint64(a.Pending()), uint64(b.Pending())
	fewPieces := a.Pieces()*b.Pieces() <= maxAndPieces
	if own+others == 0 && fewPieces {
		return byPages
	}
	best, least := byWalk, walkRecordCost*(a.AtMost()+b.AtMost())+walkEditCost*(own+others)
	consider := func(p CountPlan, cost uint64) {
		if cost <= least && cost < maxCost {
			best, least = p, cost
		}
	}
	if fewPieces {
		consider(ByProbes, probeCost+probeRecordCost*a.AtMost()+probeOwnCost*own+min(others/scannedEdits,
			probeFilterCost*a.AtMost()*uint64(len(b.Much)+1)))
	}
	consider(ByChunks, chunksCost+chunkCost*commonChunks(a, b)+chunkRecordCost*(a.AtMost()+own))
	return best
}
