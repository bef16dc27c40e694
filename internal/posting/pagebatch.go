// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package posting

import (
	"github.com/uproar-db/uproar/internal/posting/format"
	"github.com/uproar-db/uproar/internal/posting/model"
	"github.com/uproar-db/uproar/internal/posting/pagecache"
	"github.com/uproar-db/uproar/internal/seal"
	"github.com/uproar-db/uproar/store"
)

// pageBatch writes the new pages of one flush or bulk load to the store, unsynced: the batch that
// commits the manifest syncs them all.
type pageBatch struct {
	store      store.Store
	index      uint32
	most       int // bytes that one batch of the store holds
	generation func() uint64
	batch      store.Batch
	cache      *pagecache.Cache // nil: pages are not kept
	warm       bool             // the page that was read last was in the cache, so what replaces it is worth keeping
	// for the cache, as soon as the store has them: after a flush readers must not have to read
	// again what they had
	kept    []keptPage
	added   []format.Ref
	dropped []format.Ref
}

// keptPage is a page for the cache.
type keptPage struct {
	generation uint64
	page       *format.Page
}

// page stores one page under a new generation.
func (o *pageBatch) page(r format.Ref, data []byte) error {
	if len(data) > format.MaxBytes {
		return model.Corrupt(r.String(), "got a page of %d bytes, want at most %d", len(data), format.MaxBytes)
	}
	r.Generation, r.Bytes = o.generation(), uint32(len(data))
	key := format.AppendPageKey(make([]byte, 0, format.PageKeyLen), o.index, &r)
	seal.Write(key, data)
	if o.batch.Size()+len(data) > o.most || o.batch.Len() >= store.MaxOps {
		if err := o.flush(); err != nil {
			return err
		}
	}
	o.batch.Put(key, data)
	if o.warm && o.cache != nil {
		p, err := format.OpenPage(&r, key, data)
		if err != nil {
			return err
		}
		o.kept = append(o.kept, keptPage{r.Generation, p})
	}
	o.added = append(o.added, r)
	return nil
}

// drop notes that a page is replaced.
func (o *pageBatch) drop(r *format.Ref) { o.dropped = append(o.dropped, *r) }

// flush hands the pages gathered to the store.
func (o *pageBatch) flush() error {
	if o.batch.Len() == 0 {
		return nil
	}
	err := o.store.Apply(&o.batch, false)
	o.batch.Reset()
	if err == nil {
		for _, k := range o.kept {
			o.cache.Put(o.index, k.generation, k.page)
		}
	}
	clear(o.kept)
	o.kept = o.kept[:0]
	return err
}
