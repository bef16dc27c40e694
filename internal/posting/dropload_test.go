// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package posting

import (
	"testing"

	"github.com/uproar-db/uproar/internal/posting/model"
	"github.com/uproar-db/uproar/internal/posting/reader"
	"github.com/uproar-db/uproar/store/memstore"
)

// A load that writes to a field while it is dropped leaves pages without keys. They stay until the
// next flush and are no damage.
func TestDropFieldBesideLoad(t *testing.T) {
	ix := open(t, memstore.New(), testConfig(t, 1<<20))
	defer ix.Close()
	l, err := ix.Load(t.Context(), 1<<20, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer l.Abort()
	row, _ := l.Key(model.KeySpace(country), "x")
	record, _ := l.Key(model.RecordSpace, "a")
	for field, in := range map[uint32]model.Ref{model.Exists: model.ID(0), country: row} {
		if err := l.Set(field, in, record); err != nil {
			t.Fatal(err)
		}
	}
	if err := l.Naming.Name(); err != nil {
		t.Fatal(err)
	}
	if err := ix.DropFields(country); err != nil {
		t.Fatal(err)
	}
	if err := ix.Flush(t.Context()); err != nil {
		t.Fatal(err)
	}
	if _, err := l.Commit(); err != nil { // which, unlike Commit, asks for no flush
		t.Fatal(err)
	}
	pages := func() int { return len(ix.source.State.Load().Version.Fields[country].Refs) }
	if pages() == 0 {
		t.Error("got no pages of the dropped field, want some that are about to go")
	}
	if err := ix.Verify(t.Context(), nil); err != nil {
		t.Error(err)
	}
	if err := ix.Flush(t.Context()); err != nil || pages() > 0 {
		t.Errorf("got %v and %d pages of the dropped field after a flush, want none", err, pages())
	}
}

// The sizes of rows that are kept go with their field, and with the index.
func TestRowSizesDropped(t *testing.T) {
	ix := open(t, memstore.New(), testConfig(t, 16<<20))
	defer ix.Close()
	var b Batch
	record := b.Key(model.RecordSpace, "a")
	b.Set(model.Exists, model.ID(0), record)
	b.Set(country, b.Key(model.KeySpace(country), "x"), record)
	if _, err := ix.Commit(t.Context(), &b); err != nil {
		t.Fatal(err)
	}
	if err := ix.Flush(t.Context()); err != nil {
		t.Fatal(err)
	}
	snap := ix.Snapshot()
	defer snap.Close()
	sizes, err := snap.RowSizes(t.Context(), country)
	if err != nil {
		t.Fatal(err)
	}
	defer sizes.Close()
	if ix.source.Sizes.Bytes == 0 {
		t.Fatal("got no sizes kept, want those of a field")
	}
	if err := ix.DropFields(country); err != nil {
		t.Fatal(err)
	}
	if err := ix.Flush(t.Context()); err != nil {
		t.Fatal(err)
	}
	if ix.source.Sizes.Get(country) != nil || ix.source.Sizes.Bytes != 0 {
		t.Errorf("got %d bytes of sizes kept, want none of a dropped field", ix.source.Sizes.Bytes)
	}
	ix.source.Sizes.Leave(ix.source.Memory)
	if before := ix.source.Memory.Usage().Indexes; ix.source.Sizes.Put(ix.source.Memory, country,
		&reader.PageSizes{Sizes: make([]uint32, 1)}) ||
		ix.source.Memory.Usage().Indexes != before {
		t.Error("sizes are kept though the index is closed")
	}
}
