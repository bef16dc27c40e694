// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package bitmap_test

import (
	"fmt"
	"maps"

	"github.com/uproar-db/uproar/bitmap"
)

func ExampleBitmap_RemoveFunc() {
	b := bitmap.Of(1, 2, 3, 4, 5, 6)
	n := b.RemoveFunc(func(x uint64) bool { return x%2 == 0 })
	fmt.Println(n, b)
	// Output: 3 {1,3,5}
}

func ExampleBitmap_All() {
	b := bitmap.Of(10, 20, 30, 31)
	for x := range b.All() {
		if x == 10 {
			b.Remove(20) // ahead of the loop: it is not yielded
			b.Add(25)    // neither is it missed
		}
		fmt.Print(x, " ")
	}
	// Output: 10 25 30 31
}

func ExampleBitmap_Reset() {
	b := bitmap.Of(1, 2, 3)
	b.Reset()
	b.Add(7)
	fmt.Println(b)
	// Output: {7}
}

func ExampleBitmap_CopyFrom() {
	var page bitmap.Bitmap // its memory is used for one set after the other
	for _, of := range []*bitmap.Bitmap{bitmap.Of(1, 2), bitmap.Of(8, 9)} {
		page.CopyFrom(of.View())
		page.Remove(2)
		fmt.Println(page)
	}
	// Output:
	// {1}
	// {8,9}
}

func ExampleCollect() {
	ages := map[uint64]int{3: 40, 1: 50, 2: 60}
	fmt.Println(bitmap.Collect(maps.Keys(ages)))
	// Output: {1,2,3}
}

func ExampleBitmap_AddSeq() {
	b := bitmap.Of(1)
	fmt.Println(b.AddSeq(bitmap.Of(1, 2, 3).All()), b)
	// Output: 2 {1,2,3}
}

func ExampleAtLeast() {
	read, liked, shared := bitmap.Of(1, 2, 3, 4), bitmap.Of(2, 4), bitmap.Of(4, 3, 9)
	fmt.Println(bitmap.AtLeast(2, read.View(), liked.View(), shared.View()))
	fmt.Println(bitmap.AtLeastLen(3, read.View(), liked.View(), shared.View()))
	// Output:
	// {2,3,4}
	// 1
}

func ExampleView_Masked() {
	const shard = 0xFF << 56 // the highest byte of an ID
	v := bitmap.Of(7, 1<<56|7, 2<<56|9).View()
	fmt.Println(v.Masked(^uint64(shard)))
	// Output: {7,9}
}

func ExampleView_ContainsRange() {
	v := bitmap.Of(3, 4, 5, 9).View()
	fmt.Println(v.ContainsRange(3, 5), v.ContainsRange(5, 9), v.IntersectsRange(5, 9), v.IntersectsRange(6, 8))
	// Output: true false true false
}

func ExampleView_Between() {
	for x := range bitmap.Of(1, 3, 5, 7).View().Between(2, 5) {
		fmt.Print(x, " ")
	}
	// Output: 3 5
}

func ExampleView_RangesFrom() {
	for first, last := range bitmap.Of(1, 2, 3, 7, 8, 20).View().RangesFrom(2) {
		fmt.Println(first, last)
	}
	// Output:
	// 2 3
	// 7 8
	// 20 20
}

func ExampleView_RangesBackward() {
	for first, last := range bitmap.Of(1, 2, 3, 7, 8).View().RangesBackward() {
		fmt.Println(first, last)
	}
	// Output:
	// 7 8
	// 1 3
}

func ExampleView_RangesBackwardFrom() {
	for first, last := range bitmap.Of(1, 2, 3, 7, 8).View().RangesBackwardFrom(7) {
		fmt.Println(first, last)
	}
	// Output:
	// 7 7
	// 1 3
}
