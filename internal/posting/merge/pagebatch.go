// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package merge

import (
	"github.com/uproar-db/uproar/internal/posting/format"
	"github.com/uproar-db/uproar/internal/posting/model"
	"github.com/uproar-db/uproar/internal/posting/pagecache"
	"github.com/uproar-db/uproar/internal/seal"
	"github.com/uproar-db/uproar/store"
)

// PageBatch writes the new pages of one flush or bulk load to the store, unsynced: the batch that
// commits the manifest syncs them all.
type PageBatch struct {
	Store      store.Store
	Index      uint32
	Most       int // bytes that one batch of the store holds
	Generation func() uint64
	Batch      store.Batch
	Ingests    bool             // pages that are more than a batch are ingested: none of them is read before Flush
	ingest     *Ingest          // where they go then; nil: to batches
	cache      *pagecache.Cache // nil: pages are not kept
	warm       bool             // the page that was read last was in the cache: readers must not have to read it again
	Added      []format.Ref
	Dropped    []format.Ref
}

// page stores one page under a new generation.
func (o *PageBatch) page(r format.Ref, data []byte) error {
	if len(data) > format.MaxBytes {
		return model.Corrupt(r.String(), "got a page of %d bytes, want at most %d", len(data), format.MaxBytes)
	}
	r.Generation, r.Bytes = o.Generation(), uint32(len(data))
	key := format.AppendPageKey(make([]byte, 0, format.PageKeyLen), o.Index, &r)
	seal.Write(key, data)
	full := o.Batch.Size()+len(data) > o.Most || o.Batch.Len() >= store.MaxOps
	if full && o.ingest == nil { // which takes any number of bytes
		if err := o.empty(); err != nil {
			return err
		}
	}
	if o.ingest == nil {
		o.Batch.Put(key, data)
	} else if err := o.ingest.Put(key, data); err != nil {
		return err
	}
	if o.warm && o.cache != nil {
		p, err := format.OpenPage(&r, key, data)
		if err != nil {
			return err
		}
		o.cache.Put(o.Index, r.Generation, p) // whose generation nobody knows yet
	}
	o.Added = append(o.Added, r)
	return nil
}

// drop notes that a page is replaced.
func (o *PageBatch) drop(r *format.Ref) { o.Dropped = append(o.Dropped, *r) }

// empty makes room in the batch. With Ingests, pages are ingested from now on, where the store can.
func (o *PageBatch) empty() error {
	ingest, ok := NewIngest(o.Store)
	if !o.Ingests || !ok {
		return o.Flush()
	}
	o.ingest = &ingest
	for op := range o.Batch.Ops() {
		if err := ingest.Put(op.Key, op.Value); err != nil {
			return err
		}
	}
	o.Batch.Reset()
	return nil
}

// discard drops the pages that the store does not have yet.
func (o *PageBatch) discard() {
	o.Batch.Reset()
	if o.ingest != nil {
		o.ingest.Abort()
	}
}

// Flush hands the pages gathered to the store.
func (o *PageBatch) Flush() error {
	if o.ingest != nil {
		return o.ingest.Commit()
	}
	if o.Batch.Len() == 0 {
		return nil
	}
	err := o.Store.Apply(&o.Batch, false)
	o.Batch.Reset()
	return err
}
