// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package posting

import (
	"testing"

	"github.com/uproar-db/uproar/internal/posting/format"
	"github.com/uproar-db/uproar/internal/posting/manifest"
	"github.com/uproar-db/uproar/store"
	"github.com/uproar-db/uproar/store/memstore"
)

// BenchmarkReadManifest opens a checkpoint of many pages. As many small changes follow it as there
// can be before the next one.
func BenchmarkReadManifest(b *testing.B) {
	const pages, each = 20_000, 4
	s := memstore.New()
	number := uint64(0)
	put := func(records []*format.ManifestRecord) {
		for _, r := range records {
			number++
			key := format.AppendManifestKey(nil, 1, number)
			var batch store.Batch
			batch.Put(key, r.Encode(key))
			if err := s.Apply(&batch, false); err != nil {
				b.Fatal(err)
			}
		}
	}
	page := func(i, generation int) format.Ref {
		return format.Ref{Field: country, First: uint64(i) * 10, Rows: 10, Bytes: 1000, Generation: uint64(generation)}
	}
	m := format.EmptyManifest()
	for i := range pages {
		m.Fields[country] = format.FieldPages{Refs: append(m.Fields[country].Refs, page(i, i+1))}
	}
	m.Generation = pages + 1
	put(m.Checkpoint())
	next := pages + 1
	for at := 0; at < pages/2; at += each {
		var c format.ManifestChange
		for i := at; i < at+each; i++ {
			c.Dropped, c.Added = append(c.Dropped, page(i, i+1)), append(c.Added, page(i, next))
			next++
		}
		put(c.Records(uint64(next)))
	}
	for b.Loop() {
		got, err := manifest.Read(s, 1)
		if err != nil || got.Manifest.Count() != pages || got.Churn != pages {
			b.Fatal(got, err)
		}
	}
}
