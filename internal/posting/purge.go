// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package posting

import (
	"github.com/uproar-db/uproar/internal/posting/format"
	"github.com/uproar-db/uproar/internal/posting/merge"
	"github.com/uproar-db/uproar/internal/posting/reader"
)

// fieldParts is how many numbers a field has: its lists, keys, hashes and forward column.
const fieldParts = 4

// purge takes the pages of dropped fields out of the manifest, in one change. The caller has the
// others wait, and no delta is frozen.
func (ix *Index) purge() error {
	m := ix.State.Load().Version.Manifest
	change := &format.ManifestChange{Flushed: m.Flushed, Next: m.Next}
	for id, f := range *ix.Fields.Load() {
		if f.Dropped {
			ix.Sizes.Forget(ix.Memory, id)
		}
		for part := range uint32(fieldParts) {
			if f.Dropped {
				change.Dropped = append(change.Dropped, m.Fields[id+part].Refs...)
			}
		}
	}
	if len(change.Dropped) == 0 {
		return nil
	}
	if err := ix.commitManifest(&merge.PageBatch{Store: ix.Store}, change, nil, func(v *reader.Version) {
		ix.publish(v, nil)
	}); err != nil {
		return err
	}
	ix.log.Info("dropped fields", "pages", len(change.Dropped))
	return ix.checkpoint()
}
