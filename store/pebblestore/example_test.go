// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package pebblestore_test

import (
	"fmt"
	"os"

	"github.com/uproar-db/uproar/store"
	"github.com/uproar-db/uproar/store/pebblestore"
)

func Example() {
	dir, err := os.MkdirTemp("", "example")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer os.RemoveAll(dir)

	s, err := pebblestore.Open(dir, nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	b := new(store.Batch)
	b.Put([]byte("k"), []byte("survives"))
	fmt.Println(s.Apply(b, true), s.Close())

	s, err = pebblestore.Open(dir, &pebblestore.Options{ReadOnly: true})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer s.Close()
	err = s.Get([]byte("k"), func(value []byte) error {
		fmt.Printf("%s\n", value)
		return nil
	})
	if err != nil {
		fmt.Println(err)
	}
	// Output:
	// <nil> <nil>
	// survives
}
