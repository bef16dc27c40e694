// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package ship_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/uproar-db/uproar/store"
	"github.com/uproar-db/uproar/store/ship"
	"github.com/uproar-db/uproar/store/ship/shiptest"
)

// TestHandOverSlowly hands over on storage that needs longer for an object than heartbeats are
// apart: the object that releases the log is the last one of the term.
func TestHandOverSlowly(t *testing.T) {
	line := shiptest.NewFaulty(new(shiptest.Memory), 1, shiptest.Faults{Latency: 100 * time.Millisecond})
	s := node(t, line, quick(ship.Auto, "slow")) // 40 ms
	await(t, "the node leads", func() bool { return s.Status().Leads })
	if err := s.Apply(put("k", "v"), true); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
	defer cancel()
	if err := s.HandOver(ctx); err != nil {
		t.Fatalf("HandOver: %v", err)
	}
	if err := s.Apply(put("l", "v"), true); err != nil && !errors.Is(err, store.ErrFenced) {
		t.Errorf("Apply after it: got %v, want nil or %v", err, store.ErrFenced)
	}
}
