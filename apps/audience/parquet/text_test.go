// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package parquet

import (
	"testing"

	"github.com/parquet-go/parquet-go"
)

// A decimal that would take a gigabyte of zeros is refused before a value is written.
func TestScale(t *testing.T) {
	for scale, want := range map[int]string{0: "15", 1: "1.5", 3: "0.015", maxScale + 1: "", 1 << 30: ""} {
		text := textOf(parquet.Decimal(scale, 18, parquet.Int64Type).Type())
		switch {
		case want == "" && text != nil:
			t.Errorf("scale %d: got a text, want none", scale)
		case want != "" && (text == nil || text(parquet.ValueOf(int64(15))) != want):
			t.Errorf("scale %d: want %s", scale, want)
		}
	}
}
