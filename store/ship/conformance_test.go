// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package ship_test

import (
	"os"
	"sync"
	"testing"
	"time"

	"github.com/uproar-db/uproar/store"
	"github.com/uproar-db/uproar/store/memstore"
	"github.com/uproar-db/uproar/store/pebblestore"
	"github.com/uproar-db/uproar/store/ship"
	"github.com/uproar-db/uproar/store/ship/shiptest"
	"github.com/uproar-db/uproar/store/storetest"
)

// writer are the options of a node that leads from the beginning.
var writer = ship.Options{Role: ship.Writer, Unchecked: true, Poll: 5 * time.Millisecond}

// open opens a node, and fails the test when that is not possible.
func open(t testing.TB, local store.Store, e ship.Engine, opts ship.Options) *ship.Store {
	t.Helper()
	s, err := ship.Open(t.Context(), local, e, opts)
	if err != nil {
		t.Fatalf("Open: %v", err)
	}
	return s
}

// pebble opens a local store in a folder.
func pebble(t testing.TB, dir string) store.Store {
	t.Helper()
	s, err := pebblestore.Open(dir, nil)
	if err != nil {
		t.Fatalf("opening the local store: %v", err)
	}
	return s
}

// TestConformance runs the suite of stores over a log on engines that are exact, and that fail.
func TestConformance(t *testing.T) {
	faults := shiptest.Faults{LostRequests: 0.05, LostReplies: 0.05, Latency: 2 * time.Millisecond,
		ListLag: 20 * time.Millisecond}
	for _, c := range []struct {
		name   string
		engine func() ship.Engine
	}{
		{"exact", func() ship.Engine { return new(shiptest.Memory) }},
		{"faulty", func() ship.Engine { return shiptest.NewFaulty(new(shiptest.Memory), 1, faults) }},
	} {
		t.Run(c.name, func(t *testing.T) {
			storetest.Run(t, func(t *testing.T, _ string) store.Store {
				return open(t, memstore.New(), c.engine(), writer)
			})
			engines := new(sync.Map) // of the folders of a test
			storetest.RunDurable(t, func(t *testing.T, dir string) store.Store {
				e, _ := engines.LoadOrStore(dir, c.engine())
				return open(t, pebble(t, dir), e.(ship.Engine), writer)
			})
		})
	}
}

// long asks for the long form of tests.
var long = os.Getenv("UPROAR_LONG") == "1"
