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
	if len(keys) >= multiGetTogether {
		return lookupTogether(ctx, s, keys, skip, ids, known)
	}
	if len(keys) > 0 && ctx.Err() != nil {
		return ctx.Err()
	}
	for i, k := range keys {
		if skip(i) {
			continue
		}
		if ids[i], known[i], err = s.Lookup(k.Space, k.Key); err != nil {
			return err
		}
	}
	return nil
}

// lookupTogether is LookupKeys for many.
func lookupTogether(ctx context.Context, s Snapshot, keys []model.SpaceKey, skip func(i int) bool, ids []uint64,
	known []bool) error {
	group, at := make([]Lookup, 0, multiGetTogether), make([]int, 0, multiGetTogether)
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
		if err := s.MultiGet(group); err != nil {
			return err
		}
		for k := range group {
			ids[at[k]], known[at[k]] = group[k].ID, group[k].OK
		}
		group, at = group[:0], at[:0]
	}
	return nil
}
