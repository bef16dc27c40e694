// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package bitmap_test

import (
	"fmt"

	"github.com/uproar-db/uproar/bitmap"
)

func ExampleAndLen() {
	a, b := bitmap.Of(1, 2, 3, 1<<40), bitmap.Of(2, 3, 4, 1<<40)
	// Counts are made without making the set, and without allocating.
	fmt.Println(bitmap.AndLen(a.View(), b.View()), bitmap.OrLen(a.View(), b.View()),
		bitmap.AndNotLen(a.View(), b.View()))
	fmt.Println(bitmap.Intersects(a.View(), b.View()), bitmap.IsSubset(a.View(), b.View()))
	// Output:
	// 3 5 1
	// true false
}

func ExampleBitmap_And() {
	visitors := bitmap.Of(1, 2, 3, 4)
	stored, err := bitmap.Open(bitmap.Of(2, 4, 6).Bytes()) // bytes of a file, say
	if err != nil {
		panic(err)
	}
	visitors.And(stored) // in place; stored is only read
	fmt.Println(visitors.View().AppendTo(nil))
	// Output: [2 4]
}

func ExampleView_BackwardFrom() {
	set := bitmap.Of(10, 20, 30, 1<<50)
	for x := range set.View().BackwardFrom(25) {
		fmt.Println(x)
	}
	// Output:
	// 20
	// 10
}

func ExampleBitmap_Scan() {
	// A set is a database/sql value: it goes into a column of bytes, and comes back from it.
	set := bitmap.Of(7, 8, 1<<33)
	column, err := set.Value()
	if err != nil {
		panic(err)
	}
	var back bitmap.Bitmap
	if err := back.Scan(column); err != nil {
		panic(err)
	}
	fmt.Println(bitmap.Equal(set.View(), back.View()))
	// Output: true
}
