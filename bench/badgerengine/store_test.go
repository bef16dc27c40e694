// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

//go:build linux

package badgerengine_test

import (
	"testing"

	"github.com/uproar-db/uproar/bench/badgerengine"
	"github.com/uproar-db/uproar/store"
	"github.com/uproar-db/uproar/store/storetest"
)

// TestConformance has what is measured keep the contract of a store, set up either way.
func TestConformance(t *testing.T) {
	for _, small := range []bool{false, true} {
		open := func(t *testing.T, dir string) store.Store {
			t.Helper()
			s, err := badgerengine.Open(dir, small)
			if err != nil {
				t.Fatal(err)
			}
			return s
		}
		storetest.Run(t, open)
		storetest.RunDurable(t, open)
	}
}
