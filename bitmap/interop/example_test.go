// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package interop_test

import (
	"bytes"
	"errors"
	"fmt"

	"github.com/uproar-db/uproar/bitmap"
	"github.com/uproar-db/uproar/bitmap/interop"
)

func ExampleFromPortable32() {
	// What roaring.Bitmap.ToBytes gave for {1, 2, 3, 4, 5} after RunOptimize.
	file := []byte{0x3b, 0x30, 0, 0, 1, 0, 0, 4, 0, 1, 0, 1, 0, 4, 0}
	set, err := interop.FromPortable32(file)
	fmt.Println(set.View().AppendTo(nil), err)

	_, err = interop.FromPortable32(file[:12])
	fmt.Println(errors.Is(err, bitmap.ErrTruncated), err)
	// Output:
	// [1 2 3 4 5] <nil>
	// true bitmap: truncated: bytes left for runs: got 1, want 4, at byte 11
}

func ExampleAppendPortable32() {
	set := bitmap.Of(1, 2, 3, 4, 5)
	file, err := interop.AppendPortable32(nil, set.View(), interop.RunsIfSmaller)
	fmt.Printf("% x %v\n", file, err)

	set.Add(1 << 40)
	_, err = interop.AppendPortable32(nil, set.View(), interop.RunsIfSmaller)
	fmt.Println(err)
	// Output:
	// 3b 30 00 00 01 00 00 04 00 01 00 01 00 04 00 <nil>
	// bitmap: value out of range of the format: got 1099511627776, want at most 4294967295
}

func ExampleAppendPortable64() {
	set := bitmap.Of(7, 1<<40)
	file := interop.AppendPortable64(nil, set.View(), interop.NoRuns)
	again, err := interop.FromPortable64(file)
	fmt.Println(len(file), again.View().AppendTo(nil), err)
	// Output: 52 [7 1099511627776] <nil>
}

func ExampleReadPortable64() {
	var stream bytes.Buffer // a file, a connection; buffered
	for _, set := range []*bitmap.Bitmap{bitmap.Of(1, 2), bitmap.Of(1 << 50)} {
		if _, err := interop.WritePortable64(&stream, set.View(), interop.RunsIfSmaller); err != nil {
			fmt.Println(err)
		}
	}
	for stream.Len() > 0 {
		set, err := interop.ReadPortable64(&stream)
		fmt.Println(set.View().AppendTo(nil), err)
	}
	// Output:
	// [1 2] <nil>
	// [1125899906842624] <nil>
}
