// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package uproar_test

import (
	"context"
	"testing"

	"github.com/uproar-db/uproar"
	"github.com/uproar-db/uproar/query"
	"github.com/uproar-db/uproar/store/memstore"
)

// BenchmarkEpinions asks the Epinions network through the database, everything cached.
func BenchmarkEpinions(b *testing.B) {
	ctx := context.Background()
	db := openDB(b, memstore.New(), nil)
	defer db.Close()
	ix := newAccounts(b, db)
	load, err := ix.Load(ctx, nil)
	if err != nil {
		b.Fatal(err)
	}
	readEpinions(b, func(x, y string) {
		if err := load.Set("follows", x, y); err != nil {
			b.Fatal(err)
		}
	})
	if err := load.Commit(); err != nil {
		b.Fatal(err)
	}
	for _, pair := range []struct{ name, actor, target string }{{"typical", "1000", "737"}, {"heavy", "18", "18"},
		{"two-largest", "18", "401"}} {
		e := query.And{Of: []query.Expr{query.Related{Field: "follows", Key: pair.actor},
			query.Related{Field: "followers", Key: pair.target}}}
		b.Run("op=count/pair="+pair.name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				snap := ix.Snapshot()
				if _, err := snap.Count(ctx, e); err != nil {
					b.Fatal(err)
				}
				snap.Close()
			}
		})
		b.Run("op=keys/pair="+pair.name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				snap := ix.Snapshot()
				if _, err := snap.Keys(ctx, e, uproar.Page{Limit: 100}); err != nil {
					b.Fatal(err)
				}
				snap.Close()
			}
		})
	}
	b.Run("op=has", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			snap := ix.Snapshot()
			if _, err := snap.Has("follows", "18", "401"); err != nil {
				b.Fatal(err)
			}
			snap.Close()
		}
	})
}
