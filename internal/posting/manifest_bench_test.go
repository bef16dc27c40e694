// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package posting

import (
	"testing"

	"github.com/uproar-db/uproar/store"
	"github.com/uproar-db/uproar/store/memstore"
)

// BenchmarkReadManifest opens a checkpoint of many pages with as many small changes after it as
// there can be before the next one.
func BenchmarkReadManifest(b *testing.B) {
	const pages, each = 20_000, 4
	s := memstore.New()
	number := uint64(0)
	put := func(records []*manifestRecord) {
		for _, r := range records {
			number++
			key := appendManifestKey(nil, 1, number)
			var batch store.Batch
			batch.Put(key, r.encode(key))
			if err := s.Apply(&batch, false); err != nil {
				b.Fatal(err)
			}
		}
	}
	page := func(i, generation int) ref {
		return ref{field: country, first: uint64(i) * 10, rows: 10, bytes: 1000, generation: uint64(generation)}
	}
	m := emptyManifest()
	for i := range pages {
		m.fields[country] = fieldPages{refs: append(m.fields[country].refs, page(i, i+1))}
	}
	m.generation = pages + 1
	put(m.checkpoint())
	next := pages + 1
	for at := 0; at < pages/2; at += each {
		var c manifestChange
		for i := at; i < at+each; i++ {
			c.dropped, c.added = append(c.dropped, page(i, i+1)), append(c.added, page(i, next))
			next++
		}
		put(c.records(uint64(next)))
	}
	for b.Loop() {
		got, err := readManifest(s, 1)
		if err != nil || got.manifest.count() != pages || got.churn != pages {
			b.Fatal(got, err)
		}
	}
}
