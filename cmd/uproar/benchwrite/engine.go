// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package benchwrite

import (
	"fmt"
	"path/filepath"

	"github.com/uproar-db/uproar/store"
	"github.com/uproar-db/uproar/store/badgerstore"
	"github.com/uproar-db/uproar/store/bboltstore"
	"github.com/uproar-db/uproar/store/pebblestore"
)

// engine is the store that is measured. It is opened again after it was closed.
type engine struct {
	store.Store
	opts *Options
}

// storeFolder is the folder of the store in that of the run.
const storeFolder = "store"

var compressions = map[string]badgerstore.Compression{"": badgerstore.NoCompression, "none": badgerstore.NoCompression,
	"snappy": badgerstore.Snappy,
	"zstd":   badgerstore.Zstd}

func openEngine(o *Options) (*engine, error) {
	e := &engine{opts: o}
	return e, e.open()
}

func (e *engine) open() (err error) {
	dir := filepath.Join(e.opts.Dir, storeFolder)
	compression, known := compressions[e.opts.Compression]
	switch {
	case !known:
		return fmt.Errorf("got compression %q, want none, snappy or zstd", e.opts.Compression)
	case e.opts.Store == "badger":
		e.Store, err = badgerstore.Open(dir, &badgerstore.Options{Compression: compression,
			BlockCache: e.opts.BlockCache, MemTable: e.opts.MemTable,
			SmallEntries: e.opts.Small, QuietAfter: e.opts.Quiet})
	case e.opts.Store != "bbolt" && e.opts.Store != "pebble":
		return fmt.Errorf("got store %q, want badger, bbolt or pebble", e.opts.Store)
	case compression != badgerstore.NoCompression:
		return fmt.Errorf("got compression %q, which %s does not have", e.opts.Compression, e.opts.Store)
	case e.opts.Store == "pebble":
		e.Store, err = pebblestore.Open(dir, &pebblestore.Options{Memory: e.opts.Memory})
	default:
		e.Store, err = bboltstore.Open(dir, nil)
	}
	return err
}

// size returns the room that the store takes, nothing when it cannot tell.
func (e *engine) size() store.Size {
	sizer, ok := e.Store.(store.Sizer)
	if !ok {
		return store.Size{}
	}
	size, err := sizer.Size()
	if err != nil {
		return store.Size{}
	}
	return size
}

// undisturbed calls fn while the engine reclaims no space.
func (e *engine) undisturbed(fn func()) {
	if b, ok := e.Store.(*badgerstore.Store); ok {
		b.Undisturbed(fn)
		return
	}
	fn()
}

// describe adds what the engine says of itself.
func (e *engine) describe(r *Report) {
	b, ok := e.Store.(*badgerstore.Store)
	if !ok {
		return
	}
	status, err := b.Status()
	if err != nil {
		return
	}
	r.Passes, r.Rewritten = status.Passes, status.Rewritten
	for _, l := range status.Levels {
		r.Levels = append(r.Levels, Level(l))
	}
}
