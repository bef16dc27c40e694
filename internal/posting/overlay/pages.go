// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package overlay

import (
	"slices"
	"unsafe"

	"github.com/uproar-db/uproar/internal/posting/delta"
	"github.com/uproar-db/uproar/internal/posting/model"
)

// fewPages is how many pages are compared one by one before a map takes over.
const fewPages = 8

// Pages is the set of pages that some lists of one index keep alive. It tells what the lists take
// together: a page that holds many of them counts once. The zero value is empty. Not for concurrent
// use.
type Pages struct {
	few  [fewPages]uint64 // generations of the first n pages
	n    int
	many map[uint64]struct{} // of the others
}

// Hold adds the pages of a list. It returns the bytes that l keeps alive beyond the pages that were
// there.
func (p *Pages) Hold(l *List) (bytes int64) {
	bytes = l.Held + int64(len(l.Edits))*int64(unsafe.Sizeof(model.Edit{})) + delta.EntryBytes*int64(l.Much.Len())
	for i := range l.Refs {
		if r := &l.Refs[i]; p.add(r.Generation) {
			bytes += int64(r.Bytes)
		}
	}
	return bytes
}

// Len returns how many pages there are.
func (p *Pages) Len() int { return p.n + len(p.many) }

// Reset empties the set.
func (p *Pages) Reset() { p.n, p.many = 0, nil }

// add reports whether the page was not there yet.
func (p *Pages) add(generation uint64) bool {
	if slices.Contains(p.few[:p.n], generation) {
		return false
	}
	if p.n < fewPages {
		p.few[p.n] = generation
		p.n++
		return true
	}
	if _, ok := p.many[generation]; ok {
		return false
	}
	if p.many == nil {
		p.many = make(map[uint64]struct{})
	}
	p.many[generation] = struct{}{}
	return true
}
