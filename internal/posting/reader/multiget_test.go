// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package reader_test

import (
	"fmt"
	"testing"

	"github.com/uproar-db/uproar/internal/eval/evaltest"
	"github.com/uproar-db/uproar/internal/posting"
	"github.com/uproar-db/uproar/internal/posting/model"
)

// TestLookupOfCollidingKey: the candidate, whose key has the same hash, is not the last word.
func TestLookupOfCollidingKey(t *testing.T) {
	ix := evaltest.OpenColumns(t)
	var b posting.Batch
	for i := range 100 {
		b.Set(model.Exists, model.ID(0), b.Key(model.RecordSpace, fmt.Sprint("record ", i)))
	}
	if _, err := ix.Commit(t.Context(), &b); err != nil {
		t.Fatal(err)
	}
	if err := ix.Flush(t.Context()); err != nil {
		t.Fatal(err)
	}
	snap := ix.Snapshot()
	defer snap.Close()
	for key, want := range map[string]bool{"another": false, "record 1": true} {
		if ok, err := snap.LookupColliding(model.RecordSpace, key, "record 1"); ok != want || err != nil {
			t.Errorf("%q as if it had the hash of \"record 1\": got %v, %v, want %v", key, ok, err, want)
		}
	}
}
