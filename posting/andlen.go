// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package posting

import "github.com/uproar-db/uproar/bitmap"

// Bounds of AndLen: beyond them a walk over the blocks of both lists is the better way.
const (
	maxAndPieces = 8
	maxAndEdits  = 64
)

// AndLen returns how many records are in both lists, without overlaying anything: it counts on the bitmaps of their pages, and corrects that by a look at each
// edit. ok is false when one of the lists has deletions to leave out, or too many pieces or edits for this to pay. It allocates nothing.
func AndLen(a, b *List) (n uint64, ok bool) {
	if !a.mask.IsEmpty() || !b.mask.IsEmpty() || a.pieces()*b.pieces() > maxAndPieces || len(a.edits)+len(b.edits) > maxAndEdits {
		return 0, false
	}
	for i := range a.pieces() {
		for k := range b.pieces() {
			n += bitmap.AndLen(a.piece(i), b.piece(k))
		}
	}
	correct := func(record uint64) {
		before := a.baseContains(record) && b.baseContains(record)
		switch now := a.Contains(record) && b.Contains(record); {
		case now && !before:
			n++
		case before && !now:
			n--
		}
	}
	for _, e := range a.edits {
		correct(e.record)
	}
	for _, e := range b.edits {
		if !a.edited(e.record) { // else it was met above
			correct(e.record)
		}
	}
	return n, true
}

// edited reports whether the list has an edit of the record.
func (l *List) edited(record uint64) bool {
	for _, e := range l.edits {
		if e.record == record {
			return true
		}
	}
	return false
}
