// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package posting

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/uproar-db/uproar/internal/posting/model"
	"github.com/uproar-db/uproar/internal/posting/reader"
	"github.com/uproar-db/uproar/store/memstore"
)

// TestMultiGet: keys that are looked up together are found as each alone. They are on pages, in
// either delta, deleted, of records that do not exist, or unknown.
func TestMultiGet(t *testing.T) {
	ix := open(t, memstore.New(), testConfig(t, 1<<20))
	defer ix.Close()
	const each = 3000
	name := func(i int) string {
		if i%3 == 0 {
			return fmt.Sprintf("did:plc:%024d", i) // not in the code of identifiers: 0, 1, 8 and 9 are no digits of it
		}
		return fmt.Sprintf("record %d", i)
	}
	commit := func(from, to int) {
		t.Helper()
		var b Batch
		for i := from; i < to; i++ {
			if i%10 != 0 { // the others have an ID all the same
				b.Set(model.Exists, model.ID(0), b.Key(model.RecordSpace, name(i)))
			}
			b.Set(follows, b.Key(model.RecordSpace, name(i)), model.ID(uint64(i%50)))
		}
		if _, err := ix.Commit(t.Context(), &b); err != nil {
			t.Fatal(err)
		}
	}
	remove := func(i int) {
		t.Helper()
		snap := ix.Snapshot()
		defer snap.Close()
		id, ok, err := snap.Lookup(model.RecordSpace, name(i))
		if err != nil || !ok {
			t.Fatalf("%q: got %v, %v", name(i), ok, err)
		}
		var b Batch
		b.Delete(model.ID(id))
		if _, err := ix.Commit(t.Context(), &b); err != nil {
			t.Fatal(err)
		}
	}
	compare := func() {
		t.Helper()
		snap := ix.Snapshot()
		defer snap.Close()
		r := rand.New(rand.NewPCG(95, 96))
		found, missing := 0, 0
		for _, n := range []int{0, 1, 2, 200, each} {
			keys := make([]reader.Lookup, n)
			for i := range keys {
				keys[i] = reader.Lookup{Space: []uint32{model.RecordSpace, model.RecordSpace, model.RecordSpace,
					model.KeySpace(country)}[r.IntN(4)],
					Key: name(r.IntN(3 * each)), ID: 99, OK: true,
					Near: []uint32{0, model.Exists, follows, followers}[r.IntN(4)]}
				keys[i].Exists = keys[i].Space == model.RecordSpace && r.IntN(2) == 0
			}
			for range 2 { // what an earlier call left changes nothing
				if err := snap.MultiGet(keys); err != nil {
					t.Fatal(err)
				}
			}
			for _, l := range keys {
				id, ok, err := snap.Lookup(l.Space, l.Key)
				if err == nil && ok && l.Exists {
					if ok, err = snap.Contains(model.Exists, 0, id); !ok {
						missing++
					}
				}
				if err != nil || ok != l.OK || ok && id != l.ID {
					t.Fatalf("%q: got %d, %v, want %d, %v, %v", l.Key, l.ID, l.OK, id, ok, err)
				}
				if ok {
					found++
				}
			}
		}
		if found < each/8 {
			t.Errorf("got %d keys found, want many", found)
		}
		if missing < each/100 {
			t.Errorf("got %d keys of records that do not exist, want many", missing)
		}
	}
	commit(0, each)
	compare()
	if err := ix.Flush(t.Context()); err != nil {
		t.Fatal(err)
	}
	commit(each, 2*each)
	for i := range 100 {
		remove(i * 7)
		remove(each + i*7)
	}
	compare()
	if err := ix.Flush(t.Context()); err != nil {
		t.Fatal(err)
	}
	compare()
}
