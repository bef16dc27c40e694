// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package posting

import (
	"github.com/uproar-db/uproar/internal/posting/format"
	"github.com/uproar-db/uproar/internal/posting/merge"
	"github.com/uproar-db/uproar/internal/posting/versions"
)

// fieldParts is how many numbers a field has: its lists, keys, hashes and value column.
const fieldParts = 4

// purge takes the pages of dropped fields out of the manifest, in one change. The caller has the
// others wait, and no delta is frozen.
func (fl *flusher) purge() error {
	m := fl.source.State.Load().Version.Manifest
	change := &format.ManifestChange{Flushed: m.Flushed, Next: m.Next}
	for id, f := range *fl.source.Fields.Load() {
		if f.Dropped {
			fl.source.Sizes.Forget(fl.source.Memory, id)
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
	if err := fl.manifests.mayLeave(); err != nil {
		return err
	}
	out := &merge.PageBatch{Store: fl.source.Store} // of no pages
	err := fl.manifests.commitManifest(out, change, nil, func(v *versions.Version) { fl.writer.publish(v, nil) })
	if err != nil {
		return err
	}
	fl.log.Info("dropped fields", "pages", len(change.Dropped))
	return fl.manifests.checkpoint()
}
