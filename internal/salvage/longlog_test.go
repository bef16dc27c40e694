// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package salvage

import (
	"fmt"
	"slices"
	"testing"

	"github.com/uproar-db/uproar"
	"github.com/uproar-db/uproar/query"
	"github.com/uproar-db/uproar/store/memstore"
)

// TestCopyLongLog damages an entry of a log that is longer than what is read at a time, as of a
// process that was killed: no other commit is lost, and no other is named.
func TestCopyLongLog(t *testing.T) {
	const commits = 700
	ctx, s := t.Context(), memstore.New()
	from, err := uproar.Open(ctx, kept{s}, nil)
	must(t, err)
	ix, err := from.CreateIndex(ctx, "things", uproar.Field{Name: "tags", Type: uproar.Set})
	must(t, err)
	for i := range commits {
		b := new(uproar.Batch)
		b.Set("tags", fmt.Sprint("record", i), "all")
		_, err := ix.Write(ctx, b)
		must(t, err)
	}
	ops := content(t, s)
	must(t, from.Close())
	log := kindsOf(ops)["log"]
	if len(log) < commits {
		t.Fatalf("got %d entries of the log, want %d", len(log), commits)
	}
	for _, damaged := range []int{0, 100, 255, 256, 300, 511, 512, 600, len(log) - 1} {
		flipped := slices.Clone(ops)
		op := &flipped[log[damaged]]
		op.Value = slices.Clone(op.Value)
		op.Value[len(op.Value)/2] ^= 1
		db, err := uproar.Open(ctx, memstore.New(), nil)
		must(t, err)
		report, err := Copy(ctx, storeOf(t, flipped), db, Options{})
		must(t, err)
		r := report.Indexes[0]
		if r.Failure != "" || len(r.Log) != 1 || r.Log[0].First != r.Log[0].Last {
			t.Fatalf("entry %d: got failure %q, lost %v, want one commit lost", damaged, r.Failure, r.Log)
		}
		got, err := db.Index("things")
		must(t, err)
		snap := got.Snapshot()
		n, err := snap.Count(ctx, query.Equal{Field: "tags", Value: "all"})
		must(t, err)
		missing := uint64(commits) - n
		if missing > 1 && damaged > 0 { // the first gives the row its key
			t.Errorf("entry %d: %d records are missing, want 1", damaged, missing)
		}
		snap.Close()
		must(t, db.Close())
	}
}
