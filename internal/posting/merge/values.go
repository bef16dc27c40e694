// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package merge

import (
	"unsafe"

	"github.com/uproar-db/uproar/internal/posting/format"
	"github.com/uproar-db/uproar/internal/posting/model"
)

// MergeValues merges assignments, ascending by field and record, into the pages of value columns.
func (m *Merger) MergeValues(assigned []model.ValueEdit) error {
	if len(assigned) == 0 {
		return nil
	}
	held := m.account()
	defer held.Set(0)
	held.Set(format.MostValueRows * int64(unsafe.Sizeof(m.words[0])))
	m.words = make([]uint64, 0, format.MostValueRows)
	defer func() { m.words = nil }()
	for len(assigned) > 0 {
		if err := m.ctx.Err(); err != nil {
			return err
		}
		field := model.ValueField(assigned[0].Field)
		old, first, end := m.valueRegion(field, assigned[0].Record)
		n := 1
		for n < len(assigned) && assigned[n].Field == assigned[0].Field && assigned[n].Record < end {
			n++
		}
		if err := m.valueWords(field, old, first, assigned[:n]); err != nil {
			return err
		}
		assigned = assigned[n:]
	}
	return nil
}

// valueRegion returns which records are laid out anew when one of them changes: those of its page
// (nil: there is none) and behind it, until the next page begins, or another container.
func (m *Merger) valueRegion(field uint32, record uint64) (old *format.Ref, first, end uint64) {
	first = record / format.MostValueRows * format.MostValueRows
	end = first + format.MostValueRows
	refs := m.base.Fields[field].Refs
	at := format.FindRef(refs, record)
	if at >= 0 && refs[at].First >= first {
		old, first = &refs[at], refs[at].First
	}
	if at+1 < len(refs) {
		end = min(end, refs[at+1].First)
	}
	return old, first, end
}

// valueWords applies assignments to the records of a region and writes their pages. It writes no
// page if no record has a value.
func (m *Merger) valueWords(field uint32, old *format.Ref, first uint64, assigned []model.ValueEdit) error {
	words := m.words[:assigned[len(assigned)-1].Record-first+1]
	clear(words)
	if old != nil {
		p, err := m.read(old)
		if err != nil {
			return err
		}
		m.Out.drop(old)
		if len(words) < p.Count {
			n := len(words)
			words = words[:p.Count]
			clear(words[n:])
		}
		for i := range p.Count {
			words[i] = p.Word(uint64(i))
		}
	}
	for _, f := range assigned {
		if was := words[f.Record-first]; m.Changed != nil && (was != f.Word || was == model.LeastWord) {
			if err := m.Changed(f, was); err != nil {
				return err
			}
		}
		words[f.Record-first] = f.Word
	}
	return m.valuePages(field, first, words)
}

// valuePages writes words in pages of about format.Target bytes. No page begins with
// format.ValueRows records without a value.
func (m *Merger) valuePages(field uint32, first uint64, words []uint64) error {
	for len(words) > 0 {
		n, all := 0, uint64(0)
		for n < len(words) {
			next, with := min(len(words), n+format.ValueRows), uint64(0)
			for _, w := range words[n:next] {
				with |= w
			}
			if with == 0 && n > 0 || n > 0 &&
				format.ValueSize(next,
					format.WidthOf(all|with)) > format.Target+format.ValueHeaderLen+format.WordPadding {
				break
			}
			if n, all = next, all|with; all == 0 {
				break
			}
		}
		if err := m.valuePage(field, first, words[:n]); err != nil {
			return err
		}
		first, words = first+uint64(n), words[n:]
	}
	return nil
}

// valuePage writes a page of words. It writes none if there are no values.
func (m *Merger) valuePage(field uint32, first uint64, words []uint64) error {
	n := len(words)
	for n > 0 && words[n-1] == 0 {
		n--
	}
	if n == 0 {
		return nil
	}
	data, values := format.AppendValuePage(words[:n])
	return m.Out.page(format.Ref{Field: field, First: first, Rows: uint32(n), Values: values}, data)
}
