// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package manifest

import (
	"github.com/uproar-db/uproar/internal/posting/format"
	"github.com/uproar-db/uproar/store"
)

// Begin stores the manifest of a new index whose first commit has the number after one, as if all
// before it were flushed and trimmed. It is not synced, and does nothing for 0. Errors: those of
// the store.
func Begin(s store.Store, index uint32, above uint64) error {
	if above == 0 {
		return nil
	}
	empty := format.EmptyManifest()
	empty.Flushed = above
	key := format.AppendManifestKey(nil, index, 1)
	var b store.Batch
	b.Put(key, empty.Checkpoint()[0].Encode(key))
	return s.Apply(&b, false)
}
