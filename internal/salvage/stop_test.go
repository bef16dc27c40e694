// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package salvage

import (
	"context"
	"errors"
	"testing"

	"github.com/uproar-db/uproar/store"
	"github.com/uproar-db/uproar/store/memstore"
)

// stopping is a store of which nothing can be read, whose salvage is stopped at a scan.
type stopping struct {
	store.Store
	stop   func()
	at     int
	scans  int
	passed int // scans from key to key that were begun after it
}

func (s *stopping) Scan(_, _ []byte, _ func(key, value []byte) error) error {
	s.scans++
	if s.scans > s.at {
		s.passed++
	}
	if s.scans == s.at {
		s.stop()
	}
	return store.ErrCorrupt
}

// TestScanStops stops a salvage at each scan by which it looks for the end of a hole: no other one
// begins.
func TestScanStops(t *testing.T) {
	for at := 1; at < 20; at++ {
		ctx, cancel := context.WithCancel(t.Context())
		s := &stopping{Store: memstore.New(), stop: cancel, at: at}
		d := &damaged{Store: s, ctx: ctx}
		err := d.scan([]byte("p"), []byte("p"), 9, func(error) {}, func(_, _ []byte) error { return nil })
		if !errors.Is(err, context.Canceled) || s.passed > 0 || s.scans != at {
			t.Errorf("stopped at scan %d: got %v and %d scans more, want %v and none", at, err, s.passed, context.Canceled)
		}
	}
}
