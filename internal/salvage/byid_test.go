// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package salvage

import (
	"errors"
	"slices"
	"testing"

	"github.com/uproar-db/uproar"
	"github.com/uproar-db/uproar/store/memstore"
)

// TestByID: a relation that names records by their IDs is copied when they keep them, and left out,
// with a word, when they cannot.
func TestByID(t *testing.T) {
	for _, deletes := range []bool{false, true} {
		from := memstore.New()
		db, err := uproar.Open(t.Context(), from, nil)
		must(t, err)
		index, err := db.CreateIndex(t.Context(), "people",
			uproar.Field{Name: "likers", Type: uproar.Relation, Inverse: "likes", Column: uproar.KeyColumn},
			uproar.Field{Name: "follows", Type: uproar.Relation, Inverse: "followers", Column: uproar.KeyColumn})
		must(t, err)
		var b uproar.Batch
		for _, name := range []string{"ann", "bob", "cid", "dan"} {
			b.AddRecord(name)
		}
		b.SetEdge("likers", "cid", "dan", "3m6aaaaaaaa2k")
		b.SetEdge("follows", "cid", "dan", "3m6aaaaaaaa3k")
		_, err = index.Write(t.Context(), &b)
		must(t, err)
		if deletes {
			b.Reset()
			b.DeleteRecord("bob")
			_, err = index.Write(t.Context(), &b)
			must(t, err)
		}
		must(t, index.Flush(t.Context()))
		to, err := uproar.Open(t.Context(), memstore.New(), nil)
		must(t, err)
		report, err := Copy(t.Context(), from, to, Options{ByID: []string{"likers"}})
		must(t, err)
		if follows := recordsIn(t, to, "follows"); !slices.Equal(follows, []string{"cid dan 3m6aaaaaaaa3k"}) {
			t.Errorf("deletes %v: got %v, want the follow", deletes, follows)
		}
		likers := recordsIn(t, to, "likers")
		if deletes != (len(likers) == 0) || deletes != slices.Equal(report.Indexes[0].LeftOut, []string{"likers"}) ||
			deletes != report.Lost() {
			t.Errorf("deletes %v: got %v, left out %v, lost %v", deletes, likers, report.Indexes[0].LeftOut,
				report.Lost())
		}
		must(t, errors.Join(to.Close(), db.Close()))
	}
}
