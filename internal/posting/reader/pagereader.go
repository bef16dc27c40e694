// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package reader

import (
	"github.com/uproar-db/uproar/internal/posting/format"
	"github.com/uproar-db/uproar/internal/posting/pagecache"
	"github.com/uproar-db/uproar/internal/trace"
)

// PageReader reads pages of a walk one after the other: many of them past the cache, which keeps
// what others need. Not for concurrent use.
type PageReader struct {
	Snap   Snapshot
	caches bool   // the cache gets the pages
	buffer []byte // for a page that the cache does not have
}

// newPageReader returns a reader of the pages of a field.
func newPageReader(s Snapshot, refs []format.Ref) PageReader {
	return PageReader{Snap: s, caches: s.St.Source.caches(refs)}
}

// Read returns a page, valid until the next read.
func (pr *PageReader) Read(r *format.Ref) (*format.Page, error) {
	src := pr.Snap.St.Source
	if pr.caches {
		return pr.Snap.page(r)
	}
	if p, ok := src.Cache.Get(src.ID, r.Generation); ok {
		return p, nil
	}
	defer trace.Reading(pr.Snap.ctx, r.Bytes)()
	p, err := src.readInto(r, pr.buffer)
	if err == nil {
		pr.buffer = p.Data
	}
	return p, err
}

// keeps reports whether the pages of a walk go into the cache: they are few beside it, and likely
// to be walked over again.
func (src *Source) caches(refs []format.Ref) bool {
	bytes, most := int64(0), src.Memory.Limit/4
	for i := range refs {
		if bytes += int64(refs[i].Bytes) + pagecache.PageOverhead; bytes > most {
			return false
		}
	}
	return true
}
