// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package posting

// forward merges assignments, ascending by field and record, into the pages of forward columns.
func (m *merger) forward(assigned []forward) error {
	for len(assigned) > 0 {
		if err := m.ctx.Err(); err != nil {
			return err
		}
		field, first := assigned[0].field, assigned[0].record/forwardRows*forwardRows
		n := 1
		for n < len(assigned) && assigned[n].field == field && assigned[n].record-first < forwardRows {
			n++
		}
		if err := m.forwardPage(ForwardField(field), first, assigned[:n]); err != nil {
			return err
		}
		assigned = assigned[n:]
	}
	return nil
}

// forwardPage writes the page that begins at a record as assignments change it; a page without values is dropped.
func (m *merger) forwardPage(field uint32, first uint64, assigned []forward) error {
	var words [forwardRows]uint64
	if refs := m.base.pages(field, first); len(refs) > 0 {
		p, err := m.read(&refs[0])
		if err != nil {
			return err
		}
		m.out.drop(&refs[0])
		for i := range p.count {
			words[i] = p.word(uint64(i))
		}
	}
	for _, f := range assigned {
		if old := words[f.record-first]; m.changed != nil && old != f.word {
			if err := m.changed(f, old); err != nil {
				return err
			}
		}
		words[f.record-first] = f.word
	}
	n := forwardRows
	for n > 0 && words[n-1] == 0 {
		n--
	}
	if n == 0 {
		return nil
	}
	data, values := appendForwardPage(words[:n])
	return m.out.page(ref{field: field, first: first, rows: uint32(n), values: values}, data)
}
