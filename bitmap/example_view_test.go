// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package bitmap_test

import (
	"fmt"

	"github.com/uproar-db/uproar/bitmap"
)

func ExampleOpen() {
	stored := bitmap.Of(7, 70_000, 700_000, 1<<40).Bytes()

	set, err := bitmap.Open(stored)
	if err != nil {
		panic(err)
	}
	largest, _ := set.Max()
	fmt.Println(set.Len(), set.Contains(70_000), set.Contains(70_001), largest)
	// Output: 4 true false 1099511627776
}

func ExampleOpen_hostile() {
	_, err := bitmap.Open([]byte("not a set"))
	fmt.Println(err)
	// Output: bitmap: not a bitmap: magic byte: got 110, want 181 (0xB5), at byte 0
}

func ExampleView_Validate() {
	stored := bitmap.Of(1, 2, 3).View().AppendChecked(nil)
	stored[len(stored)-1] ^= 1

	set, err := bitmap.Open(stored) // constant time: does not look at the checksum
	fmt.Println(err)
	fmt.Println(set.Validate() != nil)
	// Output:
	// <nil>
	// true
}

func ExampleView_From() {
	set := bitmap.Of(10, 20, 30, 40).View()
	for x := range set.From(15) {
		if x > 30 {
			break
		}
		fmt.Println(x)
	}
	// Output:
	// 20
	// 30
}

func ExampleView_Rank() {
	set := bitmap.Of(10, 20, 30, 40).View()
	second, _ := set.Select(1)
	fmt.Println(set.Rank(25), set.Rank(30), second)
	// Output: 2 3 20
}

func ExampleAnd() {
	a := bitmap.Of(1, 2, 3, 4).View()
	b := bitmap.Of(3, 4, 5).View()

	fmt.Println(bitmap.And(a, b).View().AppendTo(nil), bitmap.AndLen(a, b))
	fmt.Println(bitmap.AndNot(a, b).View().AppendTo(nil), bitmap.AndNotLen(a, b))
	// Output:
	// [3 4] 2
	// [1 2] 2
}
