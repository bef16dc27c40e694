// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package table_test

import (
	"bytes"
	"errors"
	"io"
	"slices"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/uproar-db/uproar/internal/table"
	"github.com/uproar-db/uproar/internal/table/tabletest"
)

// read returns the rows of a table, once each, its bad lines, and the error that ended it.
func read(r io.Reader, ndjson bool, separator table.Separator, columns ...string) (rows []string, bad []int64,
	err error) {
	var t table.Reader
	if ndjson {
		t, err = table.NewNDJSON(r)
	} else {
		t, err = table.NewCSV(r, separator)
	}
	if err == nil {
		err = t.Select(columns...)
	}
	for err == nil {
		var row *table.Row
		row, err = t.Next()
		if line := (*table.LineError)(nil); errors.As(err, &line) {
			bad, err = append(bad, line.Line), nil
			continue
		}
		if err != nil {
			break
		}
		var words []string
		for _, cell := range row.Cells {
			words = append(words, strings.Join(cell, "+"))
		}
		if word := strings.Join(words, ">"); !slices.Contains(rows, word) {
			rows = append(rows, word)
		}
	}
	if err == io.EOF {
		err = nil
	}
	return rows, bad, err
}

// FuzzFiles: whatever bytes come, reading ends, and says the same however they come.
func FuzzFiles(f *testing.F) {
	for _, file := range tabletest.Files() {
		if len(file.Text) < 2000 {
			f.Add([]byte(file.Text), file.NDJSON)
		}
	}
	f.Fuzz(func(t *testing.T, text []byte, ndjson bool) {
		rows, bad, err := read(bytes.NewReader(text), ndjson, table.Detect, "account", "target")
		again, badAgain, errAgain := read(iotest.HalfReader(bytes.NewReader(text)), ndjson, table.Detect, "account",
			"target")
		if !slices.Equal(rows, again) || !slices.Equal(bad, badAgain) || (err == nil) != (errAgain == nil) ||
			err != nil && err.Error() != errAgain.Error() {
			t.Fatalf("%q: got %q, %d, %v, then %q, %d, %v", text, rows, bad, err, again, badAgain, errAgain)
		}
	})
}

// TestFiles reads every file of tabletest, at once and byte by byte.
func TestFiles(t *testing.T) {
	for _, f := range tabletest.Files() {
		for how, r := range map[string]io.Reader{"at once": strings.NewReader(f.Text),
			"byte by byte": iotest.OneByteReader(strings.NewReader(f.Text))} {
			rows, bad, err := read(r, f.NDJSON, table.Detect, "account", "target")
			if f.Err != "" {
				if err == nil || !strings.Contains(err.Error(), f.Err) {
					t.Errorf("%s, %s: got %q, %v, want an error with %q", f.Name, how, rows, err, f.Err)
				}
				continue
			}
			if err != nil || !slices.Equal(rows, f.Rows) || !slices.Equal(bad, f.Bad) {
				t.Errorf("%s, %s: got %q, bad lines %d, %v, want %q, %d", f.Name, how, rows, bad, err, f.Rows, f.Bad)
			}
		}
	}
}
