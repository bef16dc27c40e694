// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package pack_test

import (
	"fmt"

	"github.com/uproar-db/uproar/internal/roaring/pack"
	"github.com/uproar-db/uproar/internal/roaring/view"
)

func ExampleBuilder() {
	var b pack.Builder
	for x := uint64(10); x < 1000; x += 10 {
		b.Append(x)
	}
	body := b.Body(nil)
	v, _ := view.OpenBody(body)
	fmt.Println(v.Len(), "values in", len(body), "bytes")
	// Output: 99 values in 67 bytes
}
