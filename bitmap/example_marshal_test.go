// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package bitmap_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"github.com/uproar-db/uproar/bitmap"
)

func ExampleBitmap_MarshalText() {
	segment := struct {
		Name  string
		Users *bitmap.Bitmap
	}{"trial", bitmap.Of(3, 14, 15, 92, 1<<20)}
	data, err := json.Marshal(segment)
	fmt.Println(string(data), err)
	// Output: {"Name":"trial","Users":"tQEPjAUPEBgA4ADgAQAXAAAA"} <nil>
}

func ExampleBitmap_UnmarshalJSON() {
	var segment struct{ Users bitmap.Bitmap }
	for _, text := range []string{`{"Users": [14, 3, 15]}`, `{"Users": "tQEC-Qc"}`, `{"Users": [0.5]}`} {
		err := json.Unmarshal([]byte(text), &segment)
		fmt.Println(segment.Users.View().AppendTo(nil), err)
	}
	// Output:
	// [3 14 15] <nil>
	// [7] <nil>
	// [7] bitmap: corrupt: character after a number '.': got 46, want a comma or the end of the array, at byte 2
}

func ExampleBitmap_ReadFrom() {
	var file bytes.Buffer
	for _, set := range []*bitmap.Bitmap{bitmap.Of(1, 2), bitmap.Of(), bitmap.Of(1 << 40)} {
		set.WriteTo(&file)
	}
	for {
		var set bitmap.Bitmap
		n, err := set.ReadFrom(&file)
		if errors.Is(err, io.EOF) {
			break
		}
		fmt.Println(n, "bytes:", set.View().AppendTo(nil), err)
	}
	// Output:
	// 6 bytes: [1 2] <nil>
	// 3 bytes: [] <nil>
	// 10 bytes: [1099511627776] <nil>
}

func ExampleFromSroar() {
	// Bytes from ToBuffer of Dgraph's or Weaviate's sroar; here our own writer stands in for it.
	buffer := bitmap.Of(7, 70_000, 1<<40).View().AppendSroar(nil)

	set, err := bitmap.FromSroar(buffer)
	if err != nil {
		panic(err)
	}
	fmt.Println(set.View().AppendTo(nil))
	fmt.Println(len(buffer), "bytes became", len(set.Bytes()))

	_, err = bitmap.FromSroar(buffer[:100])
	fmt.Println(err)
	// Output:
	// [7 70000 1099511627776]
	// 262 bytes became 24
	// bitmap: truncated: sroar: offset of a container: got 104, want no more than the bytes given hold, at byte 24
}

func ExampleView_AppendSroar() {
	set := bitmap.Of(7, 70_000, 1<<40)
	buffer := set.View().AppendSroar(nil) // sroar.FromBufferWithCopy(buffer) reads it
	fmt.Println(len(buffer), "bytes")
	// Output:
	// 262 bytes
}
