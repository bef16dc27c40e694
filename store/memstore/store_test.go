// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package memstore_test

import (
	"fmt"
	"testing"

	"github.com/uproar-db/uproar/store"
	"github.com/uproar-db/uproar/store/memstore"
	"github.com/uproar-db/uproar/store/storetest"
)

func TestConformance(t *testing.T) {
	storetest.Run(t, func(*testing.T, string) store.Store { return memstore.New() })
}

func Example() {
	s := memstore.New()
	defer s.Close()

	b := new(store.Batch)
	b.Put([]byte("color/blue"), []byte("12"))
	b.Put([]byte("color/red"), []byte("7"))
	b.Put([]byte("size/large"), []byte("3"))
	if err := s.Apply(b, true); err != nil {
		fmt.Println(err)
		return
	}
	err := s.Scan([]byte("color/"), nil, func(key, value []byte) error {
		fmt.Printf("%s = %s\n", key, value)
		return nil
	})
	if err != nil {
		fmt.Println(err)
	}
	// Output:
	// color/blue = 12
	// color/red = 7
}
