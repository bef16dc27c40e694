// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package posting

import (
	"sync"

	"github.com/uproar-db/uproar/bitmap"
)

// Bounds of AndLen: beyond them a walk over the blocks of both lists is the better way.
const (
	maxAndPieces = 8
	maxAndEdits  = 64

	// fewRecords is up to how many records of the shorter list these are looked up among the edits of the other one; more are if it has probedEdits times as many edits.
	fewRecords  = 512
	probedEdits = 4

	// recordsAnEdit is how many records of the shorter list are looked up in the time that an edit takes that is looked at by itself.
	recordsAnEdit = 16
)

// AndLen returns how many records are in both lists, without overlaying anything: it counts on the bitmaps of their pages, and corrects that by a look at each
// edit, or, where these are many and one of the lists is short, by looking up its records among the edits of the other. ok is false when one of the lists has deletions to leave
// out, or too many pieces or edits for this to pay. It allocates nothing once its scratch memory is there.
func AndLen(a, b *List) (n uint64, ok bool) {
	if a.AtMost() > b.AtMost() {
		a, b = b, a
	}
	if !a.mask.IsEmpty() || !b.mask.IsEmpty() || a.pieces()*b.pieces() > maxAndPieces {
		return 0, false
	}
	pending, short := uint64(a.pending()+b.pending()), a.AtMost()
	few := pending <= maxAndEdits
	if !few && (short > fewRecords && short*probedEdits > uint64(b.pending()) || len(b.much) > mostLayers) {
		return 0, false
	}
	for i := range a.pieces() {
		for k := range b.pieces() {
			n += bitmap.AndLen(a.piece(i), b.piece(k))
		}
	}
	switch {
	case pending == 0:
		return n, true
	case !few || short < recordsAnEdit*pending:
		return n + correctedWithin(a, b), true
	}
	for _, e := range a.edits {
		n += corrected(a, b, e.record)
	}
	for _, e := range b.edits {
		if _, ok := a.edited(e.record); !ok { // else it was met above
			n += corrected(a, b, e.record)
		}
	}
	return n, true
}

// difference returns what a record adds to a number that counted it before, or did not, where it counts now, or does not: 1, 0 or, taken modulo 2^64, -1.
func difference(before, now bool) uint64 {
	switch {
	case now && !before:
		return 1
	case before && !now:
		return ^uint64(0)
	}
	return 0
}

// corrected returns what a record of which edits say something adds to the number of common records on the pages.
func corrected(a, b *List, record uint64) uint64 {
	return difference(a.baseContains(record) && b.baseContains(record), a.Contains(record) && b.Contains(record))
}

// editBuffers holds memory for edits that are merged for AndLen.
var editBuffers = sync.Pool{New: func() any { return new([]edit) }}

// correctedWithin returns what edits add to the number of common records on the pages: it goes over the records that a has on pages or in edits. What b's edits say of others does
// not count.
func correctedWithin(a, b *List) (n uint64) {
	edits := a.edits
	if len(a.much) > 0 {
		buffer := editBuffers.Get().(*[]edit)
		*buffer = a.much.edits((*buffer)[:0])
		edits = *buffer
		defer editBuffers.Put(buffer)
	}
	var p editProbe
	p.reset(b)
	edit := func(had bool) {
		e := edits[0]
		edits = edits[1:]
		if !had && !e.set {
			return
		}
		hadB := b.baseContains(e.record)
		now, ok := p.find(e.record)
		if !ok {
			now = hadB
		}
		n += difference(had && hadB, e.set && now)
	}
	var values [64]uint64
	for i := range a.pieces() {
		it := a.piece(i).Iterator(0)
		for k := it.Read(values[:]); k > 0; k = it.Read(values[:]) {
			for _, x := range values[:k] {
				for len(edits) > 0 && edits[0].record < x {
					edit(false)
				}
				if len(edits) > 0 && edits[0].record == x {
					edit(true)
				} else if set, ok := p.find(x); ok {
					n += difference(b.baseContains(x), set)
				}
			}
		}
	}
	for len(edits) > 0 {
		edit(false)
	}
	return n
}

// editProbe answers what the edits of a list say of records that are asked in ascending order.
type editProbe struct {
	edits  []edit
	layers layerProbe // instead, where they are in layers
}

func (p *editProbe) reset(l *List) {
	p.edits = l.edits
	p.layers.reset(l.much)
}

func (p *editProbe) find(record uint64) (set, ok bool) {
	if p.layers.n > 0 {
		return p.layers.find(record)
	}
	for len(p.edits) > 0 && p.edits[0].record < record {
		p.edits = p.edits[1:]
	}
	if len(p.edits) > 0 && p.edits[0].record == record {
		return p.edits[0].set, true
	}
	return false, false
}
