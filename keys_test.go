// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package uproar_test

import (
	"encoding/base32"
	"encoding/binary"
	"fmt"
	"strings"
	"testing"

	"github.com/uproar-db/uproar"
	"github.com/uproar-db/uproar/api"
	"github.com/uproar-db/uproar/query"
	"github.com/uproar-db/uproar/store/memstore"
)

// scatter returns another number for each; all of its bits look random.
func scatter(number int) uint64 {
	x := uint64(number+1) * 0x9e3779b97f4a7c15
	x = (x ^ x>>32) * 0xd6e8feb86659fd93
	return x ^ x>>32
}

// testDID returns a DID of the PLC method, another for each number.
func testDID(number int) string {
	var code [15]byte
	binary.BigEndian.PutUint64(code[:], scatter(number))
	binary.BigEndian.PutUint64(code[7:], scatter(^number))
	return "did:plc:" + strings.ToLower(base32.StdEncoding.EncodeToString(code[:]))
}

// TestAppendKeys: lists of all lengths have what stands between keys between all of them, and
// nowhere else.
func TestAppendKeys(t *testing.T) {
	db := openDB(t, memstore.New(), nil)
	defer db.Close()
	ix := newAccounts(t, db)
	const accounts = 10_000
	writeAll(t, ix, func(b *uproar.Batch) {
		for i := range accounts {
			key := testDID(i)
			if i%1000 == 999 {
				key = fmt.Sprintf("No. %d", i)
			}
			b.Set("follows", key, "all")
		}
	})
	form := uproar.KeyForm{Before: "<", After: ">", Between: ", ", Escape: func(dst, key []byte) []byte {
		return append(dst, strings.ToLower(string(key))...)
	}}
	for _, flushed := range []bool{false, true} {
		if flushed {
			if err := ix.Flush(t.Context()); err != nil {
				t.Fatal(err)
			}
		}
		snap := ix.Snapshot()
		all, err := snap.Keys(t.Context(), query.Related{Field: "followers", Key: "all"}, uproar.Page{})
		if err != nil || len(all.Keys) != accounts {
			t.Fatalf("got %d keys, %v, want %d", len(all.Keys), err, accounts)
		}
		for _, limit := range []int{0, 1, 2, 63, 64, 65, 999, 1000, 4095, 4096, 4097, 8192, 8193, 20_000} {
			n := min(limit, accounts)
			if limit == 0 {
				n = accounts
			}
			got, next, more, err := snap.AppendKeysAnd(t.Context(), []byte("list: "), limit, form,
				query.Related{Field: "followers", Key: "all"})
			want := "list: <" + strings.ToLower(strings.Join(all.Keys[:n], ">, <")) + ">"
			if err != nil || string(got) != want || more != (n < accounts) || more != (next > 0) {
				t.Errorf("limit %d, flushed %v: got %d bytes, next %d, more %v, %v, want %d bytes, or another text",
					limit, flushed, len(got), next, more, err, len(want))
			}
		}
		got, _, _, err := snap.AppendKeysAnd(t.Context(), []byte("list: "), 0, form,
			query.Related{Field: "follows", Key: "all"})
		if err != nil || string(got) != "list: " {
			t.Errorf("no keys, flushed %v: got %q, %v", flushed, got, err)
		}
		snap.Close()
	}
}

// BenchmarkAppendKeys lists the accounts of a relation as an answer in JSON has them. One list is
// short; the other is long and a part of a larger graph.
func BenchmarkAppendKeys(b *testing.B) {
	const accounts = 550_000
	db := openDB(b, memstore.New(), nil)
	defer db.Close()
	ix := newAccounts(b, db)
	load, err := ix.Load(b.Context(), nil)
	if err != nil {
		b.Fatal(err)
	}
	for i := range accounts {
		of := "all"
		switch {
		case scatter(i)%11 == 0:
			of = "long"
		case scatter(i)%5501 == 1:
			of = "short"
		}
		if err := load.Set("follows", testDID(i), of); err != nil {
			b.Fatal(err)
		}
	}
	if err := load.Commit(); err != nil {
		b.Fatal(err)
	}
	form := uproar.KeyForm{Before: `"`, After: `"`, Between: ",", Escape: api.AppendEscapedHTML}
	for _, of := range []string{"short", "long"} {
		b.Run("list="+of, func(b *testing.B) {
			b.ReportAllocs()
			var dst []byte
			keys := 0
			for b.Loop() {
				snap := ix.Snapshot()
				if dst, _, _, err = snap.AppendKeysAnd(b.Context(), dst[:0], 0, form,
					query.Related{Field: "followers", Key: of}); err != nil {
					b.Fatal(err)
				}
				snap.Close()
				keys = (len(dst) + 1) / 35
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(keys), "ns/key")
			b.ReportMetric(float64(keys), "keys")
		})
	}
}
