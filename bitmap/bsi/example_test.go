// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package bsi_test

import (
	"fmt"

	"github.com/uproar-db/uproar/bitmap"
	"github.com/uproar-db/uproar/bitmap/bsi"
)

func ExampleIntegers() {
	var prices bsi.Integers
	prices.Set(1, 1999)
	prices.Set(2, 250)
	prices.Set(1<<40, -30) // a discount
	prices.Set(2, 300)

	value, ok := prices.Value(2)
	fmt.Println(prices.Len(), value, ok)
	fmt.Println(prices.View().Less(1000).View().AppendTo(nil))
	// Output:
	// 3 300 true
	// [2 1099511627776]
}

func ExampleView_Within() {
	prices := bsi.Of([]bsi.Pair{{1, 1999}, {2, 250}, {3, 300}, {4, 4500}, {5, 120}}).View()
	books := bitmap.Of(2, 3, 4, 77)

	ofBooks := prices.Within(books.View())
	sum := ofBooks.Sum()
	total, _ := sum.Int64()
	fmt.Println(ofBooks.BetweenLen(200, 1000), total, sum.Mean())
	// Output: 2 5050 1683.3333333333333
}

func ExampleView_TopK() {
	points := bsi.Of([]bsi.Pair{{1, 7}, {2, 12}, {3, 12}, {4, -1}, {5, 9}}).View()
	fmt.Println(points.TopK(nil, 3))
	fmt.Println(points.BottomK(nil, 1))
	// Output:
	// [{2 12} {3 12} {5 9}]
	// [{4 -1}]
}

func ExampleView_Quantile() {
	ages := bsi.Of([]bsi.Pair{{1, 20}, {2, 31}, {3, 40}, {4, 71}}).View()
	median, _ := ages.Quantile(0.5)
	most, _ := ages.Quantile(0.9)
	fmt.Println(median, most)
	// Output: 31 71
}

func ExampleOpen() {
	stored := bsi.Of([]bsi.Pair{{1, 1_700_000_000}, {2, 1_700_000_060},
		{3, 1_700_000_007}}).View().AppendChecked(nil, bitmap.Smallest)

	times, err := bsi.Open(stored)
	if err != nil {
		panic(err)
	}
	fmt.Println(times.Validate() == nil, times.Greater(1_700_000_005).View().AppendTo(nil))
	for id, at := range times.All() {
		fmt.Println(id, at)
	}
	// Output:
	// true [2 3]
	// 1 1700000000
	// 2 1700000060
	// 3 1700000007
}
