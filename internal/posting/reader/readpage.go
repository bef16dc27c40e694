// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package reader

import (
	"errors"
	"fmt"

	"github.com/uproar-db/uproar/internal/posting/format"
	"github.com/uproar-db/uproar/internal/posting/model"
	"github.com/uproar-db/uproar/internal/roaring/view"
	"github.com/uproar-db/uproar/store"
)

// Page returns a page from the cache, or from the store and then keeps it in the cache.
func (src *Source) Page(r *format.Ref) (*format.Page, error) {
	if p, ok := src.Cache.Get(src.ID, r.Generation); ok {
		src.Hits.Add(1)
		return p, nil
	}
	return src.load(r)
}

// hit counts hits of the cache.
func (src *Source) hit(n uint64) {
	if n > 0 {
		src.Hits.Add(n)
	}
}

// load reads a page that the cache has not, and keeps it there.
func (src *Source) load(r *format.Ref) (*format.Page, error) {
	src.Misses.Add(1)
	p, err := src.readInto(r, nil)
	if err == nil {
		src.Cache.Put(src.ID, r.Generation, p)
	}
	return p, err
}

// Read reads and checks a page of the store, past the cache.
func (src *Source) Read(r *format.Ref) (*format.Page, error) { return src.readInto(r, nil) }

// readInto is read, with memory for the bytes of the page if they fit.
func (src *Source) readInto(r *format.Ref, data []byte) (*format.Page, error) {
	data, err := src.Stored(r, data)
	if err != nil {
		return nil, err
	}
	return src.Opened(r, data)
}

// Stored returns the bytes of a page as the store has them, unchecked. It uses data if they fit.
func (src *Source) Stored(r *format.Ref, data []byte) ([]byte, error) {
	key := format.AppendPageKey(make([]byte, 0, format.PageKeyLen), src.ID, r)
	err := src.Store.Get(key, func(value []byte) error {
		if cap(data) < len(value) {
			data = make([]byte, 0, len(value))
		}
		data = append(data[:0], value...)
		return nil
	})
	if err != nil && src.Closed.Load() {
		return nil, model.ErrClosed // and perhaps removed, after the reader had looked
	}
	if errors.Is(err, store.ErrNotFound) {
		err = model.Corrupt(r.String(), "got no such page in the store, want it as the manifest says")
		return nil, damaged(src, r, err)
	}
	if err != nil {
		return nil, damaged(src, r, fmt.Errorf("posting: %s: %w", r, err))
	}
	return data, nil
}

// damaged adds the name of its field to an error about a page.
func damaged(src *Source, r *format.Ref, err error) error {
	name := src.FieldOf(r.Field - r.Field%4).Name
	if r.Field < 4 {
		name = "_exists"
	}
	if name == "" {
		return err
	}
	return fmt.Errorf("field %q: %w", name, err)
}

// Opened checks the bytes of a page that the manifest names, and takes them over.
func (src *Source) Opened(r *format.Ref, data []byte) (*format.Page, error) {
	p, err := format.OpenPage(r, format.AppendPageKey(make([]byte, 0, format.PageKeyLen), src.ID, r), data)
	if err != nil {
		return nil, damaged(src, r, err)
	}
	if want := format.KindOf(r.Field); p.Kind != want {
		return nil, model.Corrupt(r.String(), "got a page of kind %d, want %d", p.Kind, want)
	}
	if p.Rows() != int(r.Rows) {
		return nil, model.Corrupt(r.String(), "got %d rows, want %d", p.Rows(), r.Rows)
	}
	if p.Kind == format.Values && (p.Width == 0) != (src.FieldOf(r.Field-3).Kind != model.Lists) {
		return nil, model.Corrupt(r.String(), "got a page of values of slot width %d, which its field does not have",
			p.Width)
	}
	if p.HasKeys() != src.HasEdgeKeys(r.Field) {
		return nil, model.Corrupt(r.String(), "got a page of values with or without keys of edges, want the other")
	}
	return p, nil
}

// View returns the list of a row on its page.
func (src *Source) View(r *format.Ref, row uint64) (view.View, error) {
	p, err := src.Page(r)
	if err != nil {
		return view.View{}, err
	}
	return p.View(r, row)
}
