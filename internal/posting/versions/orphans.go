// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package versions

import (
	"bytes"
	"context"
	"errors"
	"log/slog"
	"time"

	"github.com/uproar-db/uproar/internal/posting/format"
	"github.com/uproar-db/uproar/internal/posting/model"
	"github.com/uproar-db/uproar/store"
)

// partKeys is how many keys of pages are read at once. A reader holds up the reuse of room.
const partKeys = 256

// orphanWalk looks for the pages below a generation that a manifest does not name. It walks over
// both side by side, in the order of their keys.
type orphanWalk struct {
	vs     *Versions
	log    *slog.Logger
	m      *format.Manifest
	below  uint64
	pinned map[uint64]bool // generations of pages that older snapshots have
	fields []uint32        // of m, those still to come
	refs   []format.Ref    // of a field, those still to come
	want   []byte          // the key of refs[0], the next page that the manifest names; nil: none is left

	orphans int
	missing int        // pages of the manifest that the store does not have
	first   format.Ref // of the missing
}

// DiscardOrphans discards the pages below a generation that a manifest does not name, and returns
// how many they are. The caller holds a version of the manifest. Reads and writes go on meanwhile:
// the walk takes no more than half of the time. Pages that are missing or cannot be read go to the
// log: they are an error of those who ask for them. Errors: ctx's, ErrCorrupt, or the store's.
func (vs *Versions) DiscardOrphans(ctx context.Context, m *format.Manifest, below uint64, log *slog.Logger) (int,
	error) {
	w := &orphanWalk{vs: vs, log: log, m: m, below: below, pinned: vs.Pinned(), fields: m.SortedFields()}
	w.next()
	for start := []byte(nil); ; {
		began := time.Now()
		next, err := w.part(start)
		if err != nil {
			return w.orphans, err
		}
		if start = next; start == nil {
			break
		}
		select {
		case <-ctx.Done():
			return w.orphans, ctx.Err()
		case <-time.After(time.Since(began)):
		}
	}
	for w.want != nil {
		w.miss()
	}
	if w.missing > 0 {
		log.Error("pages are missing, which costs their rows", "pages", w.missing, "first", w.first.String())
	}
	return w.orphans, nil
}

// next goes on to the next page of the manifest.
func (w *orphanWalk) next() {
	if len(w.refs) > 0 {
		w.refs = w.refs[1:]
	}
	for len(w.refs) == 0 && len(w.fields) > 0 {
		w.refs, w.fields = w.m.Fields[w.fields[0]].Refs, w.fields[1:]
	}
	if len(w.refs) == 0 {
		w.want = nil
		return
	}
	w.want = format.AppendPageKey(w.want[:0], w.vs.Index, &w.refs[0])
}

// miss notes that the store does not have the next page of the manifest.
func (w *orphanWalk) miss() {
	if w.missing++; w.missing == 1 {
		w.first = w.refs[0]
	}
	w.next()
}

// part walks over some keys from one on, and returns where to go on; nil at the end. It goes on
// behind keys that cannot be read.
func (w *orphanWalk) part(start []byte) (next []byte, err error) {
	n := 0
	var met error // by visit
	prefix := format.AppendIndexPrefix(nil, format.KindPage, w.vs.Index)
	err = w.vs.Store.Keys(prefix, start, func(key []byte) error {
		if n++; n > partKeys {
			next = bytes.Clone(key)
			return store.ErrStop
		}
		met = w.visit(key)
		return met
	})
	if err == nil || met != nil || !errors.Is(err, model.ErrCorrupt) {
		return next, err
	}
	w.log.Error("pages cannot be read, which costs their rows", "error", err)
	if w.want != nil {
		w.next()
	}
	return bytes.Clone(w.want), nil
}

// visit looks at the key of a page in the store.
func (w *orphanWalk) visit(key []byte) error {
	generation, ok := format.PageGeneration(key)
	if !ok {
		return model.Corrupt("page key", "got %x, want %d bytes", key, format.PageKeyLen)
	}
	for w.want != nil && bytes.Compare(w.want, key) < 0 {
		w.miss()
	}
	switch {
	case bytes.Equal(w.want, key):
		w.next()
	case generation < w.below && !w.pinned[generation]:
		w.vs.Discard(bytes.Clone(key))
		w.orphans++
	}
	return nil
}
