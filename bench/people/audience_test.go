// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package people

import (
	"testing"

	"github.com/uproar-db/uproar"
	"github.com/uproar-db/uproar/store/memstore"
)

// TestRun loads and measures a small population with each column, and compares all answers with a
// plain computation.
func TestRun(t *testing.T) {
	for _, column := range []uproar.Column{uproar.NoColumn, uproar.FastColumn, uproar.SmallColumn} {
		db, err := uproar.Open(t.Context(), memstore.New(), nil)
		if err != nil {
			t.Fatal(err)
		}
		r, err := Run(t.Context(), db, &Options{People: 800, Seed: 1, Column: column, MemoryBytes: 64 << 20,
			Threads: []int{1, 2}, Check: true})
		if err != nil {
			t.Fatalf("column %q: %v", column, err)
		}
		if len(r.Audiences) != 5 || r.Checked != 5*9*4 || r.Load == 0 {
			t.Errorf("column %q: got %d audiences and %d answers checked", column, len(r.Audiences), r.Checked)
		}
		for _, a := range r.Audiences {
			if len(a.Lines) != 13 {
				t.Errorf("%s: got %d lines, want 13", a.Name, len(a.Lines))
			}
		}
		if err := db.Close(); err != nil {
			t.Error(err)
		}
	}
}
