// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package posting

import "github.com/uproar-db/uproar/bitmap"

// Bounds of AndLen: beyond them a walk over the blocks of both lists is the better way.
const (
	maxAndPieces = 8
	maxAndEdits  = 64

	// probedEdits is how many edits a list must have for each record of the other one, from which these are looked up among them, and the edits are not all looked at.
	probedEdits = 4
)

// AndLen returns how many records are in both lists, without overlaying anything: it counts on the bitmaps of their pages, and corrects that by a look at each
// edit, or, where one list has many and the other has few records, by looking these up among them. ok is false when one of the lists has deletions to leave out, or too many pieces
// or edits for this to pay. It allocates nothing.
func AndLen(a, b *List) (n uint64, ok bool) {
	if a.pending() > b.pending() {
		a, b = b, a
	}
	probes := a.pending()+b.pending() > maxAndEdits
	switch {
	case !a.mask.IsEmpty() || !b.mask.IsEmpty() || a.pieces()*b.pieces() > maxAndPieces:
		return 0, false
	case probes && (len(a.edits) > maxAndEdits || len(a.much) > 0 || a.AtMost()*probedEdits > uint64(b.pending())):
		return 0, false
	}
	for i := range a.pieces() {
		for k := range b.pieces() {
			n += bitmap.AndLen(a.piece(i), b.piece(k))
		}
	}
	for _, e := range a.edits {
		n += corrected(a, b, e.record)
	}
	if probes {
		return n + correctedBy(a, b), true
	}
	for _, e := range b.edits {
		if _, ok := a.edited(e.record); !ok { // else it was met above
			n += corrected(a, b, e.record)
		}
	}
	return n, true
}

// corrected returns what a record of which edits say something adds to the number of common records on the pages: 1, 0 or, taken modulo 2^64, -1.
func corrected(a, b *List, record uint64) uint64 {
	before := a.baseContains(record) && b.baseContains(record)
	switch now := a.Contains(record) && b.Contains(record); {
	case now && !before:
		return 1
	case before && !now:
		return ^uint64(0)
	}
	return 0
}

// correctedBy returns what the edits of b add, with those of the records of a that a itself has no edits of.
func correctedBy(a, b *List) (n uint64) {
	var values [64]uint64
	var probe layerProbe
	if len(b.much) > 0 {
		probe = newLayerProbe(b.much)
	}
	for i := range a.pieces() {
		it := a.piece(i).Iterator(0)
		for k := it.Read(values[:]); k > 0; k = it.Read(values[:]) {
			for _, x := range values[:k] {
				if _, ok := a.edited(x); ok {
					continue
				}
				var set, ok bool
				if len(b.much) > 0 {
					set, ok = probe.find(x)
				} else {
					set, ok = b.edited(x)
				}
				if !ok {
					continue
				}
				switch had := b.baseContains(x); {
				case set && !had:
					n++
				case !set && had:
					n--
				}
			}
		}
	}
	return n
}
