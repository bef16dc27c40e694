// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package salvage

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"github.com/uproar-db/uproar"
	"github.com/uproar-db/uproar/internal/posting/model"
	"github.com/uproar-db/uproar/store"
	"github.com/uproar-db/uproar/store/memstore"
)

// recordsIn lists all records of the edges of a relation.
func recordsIn(t *testing.T, db *uproar.DB, relation string) (list []string) {
	t.Helper()
	index, err := db.Index("people")
	must(t, err)
	s := index.Snapshot()
	defer s.Close()
	keys, err := s.EdgeKeys(relation)
	must(t, err)
	for id := range s.IDBound() {
		account, err := s.Key(id)
		if err != nil {
			continue
		}
		records, err := keys.Append(nil, id, math.MaxUint64, math.MaxInt32)
		must(t, err)
		for _, k := range records {
			target, err := s.Key(k.Target)
			must(t, err)
			text, err := keys.AppendText(nil, k.Key)
			must(t, err)
			list = append(list, account+" "+target+" "+string(text))
		}
	}
	slices.Sort(list)
	return list
}

// TestEdgeKeysAreSalvaged: the records of edges are copied, but those on a damaged page.
func TestEdgeKeysAreSalvaged(t *testing.T) {
	from := memstore.New()
	db, err := uproar.Open(t.Context(), from, nil)
	must(t, err)
	index, err := db.CreateIndex(t.Context(), "people", uproar.Field{Name: "follows", Type: uproar.Relation,
		Inverse: "followers", Column: uproar.KeyColumn})
	must(t, err)
	var b uproar.Batch
	for i := range 6000 {
		key := string(model.AppendTID(nil, uint64(1_700_000_000_000_000+i)<<10))
		if i%100 == 0 {
			key = fmt.Sprintf("text-%d", i)
		}
		account := "large"
		if i%2 == 0 {
			account = fmt.Sprintf("a%d", i%37)
		}
		b.SetEdge("follows", account, fmt.Sprintf("t%d", i), key)
	}
	_, err = index.Write(t.Context(), &b)
	must(t, err)
	want := recordsIn(t, db, "follows")
	if len(want) != 6000 {
		t.Fatalf("got %d records", len(want))
	}
	copyOf := func(from store.Store) []string {
		t.Helper()
		to, err := uproar.Open(t.Context(), memstore.New(), nil)
		must(t, err)
		defer to.Close()
		report, err := Copy(t.Context(), from, to, Options{})
		must(t, err)
		must(t, to.Verify(t.Context(), nil))
		if report.Indexes[0].Failure != "" {
			return nil
		}
		return recordsIn(t, to, "follows")
	}
	if got := copyOf(from); !slices.Equal(got, want) { // of the log
		t.Fatalf("of the log: got %d records", len(got))
	}
	must(t, index.Flush(t.Context()))
	must(t, db.Verify(t.Context(), nil))
	if got := copyOf(from); !slices.Equal(got, want) {
		t.Fatalf("of pages: got %d records", len(got))
	}
	var ops []store.Op
	must(t, from.Scan(nil, nil, func(key, value []byte) error {
		ops = append(ops, store.Op{Key: slices.Clone(key), Value: slices.Clone(value)})
		return nil
	}))
	some := 0
	for i := range ops {
		if len(ops[i].Value) < 1000 {
			continue
		}
		damaged := slices.Clone(ops)
		damaged[i].Value = slices.Clone(ops[i].Value)
		damaged[i].Value[len(ops[i].Value)/2] ^= 4
		got := copyOf(storeOf(t, damaged))
		if len(got) < 6000 && len(got) > 0 {
			some++
		}
		for _, record := range got {
			if _, ok := slices.BinarySearch(want, record); !ok {
				t.Fatalf("entry %d: got the record %s, which nobody has written", i, record)
			}
		}
	}
	if some < 2 {
		t.Errorf("damage cost records of %d entries, want at least 2 pages of keys", some)
	}
}
