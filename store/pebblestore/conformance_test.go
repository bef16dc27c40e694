// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package pebblestore_test

import (
	"testing"

	"github.com/uproar-db/uproar/store"
	"github.com/uproar-db/uproar/store/pebblestore"
	"github.com/uproar-db/uproar/store/storetest"
)

func open(t *testing.T, dir string) store.Store {
	t.Helper()
	s, err := pebblestore.Open(dir, nil)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func TestConformance(t *testing.T) {
	t.Parallel()
	storetest.Run(t, open)
}

func TestDurable(t *testing.T) {
	t.Parallel()
	storetest.RunDurable(t, open)
}
