// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package posting

import (
	"testing"

	"github.com/uproar-db/uproar/internal/posting/format"
	"github.com/uproar-db/uproar/internal/posting/load"
	"github.com/uproar-db/uproar/internal/posting/memory"
	"github.com/uproar-db/uproar/internal/posting/model"
	"github.com/uproar-db/uproar/internal/posting/overlay"
	"github.com/uproar-db/uproar/store/memstore"
)

// TestLoadFieldByField loads many fields one after another. Neither the buffers nor the files grow
// with the number of fields.
func TestLoadFieldByField(t *testing.T) {
	const fields, each, bound = 40, 3 * load.FewPairs, 256 << 10
	m, err := memory.New(64 << 20)
	if err != nil {
		t.Fatal(err)
	}
	config := Config{ID: 1, Secret: format.NewSecret(), Memory: m, DeltaBytes: 1 << 20, NoSync: true}
	for f := range uint32(fields) {
		config.Fields = append(config.Fields, model.Field{ID: 4 + 4*f})
	}
	ix, err := Open(memstore.New(), config)
	if err != nil {
		t.Fatal(err)
	}
	defer ix.Close()
	l, err := ix.Load(t.Context(), bound, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer l.Abort()
	most := 0
	for _, f := range config.Fields {
		for i := range uint64(each) {
			if err := l.Set(f.ID, model.ID(i%100), model.ID(i)); err != nil {
				t.Fatal(err)
			}
			if i%64 == 0 {
				held := 0
				for _, p := range l.Pairs.Fields {
					if err := p.Await(); err != nil {
						t.Fatal(err)
					}
					held += 8 * (cap(p.Words) + cap(p.Spare) + cap(p.Scratch))
				}
				most = max(most, held)
			}
		}
	}
	if most > 2*bound {
		t.Errorf("got %d bytes of buffers, want at most %d", most, 2*bound)
	}
	if n := len(l.Pairs.Fields); n > load.PairFields {
		t.Errorf("got %d fields with files of their own, want at most %d", n, load.PairFields)
	}
	if _, err := l.Commit(); err != nil {
		t.Fatal(err)
	}
	snap := ix.Snapshot()
	defer snap.Close()
	var list overlay.List
	for _, f := range config.Fields {
		n := uint64(0)
		for row := range uint64(100) {
			if err := snap.List(f.ID, row, &list); err != nil {
				t.Fatal(err)
			}
			n += list.Len()
		}
		if n != each {
			t.Errorf("field %d: got %d values, want %d", f.ID, n, each)
		}
	}
}
