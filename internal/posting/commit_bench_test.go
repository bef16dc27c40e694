// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package posting

import (
	"fmt"
	"testing"

	"github.com/uproar-db/uproar/internal/posting/model"
	"github.com/uproar-db/uproar/store/memstore"
)

// fillBatch puts a new record into ten lists.
func fillBatch(b *Batch, n int) {
	record := b.Key(model.RecordSpace, fmt.Sprintf("record%d", n))
	for i := range 10 {
		b.Set(country, model.ID(uint64((n*31+i*i)%1000)), record)
	}
}

// BenchmarkCommit commits batches of one new record, one after the other.
func BenchmarkCommit(b *testing.B) {
	ix := open(b, memstore.New(), testConfig(b, 1<<30))
	defer ix.Close()
	n := 0
	for b.Loop() {
		var batch Batch
		fillBatch(&batch, n)
		if _, err := ix.Commit(b.Context(), &batch); err != nil {
			b.Fatal(err)
		}
		n++
	}
}

// BenchmarkFlush merges 10 000 edits into pages.
func BenchmarkFlush(b *testing.B) {
	ix := open(b, memstore.New(), testConfig(b, 1<<30))
	defer ix.Close()
	n := 0
	for b.Loop() {
		b.StopTimer()
		var batch Batch
		for range 1000 {
			fillBatch(&batch, n)
			n++
		}
		if _, err := ix.Commit(b.Context(), &batch); err != nil {
			b.Fatal(err)
		}
		b.StartTimer()
		if err := ix.Flush(b.Context()); err != nil {
			b.Fatal(err)
		}
	}
}
