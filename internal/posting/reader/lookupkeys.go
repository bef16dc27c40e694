// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package reader

import (
	"context"

	"github.com/uproar-db/uproar/internal/posting/model"
)

// LookupKeys looks up the keys of a batch, but for those that skip names by their places. It puts
// their IDs into ids, and into known whether they have one. Many keys are looked up together.
// Errors: those of Lookup, or ctx's.
func LookupKeys(ctx context.Context, s Snapshot, keys []model.SpaceKey, skip func(i int) bool, ids []uint64,
	known []bool) (err error) {
	group, at := make([]Lookup, 0, min(len(keys), multiGetTogether)), make([]int, 0, min(len(keys), multiGetTogether))
	for i, k := range keys {
		if !skip(i) {
			group, at = append(group, Lookup{Space: k.Space, Key: k.Key}), append(at, i)
		}
		if len(group) < cap(group) && i < len(keys)-1 {
			continue
		}
		if err := ctx.Err(); err != nil {
			return err
		}
		if len(keys) < multiGetTogether {
			for i := range group {
				if group[i].ID, group[i].OK, err = s.Lookup(group[i].Space, group[i].Key); err != nil {
					return err
				}
			}
		} else if err := s.MultiGet(group); err != nil {
			return err
		}
		for i := range group {
			ids[at[i]], known[at[i]] = group[i].ID, group[i].OK
		}
		group, at = group[:0], at[:0]
	}
	return nil
}
