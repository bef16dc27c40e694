// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package bitmap_test

import (
	"fmt"

	"github.com/uproar-db/uproar/bitmap"
)

func ExampleAppendAnd() {
	a, b := bitmap.Of(1, 2, 3).View(), bitmap.Of(2, 3, 4).View()
	buffer := make([]byte, 0, 1024) // used again and again
	common, err := bitmap.OpenBody(bitmap.AppendAnd(buffer, a, b))
	fmt.Println(common.AppendTo(nil), err)
	// Output: [2 3] <nil>
}

func ExampleView_String() {
	set := bitmap.Of(7, 1<<40)
	fmt.Println(set, new(bitmap.Bitmap), bitmap.View{})
	set.AddRange(100, 999)
	fmt.Println(set.View())
	// Output:
	// {7,1099511627776} {} {}
	// {7,100,101,102,103,104,105,106,107,108,109,110,111,112,113,114,115,116,117,118,… 902 values}
}

func ExampleJaccard() {
	fmt.Println(bitmap.Jaccard(bitmap.Of(1, 2, 3).View(), bitmap.Of(2, 3, 4).View()))
	// Output: 0.5
}

func ExampleView_Hash() {
	added := new(bitmap.Bitmap)
	for x := range uint64(1000) {
		added.Add(x)
	}
	packed := added.Clone()
	packed.Pack(bitmap.Smallest)
	fmt.Println(string(added.Bytes()) == string(packed.Bytes()), added.View().Hash() == packed.View().Hash())
	// Output: false true
}

func ExampleView_Next() {
	set := bitmap.Of(10, 20, 30).View()
	next, _ := set.Next(20)
	after, _ := set.Next(21)
	previous, _ := set.Previous(19)
	_, ok := set.Previous(9)
	fmt.Println(next, after, previous, ok)
	// Output: 20 30 10 false
}

func ExampleView_LenRange() {
	set := bitmap.Of(10, 20, 30).View()
	fmt.Println(set.LenRange(10, 30))
	// Output: 3
}

func ExampleIterator() {
	set := bitmap.Of(10, 20, 30, 40, 50).View()
	page := make([]uint64, 2)
	it := set.Iterator(15)
	for n := it.Read(page); n > 0; n = it.Read(page) {
		fmt.Println(page[:n])
	}
	// Output:
	// [20 30]
	// [40 50]
}

func ExampleView_Ranges() {
	for first, last := range bitmap.Of(1, 2, 3, 7, 9, 10).View().Ranges() {
		fmt.Println(first, last)
	}
	// Output:
	// 1 3
	// 7 7
	// 9 10
}

func ExampleView_Kinds() {
	set := bitmap.Of(7, 1<<30, 1<<40)
	set.AddRange(100_000, 199_999)
	set.Pack(bitmap.Smallest)
	k := set.View().Kinds()
	fmt.Println(k.Run.Count, k.Run.Values, k.Array.Count+k.Packed.Count)
	// Output: 3 100000 3
}

func ExampleView_NextAbsent() {
	taken := bitmap.Of(1, 2, 3, 7).View()
	free, _ := taken.NextAbsent(1)
	before, _ := taken.PreviousAbsent(7)
	fmt.Println(free, before)
	// Output: 4 6
}

func ExampleView_Gaps() {
	for first, last := range bitmap.Of(1, 2, 3, 7).View().Gaps(1, 9) {
		fmt.Println(first, last)
	}
	// Output:
	// 4 6
	// 8 9
}

func ExampleView_Shift() {
	set := bitmap.Of(10, 20, 30).View()
	fmt.Println(set.Shift(1 << 40).View().AppendTo(nil))
	fmt.Println(set.Shift(-15).View().AppendTo(nil))
	// Output:
	// [1099511627786 1099511627796 1099511627806]
	// [5 15]
}

func ExampleFromWords() {
	set := bitmap.FromWords(1000, []uint64{0b1011, 1 << 63})
	fmt.Println(set.View().AppendTo(nil))

	words := make([]uint64, 2)
	set.View().Words(1001, words)
	fmt.Printf("%b\n", words[0])
	// Output:
	// [1000 1001 1003 1127]
	// 101
}

func ExampleView_Among() {
	set := bitmap.Of(2, 3, 5, 7, 11).View()
	asked := []uint64{1, 2, 3, 4, 5, 6}
	fmt.Println(set.Among(asked)) // in the memory of asked
	// Output: [2 3 5]
}
