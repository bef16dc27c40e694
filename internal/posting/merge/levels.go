// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package merge

import (
	"sort"

	"github.com/uproar-db/uproar/internal/posting/delta"
	"github.com/uproar-db/uproar/internal/posting/format"
	"github.com/uproar-db/uproar/internal/posting/model"
)

// MergeWindow is how many edits a flush takes out of the levels at once, unless a page has more.
const MergeWindow = 1 << 14

// MergeLevels merges the edits of a delta, field by field. It takes memory for the edits of some
// pages at a time, which it counts.
func (m *Merger) MergeLevels(fields []delta.Levels) error {
	held := m.account()
	defer held.Set(0)
	var edits []model.Edit
	for _, ts := range fields {
		w := ts.Walk(0)
		for most := MergeWindow; ; {
			for entries := w.Next(); entries != nil; entries = w.Next() {
				if edits = delta.AppendEntries(edits, ts.Field, entries); len(edits) >= most {
					break
				}
			}
			held.Set(int64(cap(edits)) * EditSize)
			if len(w.Heads) == 0 {
				break
			}
			pages, n := m.window(ts.Field, edits)
			if n == 0 {
				most *= 2
				continue
			}
			if err := m.postingsOf(ts.Field, m.base.Fields[ts.Field].Refs[:pages], edits[:n]); err != nil {
				return err
			}
			edits, most = edits[:copy(edits, edits[n:])], MergeWindow
		}
		if err := m.postings(ts.Field, edits); err != nil {
			return err
		}
		edits = edits[:0]
	}
	return nil
}

// window returns how many of a field's first edits can be merged without the later ones. It also
// returns how many of the first pages they need. The window ends where a page begins, or before a
// row that no existing page can take. It has 0 edits when all may belong to one page.
func (m *Merger) window(field uint32, edits []model.Edit) (pages, n int) {
	keys := hasEdgeKeys(m, field)
	refs, limit := m.base.Fields[field].Refs, pageRow(edits[len(edits)-1], keys)
	if at := format.FindRef(refs, limit); at >= 0 && refs[at].Takes(limit) {
		limit = refs[at].First
	}
	pages = sort.Search(len(refs), func(i int) bool { return refs[i].First >= limit })
	return pages, sort.Search(len(edits), func(i int) bool { return pageRow(edits[i], keys) >= limit })
}
