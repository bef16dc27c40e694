// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package posting

import (
	"math"
	"testing"

	"github.com/uproar-db/uproar/internal/posting/model"
	"github.com/uproar-db/uproar/internal/posting/reader"
	"github.com/uproar-db/uproar/store/memstore"
)

// TestEdgesOfGreatRecords: edges without keys may be of records whose IDs are too great for keys.
// They go without taking the keys of others along, whose numbers would be alike.
func TestEdgesOfGreatRecords(t *testing.T) {
	config := testConfig(t, 1<<20)
	config.Fields[0].Column = model.KeyColumn
	ix := open(t, memstore.New(), config)
	defer ix.Close()
	const great = model.MaxEdgeID + 1 + 2
	if model.EdgeRow(0, great) != model.EdgeRow(1, 2) {
		t.Fatal("the numbers of both edges differ, want alike ones")
	}
	commit := func(write func(b *Batch)) error {
		var b Batch
		write(&b)
		_, err := ix.Commit(t.Context(), &b)
		return err
	}
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	key := model.EdgeKeyEdit{Field: follows, Set: true, Record: model.ID(1), Target: model.ID(2),
		Key: model.ID(1 << 60)}
	must(commit(func(b *Batch) {
		for _, edge := range [][2]uint64{{1, 2}, {0, great}, {great, 2}} {
			b.Set(follows, model.ID(edge[0]), model.ID(edge[1]))
		}
		b.EdgeKey(key)
	}))
	must(ix.Flush(t.Context()))
	must(commit(func(b *Batch) {
		b.Empty(follows, model.ID(0))
		b.Empty(follows, model.ID(great))
	}))
	for _, flushed := range []bool{false, true} {
		if flushed {
			must(ix.Flush(t.Context()))
		}
		s := ix.Snapshot()
		keys, err := reader.EdgeKeys(s, follows, 1)
		must(err)
		got, err := keys.Last(nil, math.MaxUint64, 10)
		if err != nil || len(got) != 1 || got[0] != (model.EdgeKey{Key: 1 << 60, Target: 2}) {
			t.Errorf("flushed %v: got %v, %v, want the key of the edge from 1 to 2", flushed, got, err)
		}
		if in, err := s.Contains(follows, 0, great); in || err != nil {
			t.Errorf("flushed %v: the emptied row has its edge: %v", flushed, err)
		}
		s.Close()
	}
	key.Target = model.ID(great)
	if err := commit(func(b *Batch) { b.EdgeKey(key) }); err == nil {
		t.Error("a key of an edge to a record that is too great is taken")
	}
}
