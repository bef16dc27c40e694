// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package reader

import (
	"github.com/uproar-db/uproar/internal/posting/format"
	"github.com/uproar-db/uproar/internal/posting/pagecache"
)

// keeps reports whether the pages of a walk go into the cache: they are few beside it, and likely
// to be walked over again.
func (src *Source) keeps(refs []format.Ref) bool {
	bytes, most := int64(0), src.Memory.Limit/4
	for i := range refs {
		if bytes += int64(refs[i].Bytes) + pagecache.PageOverhead; bytes > most {
			return false
		}
	}
	return true
}
