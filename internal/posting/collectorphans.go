// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package posting

import (
	"bytes"
	"context"
	"errors"
	"math"
	"time"

	"github.com/uproar-db/uproar/internal/posting/format"
	"github.com/uproar-db/uproar/internal/posting/model"
	"github.com/uproar-db/uproar/store"
)

// collectOrphans deletes the pages below a generation that the manifest does not name. It fails
// when a page that it names is missing from the store. It walks over both side by side, in the
// order of their keys, and goes on behind keys that cannot be read: who reads those pages is told.
// A store that cannot delete now, because the disk is full or it is read-only, does not prevent
// opening: the deletions are done later.
func (ms *manifests) collectOrphans(m *format.Manifest, below uint64) error {
	var refs []format.Ref
	var want []byte // the key of refs[0], the next current page; nil: none is left
	fields := m.SortedFields()
	next := func() {
		if len(refs) > 0 {
			refs = refs[1:]
		}
		for len(refs) == 0 && len(fields) > 0 {
			refs, fields = m.Fields[fields[0]].Refs, fields[1:]
		}
		if len(refs) == 0 {
			want = nil
			return
		}
		want = format.AppendPageKey(want[:0], ms.source.ID, &refs[0])
	}
	next()
	orphans := 0
	visit := func(key []byte) error {
		generation, ok := format.PageGeneration(key)
		if !ok || generation == math.MaxUint64 {
			return model.Corrupt("page key", "got %x, want %d bytes and a generation below the greatest", key,
				format.PageKeyLen)
		}
		if ms.generation.Load() <= generation {
			ms.generation.Store(generation + 1)
		}
		switch c := bytes.Compare(want, key); {
		case (want == nil || c > 0) && generation >= below:
		case want == nil || c > 0:
			ms.versions.Discard(bytes.Clone(key))
			orphans++
		case c == 0:
			next()
		default:
			return model.Corrupt(refs[0].String(), "got no such page in the store, want it as the manifest says")
		}
		return nil
	}
	for start := []byte(nil); ; start = bytes.Clone(want) {
		var met error // by visit
		prefix := format.AppendIndexPrefix(nil, format.KindPage, ms.source.ID)
		err := ms.source.Store.Keys(prefix, start, func(key []byte) error {
			met = visit(key)
			return met
		})
		if err == nil {
			break
		}
		if met != nil || !errors.Is(err, model.ErrCorrupt) {
			return err
		}
		ms.log.Error("pages cannot be read, which costs their rows", "error", err)
		if next(); want == nil {
			break
		}
	}
	if want != nil {
		return model.Corrupt(refs[0].String(), "got no such page in the store, want it as the manifest says")
	}
	if orphans == 0 || ms.config.ReadOnly {
		return nil
	}
	ms.log.Info("deleting pages that an interrupted flush left behind", "pages", orphans)
	if ms.following.Load() {
		ms.source.Collect()
		return nil
	}
	err := ms.versions.Clean(context.Background())
	if errors.Is(err, store.ErrFull) || errors.Is(err, store.ErrReadOnly) {
		ms.source.Collect()
		return nil
	}
	return err
}

// collectAll deletes pages that nobody can see any more, until the index is closed. On a full disk
// it tries again and again.
func (ms *manifests) collectAll() {
	for {
		select {
		case <-ms.stopping.Done():
			return
		case <-ms.source.Collector:
		}
		err := ms.versions.Collect(ms.stopping)
		switch {
		case err == nil || ms.stopping.Err() != nil || errors.Is(err, store.ErrClosed):
		case isUnchanged(err) || errors.Is(err, store.ErrFenced):
			ms.log.Warn("cannot delete pages now; trying again", "error", err)
			time.AfterFunc(ms.config.pause, func() { ms.source.Collect() })
		default:
			ms.log.Error("deleting pages failed; they are deleted at the next opening", "error", err)
		}
	}
}
