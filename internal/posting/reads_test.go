// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package posting

import (
	"testing"

	"github.com/uproar-db/uproar/internal/posting/model"
	"github.com/uproar-db/uproar/internal/posting/reader"
	"github.com/uproar-db/uproar/store/memstore"
)

// TestReads: a plan that has said what it has read is called again if a commit has changed that
// before its turn, and only then.
func TestReads(t *testing.T) {
	ix := open(t, memstore.New(), testConfig(t, 1<<30))
	defer ix.Close()
	commit := func(fill func(b *Batch)) {
		t.Helper()
		var b Batch
		fill(&b)
		if _, err := ix.Commit(t.Context(), &b); err != nil {
			t.Fatal(err)
		}
	}
	record := func(b *Batch, key string) model.Ref {
		r := b.Key(model.RecordSpace, key)
		b.Set(model.Exists, model.ID(0), r)
		return r
	}
	const a, other, third = 0, 1, 2 // IDs, in the order of their making
	reads := &model.Reads{Records: []uint64{a}, Unknown: []string{"new"}}
	commit(func(b *Batch) { record(b, "a"); record(b, "other"); record(b, "third") })
	for _, c := range []struct {
		what  string
		reads *model.Reads
		fill  func(b *Batch)
		calls int
	}{
		{"a list of another record", reads, func(b *Batch) { b.Set(country, model.ID(5), model.ID(other)) }, 1},
		{"the value of another record", reads, func(b *Batch) { b.AssignInt(age, model.ID(other), 9) }, 1},
		{"another new record", reads, func(b *Batch) { record(b, "more") }, 1},
		{"what is not said", nil, func(b *Batch) { b.AssignInt(age, model.ID(other), 10) }, 2},
		{"a list of the record", reads, func(b *Batch) { b.Set(country, model.ID(5), model.ID(a)) }, 2},
		{"the value of the record", reads, func(b *Batch) { b.Assign(city, model.ID(a), model.ID(3)) }, 2},
		{"its key, known", reads, func(b *Batch) { b.AssignInt(age, b.Key(model.RecordSpace, "a"), 4) }, 2},
		{"the relation of the record", reads, func(b *Batch) { b.Set(follows, model.ID(a), model.ID(other)) }, 2},
		{"a relation to the record", reads, func(b *Batch) { b.Set(follows, model.ID(other), model.ID(a)) }, 2},
		{"a row that was emptied", reads, func(b *Batch) { b.Empty(country, model.ID(5)) }, 2},
		{"a record that was deleted", reads, func(b *Batch) { b.Delete(model.ID(third)) }, 2},
		{"the key without a record", reads, func(b *Batch) { record(b, "new") }, 2},
	} {
		calls := 0
		_, err := ix.Update(t.Context(), func(now reader.Snapshot) (*Batch, error) {
			if calls++; calls == 1 {
				commit(c.fill)
			}
			b := new(Batch)
			b.AssignInt(age, model.ID(a), int64(100+calls))
			b.Reads = c.reads
			return b, nil
		})
		if err != nil || calls != c.calls {
			t.Errorf("%s: got %d calls, %v, want %d", c.what, calls, err, c.calls)
		}
		snap := ix.Snapshot()
		if x, ok, err := snap.Int(age, a); x != int64(100+calls) || !ok || err != nil {
			t.Errorf("%s: got %d, %v, %v, want what the last call wrote, %d", c.what, x, ok, err, 100+calls)
		}
		snap.Close()
	}
}

// TestFoundMeanwhile: who makes a record that somebody has made meanwhile has changed that one.
func TestFoundMeanwhile(t *testing.T) {
	ix := open(t, memstore.New(), testConfig(t, 1<<30))
	defer ix.Close()
	calls := 0
	b := new(Batch) // made from a snapshot without the record
	r := b.NewKey(model.RecordSpace, "a")
	b.Set(model.Exists, model.ID(0), r)
	b.AssignInt(age, r, 1)
	old := ix.Snapshot()
	defer old.Close()
	var first Batch
	first.Set(model.Exists, model.ID(0), first.Key(model.RecordSpace, "a"))
	if _, err := ix.Commit(t.Context(), &first); err != nil {
		t.Fatal(err)
	}
	if _, err := ix.Update(t.Context(), func(now reader.Snapshot) (*Batch, error) {
		if calls++; calls == 1 {
			if _, err := ix.CommitFrom(t.Context(), old, b); err != nil {
				t.Error(err)
			}
		}
		out := new(Batch)
		out.AssignInt(age, model.ID(0), 2)
		out.Reads = &model.Reads{Records: []uint64{0}}
		return out, nil
	}); err != nil || calls != 2 {
		t.Errorf("got %d calls, %v, want 2", calls, err)
	}
}
