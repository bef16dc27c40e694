// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package table

import (
	"errors"
	"io"
	"strings"
	"testing"
)

// TestZeroBytes: what an export wrote has zero bytes in quotes, and is read; a row with zero bytes
// and no quotes is none of a table.
func TestZeroBytes(t *testing.T) {
	rows, err := NewCSV(strings.NewReader("id,city\na,\"x\x00y\"\nb,x\x00y\nc,z\n"), Comma)
	if err == nil {
		err = rows.Select("id", "city")
	}
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for {
		row, err := rows.Next()
		if err == io.EOF {
			break
		}
		if bad, ok := errors.AsType[*LineError](err); ok {
			got = append(got, bad.Error())
		} else if err != nil {
			t.Fatal(err)
		} else {
			got = append(got, row.Cells[0][0]+" "+row.Cells[1][0])
		}
	}
	if len(got) != 3 || got[0] != "a x\x00y" ||
		!strings.Contains(got[1], "zero byte without quotes") || got[2] != "c z" {
		t.Errorf("got %q", got)
	}
}
