// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package verify

import (
	"context"

	"github.com/uproar-db/uproar/internal/posting/format"
	"github.com/uproar-db/uproar/internal/posting/model"
	"github.com/uproar-db/uproar/internal/posting/reader"
	"github.com/uproar-db/uproar/internal/roaring/view"
)

// Kinds returns which containers the lists of each field have on the pages of a snapshot. progress,
// if not nil, is told how many pages of how many are done. Errors: ctx's, or those of reading.
func Kinds(ctx context.Context, snap reader.Snapshot, progress func(done, total int)) (map[uint32]view.Kinds, error) {
	m := snap.St.Version.Manifest
	pages := reader.PageReader{Snap: snap}
	kinds := make(map[uint32]view.Kinds)
	done, total := 0, m.Count()
	for _, field := range m.SortedFields() {
		refs := m.Fields[field].Refs
		sum := view.Kinds{}
		for i := range refs {
			if err := ctx.Err(); err != nil {
				return nil, err
			}
			if snap.St.Source.Closed.Load() {
				return nil, model.ErrClosed
			}
			if done++; progress != nil {
				progress(done, total)
			}
			if format.KindOf(field) != format.Postings {
				continue
			}
			p, err := pages.Read(&refs[i])
			if err != nil {
				return nil, err
			}
			err = p.All(func(row uint64, body []byte) error {
				v, err := view.OpenBody(body)
				if err != nil {
					return model.Corrupt(refs[i].String(), "row %d: %v", refs[i].First+row, err)
				}
				sum = sum.Plus(view.KindsOf(v))
				return nil
			})
			if err != nil {
				return nil, err
			}
		}
		if format.KindOf(field) == format.Postings {
			kinds[field] = sum
		}
	}
	return kinds, nil
}
