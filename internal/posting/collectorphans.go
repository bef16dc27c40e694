// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package posting

import (
	"errors"
	"time"

	"github.com/uproar-db/uproar/internal/posting/format"
	"github.com/uproar-db/uproar/store"
)

// collectOrphans deletes the pages below a generation that a manifest does not name; the caller
// holds a snapshot of it. A store that cannot delete now, because the disk is full or it is
// read-only, does so later.
func (ms *manifests) collectOrphans(m *format.Manifest, below uint64) error {
	n, err := ms.versions.DiscardOrphans(ms.stopping, m, below, ms.log)
	if err != nil || n == 0 {
		return err
	}
	ms.log.Info("deleting pages that an interrupted flush left behind", "pages", n)
	if ms.following.Load() {
		ms.source.Collect()
		return nil
	}
	err = ms.versions.Clean(ms.stopping)
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
