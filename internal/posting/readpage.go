// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package posting

import (
	"fmt"

	"github.com/uproar-db/uproar/internal/posting/format"
	"github.com/uproar-db/uproar/internal/posting/model"
)

// page returns a page from the cache, or from the store and then keeps it in the cache.
func (ix *Index) page(r *format.Ref) (*format.Page, error) {
	if p, ok := ix.cache.Get(ix.id, r.Generation); ok {
		ix.hits.Add(1)
		return p, nil
	}
	return ix.load(r)
}

// hit counts hits of the cache.
func (ix *Index) hit(n uint64) {
	if n > 0 {
		ix.hits.Add(n)
	}
}

// load reads a page that the cache has not, and keeps it there.
func (ix *Index) load(r *format.Ref) (*format.Page, error) {
	ix.misses.Add(1)
	p, err := ix.read(r)
	if err == nil {
		ix.cache.Put(ix.id, r.Generation, p)
	}
	return p, err
}

// read reads and checks a page of the store, past the cache.
func (ix *Index) read(r *format.Ref) (*format.Page, error) { return ix.readInto(r, nil) }

// readInto is read, with memory for the bytes of the page if they fit.
func (ix *Index) readInto(r *format.Ref, data []byte) (*format.Page, error) {
	data, err := ix.stored(r, data)
	if err != nil {
		return nil, err
	}
	return ix.opened(r, data)
}

// stored returns the bytes of a page as the store has them, unchecked, in the given memory if they
// fit.
func (ix *Index) stored(r *format.Ref, data []byte) ([]byte, error) {
	key := format.AppendPageKey(make([]byte, 0, format.PageKeyLen), ix.id, r)
	err := ix.store.Get(key, func(value []byte) error {
		if cap(data) < len(value) {
			data = make([]byte, 0, len(value))
		}
		data = append(data[:0], value...)
		return nil
	})
	if err != nil && ix.closed.Load() {
		return nil, model.ErrClosed // and perhaps removed, after the reader had looked
	}
	if err != nil {
		return nil, fmt.Errorf("posting: %s: %w", r, err)
	}
	return data, nil
}

// opened checks the bytes of a page that the manifest names, and takes them over.
func (ix *Index) opened(r *format.Ref, data []byte) (*format.Page, error) {
	p, err := format.OpenPage(r, format.AppendPageKey(make([]byte, 0, format.PageKeyLen), ix.id, r), data)
	if err != nil {
		return nil, err
	}
	if want := format.KindOf(r.Field); p.Kind != want {
		return nil, model.Corrupt(r.String(), "got a page of kind %d, want %d", p.Kind, want)
	}
	if p.Rows() != int(r.Rows) {
		return nil, model.Corrupt(r.String(), "got %d rows, want %d", p.Rows(), r.Rows)
	}
	if p.Kind == format.Values && (p.Width == 0) != (ix.fieldOf(r.Field-3).Kind != model.Lists) {
		return nil, model.Corrupt(r.String(), "got a forward page of slot width %d, which its field does not have",
			p.Width)
	}
	return p, nil
}
