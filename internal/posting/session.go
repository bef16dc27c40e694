// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package posting

import (
	"context"
	"errors"
	"fmt"
	"sync/atomic"
	"time"

	"github.com/uproar-db/uproar/internal/posting/format"
	"github.com/uproar-db/uproar/internal/posting/model"
	"github.com/uproar-db/uproar/internal/posting/reader"
	"github.com/uproar-db/uproar/store"
)

// session is the time from opening an index to closing it. The store knows whether the last one may
// have left pages that no manifest names, so that only then they are looked for.
type session struct {
	known   format.Session // what the store has; guarded by manifests.merging
	looked  atomic.Bool    // pages that sessions before had left are gone
	changes atomic.Bool    // the store knows that this one may leave some
	below   uint64         // the pages of sessions before have generations below it
}

// sessionGenerations is how many generations a session may give without a manifest that tells of
// them: more than a store has room for.
const sessionGenerations = 1 << 32

// beginSession reads what the last session has left. m is the manifest as it is stored. If pages
// may be left over, it passes over the generations that these may have.
func (ms *manifests) beginSession(m *format.Manifest) error {
	s := &ms.session
	key := format.SessionKey(ms.source.ID)
	err := ms.source.Store.Get(key, func(value []byte) error {
		known, err := format.DecodeSession(key, value)
		if err == nil {
			s.known = *known
		}
		return err
	})
	switch {
	case errors.Is(err, model.ErrCorrupt), errors.Is(err, model.ErrVersion):
		ms.log.Warn("what the last session left is not known", "error", err)
	case errors.Is(err, store.ErrNotFound) && m.Count() == 0:
		fresh, err := ms.hasNoPages()
		if err != nil || fresh {
			s.known = format.Session{Clean: true, Generation: m.Generation}
			s.looked.Store(true)
			return err
		}
	case err != nil && !errors.Is(err, store.ErrNotFound):
		return err
	}
	if s.known.Clean && s.known.Generation >= m.Generation && !ms.config.copied() {
		s.looked.Store(true)
		ms.generation.Store(s.known.Generation)
		return nil
	}
	ms.generation.Store(max(m.Generation, s.known.Generation) + sessionGenerations)
	s.known = format.Session{}
	return nil
}

// hasNoPages reports whether the store has no page of the index.
func (ms *manifests) hasNoPages() (bool, error) {
	none := true
	prefix := format.AppendIndexPrefix(nil, format.KindPage, ms.source.ID)
	err := ms.source.Store.Keys(prefix, nil, func([]byte) error {
		none = false
		return store.ErrStop
	})
	return none, err
}

// collectLeft deletes the pages that sessions before have left and the snapshot does not have. It
// closes the snapshot.
func (ms *manifests) collectLeft(snap reader.Snapshot) {
	defer snap.Close()
	err := ms.collectOrphans(snap.St.Version.Manifest, ms.session.below)
	if err == nil {
		ms.session.looked.Store(true)
	} else if ms.stopping.Err() == nil {
		ms.log.Error("looking for pages that an interrupted flush left behind", "error", err)
	}
}

// mayLeave has the store know that pages are about to be written or dropped. The caller has other
// merges wait.
func (ms *manifests) mayLeave() error {
	s := &ms.session
	if ms.config.copied() || s.changes.Load() {
		return nil
	}
	if err := ms.putSession(format.Session{Generation: ms.generation.Load()}, true); err != nil {
		return fmt.Errorf("posting: noting that pages are to be written: %w", err)
	}
	s.changes.Store(true)
	return nil
}

// endSession deletes the pages that nobody sees, within a time. If none is left, it has the store
// know. The index takes no more writes.
func (ms *manifests) endSession(patience time.Duration) {
	s := &ms.session
	if ms.readOnly() || ms.config.copied() || s.known.Clean && !s.changes.Load() || !s.looked.Load() ||
		ms.writer.failed() != nil {
		return
	}
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	err := ms.versions.Collect(ctx)
	if err == nil && len(ms.versions.Pinned()) == 0 {
		err = ms.putSession(format.Session{Clean: true, Generation: ms.generation.Load(),
			Sequence: ms.writer.sequence, LogBytes: uint64(ms.changes.bytes.Load())}, false)
	}
	if err != nil {
		ms.log.Warn("the next opening looks for pages that are left over", "error", err)
	}
}

// putSession stores what is known of the session.
func (ms *manifests) putSession(s format.Session, sync bool) error {
	key := format.SessionKey(ms.source.ID)
	var b store.Batch
	b.Put(key, s.Encode(key))
	return ms.source.Store.Apply(&b, sync)
}
