// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package bitmap_test

import (
	"fmt"

	"github.com/uproar-db/uproar/bitmap"
)

func ExampleOrAll() {
	days := []bitmap.View{
		bitmap.Of(1, 2, 3).View(),
		bitmap.Of(2, 3, 1<<40).View(),
		bitmap.Of(3, 9).View(),
	}
	fmt.Println("on any day:", bitmap.OrAll(days...).View().AppendTo(nil))
	fmt.Println("on all days:", bitmap.AndAll(days...).View().AppendTo(nil))
	fmt.Println("on an odd number of days:", bitmap.XorAllLen(days...))
	// Output:
	// on any day: [1 2 3 9 1099511627776]
	// on all days: [3]
	// on an odd number of days: 4
}

func ExampleAndNotAll() {
	all := bitmap.Of(1, 2, 3, 4, 5).View()
	blocked, deleted := bitmap.Of(2, 9).View(), bitmap.Of(5).View()
	fmt.Println(bitmap.AndNotAll(all, blocked, deleted).View().AppendTo(nil))
	// Output: [1 3 4]
}

func ExampleParallelOrAll() {
	views := make([]bitmap.View, 1000)
	for i := range views {
		views[i] = bitmap.Of(uint64(i), uint64(i)*1_000_003).View()
	}
	fmt.Println(bitmap.ParallelOrAll(4, views...).Len())
	// Output: 1999
}
