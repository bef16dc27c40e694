// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package manifest

import (
	"github.com/uproar-db/uproar/internal/posting/format"
	"github.com/uproar-db/uproar/store"
)

// News is what another process has done to a manifest.
type News struct {
	Manifest *format.Manifest // nil: nothing
	Dropped  []format.Ref     // pages that it no longer has
	Whole    uint64           // number of the newest record with which a checkpoint or change was whole
	Churn    int              // pages named by the changes
}

// ReadNews reads the records after the one with which a manifest was whole. Errors: as of Read.
func ReadNews(s store.Store, index uint32, old *format.Manifest, whole uint64) (News, error) {
	news, hole, err := readChanges(s, index, old, whole)
	if err != nil || !hole {
		return news, err
	}
	// The records between were deleted after a checkpoint, which says all that they said.
	stored, err := Read(s, index)
	if err != nil {
		return news, err
	}
	return News{Manifest: stored.Manifest, Dropped: format.Missing(old, stored.Manifest), Whole: stored.Whole}, nil
}

// readChanges is ReadNews for records without a hole before them.
func readChanges(s store.Store, index uint32, old *format.Manifest, whole uint64) (news News, hole bool, err error) {
	news.Whole = whole
	next, number := old, whole
	var group []*format.ManifestRecord // the parts met so far
	err = s.Scan(format.AppendIndexPrefix(nil, format.KindManifest, index),
		format.AppendManifestKey(nil, index, whole+1), func(key, value []byte) error {
			r, err := format.DecodeManifestRecord(key, value)
			if err != nil {
				return err
			}
			if number++; format.NumberOfKey(key) != number {
				hole = true
				return store.ErrStop
			}
			if group = r.Join(group); uint64(len(group)) < r.Parts {
				return nil
			}
			if r.Kind == format.RecordChange {
				change := &format.ManifestChange{Flushed: r.Flushed, Next: r.Next}
				for _, part := range group {
					change.Added = append(change.Added, part.Added...)
					change.Dropped = append(change.Dropped, part.Dropped...)
				}
				if next, err = next.Apply(change, r.Generation); err != nil {
					return err
				}
				news.Dropped = append(news.Dropped, change.Dropped...)
				news.Churn += len(change.Added) + len(change.Dropped)
			} // a checkpoint says what is known
			news.Whole, group = number, group[:0]
			return nil
		})
	if next != old {
		news.Manifest = next
	}
	return news, hole, err
}
