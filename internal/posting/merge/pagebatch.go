// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package merge

import (
	"errors"

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
	sender     store.Sender     // takes batches while others are on their way; nil: the store takes one at a time
	flights    int              // how many it is given at a time
	aloft      []func() error   // wait for those that are on their way, the oldest first
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
	if o.sender != nil {
		return o.send()
	}
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

// send hands the pages gathered to the sender. It waits for the oldest batch on its way while there
// are as many as may be.
func (o *PageBatch) send() error {
	var err error
	if len(o.aloft) >= o.flights {
		err = o.aloft[0]()
		o.aloft = o.aloft[1:]
	}
	if err != nil || o.Batch.Len() == 0 {
		return err
	}
	batch := o.Batch
	o.Batch = store.Batch{}
	o.aloft = append(o.aloft, o.sender.Send(&batch))
	return nil
}

// land waits for the batches that are on their way.
func (o *PageBatch) land() (err error) {
	for _, wait := range o.aloft {
		err = errors.Join(err, wait())
	}
	o.aloft = nil
	return err
}

// discard drops the pages that the store does not have yet. None comes to be there later.
func (o *PageBatch) discard() {
	_ = o.land() // the pages are of no use
	o.Batch.Reset()
	if o.ingest != nil {
		o.ingest.Abort()
	}
}

// Flush hands the pages gathered to the store. After it none is on its way.
func (o *PageBatch) Flush() error {
	if o.sender != nil {
		return errors.Join(o.send(), o.land())
	}
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
