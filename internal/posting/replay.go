// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package posting

import (
	"github.com/uproar-db/uproar/internal/posting/model"
	"github.com/uproar-db/uproar/internal/posting/wal"
)

// replay applies the log entries after the manifest to the active delta.
func (w *writer) replay() error {
	if err := w.changes.findOldest(w.sequence); err != nil {
		return err
	}
	for {
		frames, err := w.changes.read(w.sequence + 1)
		if err != nil || len(frames) == 0 {
			return err
		}
		for _, f := range frames {
			if f.First != w.sequence+1 {
				return model.Corrupt("log", "got entry %d after %d, want %d", f.First, w.sequence, w.sequence+1)
			}
			if err := w.replayFrame(f); err != nil {
				return err
			}
		}
	}
}

// replayFrame applies the commits of a frame.
func (w *writer) replayFrame(f *wal.Frame) error {
	w.active.Logged += int64(len(f.Key) + len(f.Value))
	for {
		entry, err := f.Decode()
		if entry == nil || err != nil {
			return err
		}
		if err := w.follow(entry); err != nil {
			return err
		}
		if err := w.apply(entry); err != nil {
			return err
		}
	}
}
