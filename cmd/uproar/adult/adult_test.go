// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package adult_test

import (
	"compress/gzip"
	"encoding/csv"
	"io"
	"slices"
	"testing"

	"github.com/uproar-db/uproar/apps/audience"
	"github.com/uproar-db/uproar/cmd/uproar/adult"
)

// The data is whole, and has the columns that are asked about.
func TestData(t *testing.T) {
	unzip, err := gzip.NewReader(adult.Open())
	if err != nil {
		t.Fatal(err)
	}
	lines := csv.NewReader(unzip)
	lines.TrimLeadingSpace = true
	header, err := lines.Read()
	if err != nil {
		t.Fatal(err)
	}
	for _, text := range adult.Columns {
		column, err := audience.ParseColumn(text)
		if err != nil || !slices.Contains(header, column.Name) {
			t.Errorf("%s: got column %q, %v, want one of %q", text, column.Name, err, header)
		}
	}
	people := 0
	for ; ; people++ {
		if _, err := lines.Read(); err == io.EOF {
			break
		} else if err != nil {
			t.Fatal(err)
		}
	}
	if people != adult.People {
		t.Errorf("got %d people, want %d", people, adult.People)
	}
}
