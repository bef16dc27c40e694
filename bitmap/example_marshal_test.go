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
	// 14 bytes: [1 2] <nil>
	// 3 bytes: [] <nil>
	// 10 bytes: [1099511627776] <nil>
}
