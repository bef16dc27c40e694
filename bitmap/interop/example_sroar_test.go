// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package interop_test

import (
	"fmt"

	"github.com/uproar-db/uproar/bitmap"
	"github.com/uproar-db/uproar/bitmap/interop"
)

func ExampleFromSroar() {
	// Bytes from ToBuffer of Dgraph's or Weaviate's sroar; here our own writer stands in for it.
	buffer := interop.AppendSroar(nil, bitmap.Of(7, 70_000, 1<<40).View())

	set, err := interop.FromSroar(buffer)
	if err != nil {
		panic(err)
	}
	fmt.Println(set.View().AppendTo(nil))
	fmt.Println(len(buffer), "bytes became", len(set.Bytes()))

	_, err = interop.FromSroar(buffer[:100])
	fmt.Println(err)
	// Output:
	// [7 70000 1099511627776]
	// 262 bytes became 24
	// bitmap: truncated: sroar: offset of a container: got 104, want no more than the bytes given hold, at byte 24
}

func ExampleAppendSroar() {
	set := bitmap.Of(7, 70_000, 1<<40)
	buffer := interop.AppendSroar(nil, set.View()) // sroar.FromBufferWithCopy(buffer) reads it
	fmt.Println(len(buffer), "bytes")
	// Output:
	// 262 bytes
}
