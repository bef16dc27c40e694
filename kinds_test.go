// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package uproar_test

import (
	"context"
	"errors"
	"fmt"
	"testing"

	"github.com/uproar-db/uproar"
	"github.com/uproar-db/uproar/store/memstore"
)

// TestIndexKinds: the containers of a field have the values that its statistics count.
func TestIndexKinds(t *testing.T) {
	db, err := uproar.Open(t.Context(), memstore.New(), nil)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	ix, err := db.CreateIndex(t.Context(), "things", uproar.Field{Name: "tag", Type: uproar.Set},
		uproar.Field{Name: "size", Type: uproar.Integer})
	if err != nil {
		t.Fatal(err)
	}
	var b uproar.Batch
	for i := range 5000 {
		b.Set("tag", fmt.Sprint("thing ", i), fmt.Sprint("tag ", i%7))
		b.SetInt("size", fmt.Sprint("thing ", i), int64(i*i))
	}
	if _, err := ix.Write(t.Context(), &b); err != nil {
		t.Fatal(err)
	}
	if s, err := ix.Stats(); err != nil || s.DeltaKeys != 5007 || s.DeltaWords != 5000 || s.LogBytes == 0 {
		t.Errorf("got %d keys and %d values in the delta, %d bytes of log, %v, want 5007 and 5000", s.DeltaKeys,
			s.DeltaWords, s.LogBytes, err)
	}
	if err := ix.Flush(t.Context()); err != nil {
		t.Fatal(err)
	}
	pages, of := 0, 0
	kinds, err := ix.Kinds(t.Context(), func(done, total int) { pages, of = done, total })
	if err != nil || pages != of || of == 0 {
		t.Fatalf("got %v after %d of %d pages", err, pages, of)
	}
	stats, err := ix.Stats()
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range stats.Fields {
		k, ok := kinds[f.Name]
		switch lists := f.Type == "set" || f.Type == "integer" || f.Type == "universe"; {
		case ok != lists:
			t.Errorf("%s: got its containers: %v, want %v", f.Name, ok, lists)
		case !lists:
		default:
			values := k.Array.Values + k.Bitset.Values + k.Run.Values + k.Packed.Values
			bytes := k.Array.Bytes + k.Bitset.Bytes + k.Run.Bytes + k.Packed.Bytes
			if values != f.Values || bytes == 0 || bytes > f.Bytes {
				t.Errorf("%s: got %d values in %d bytes, want %d in at most %d", f.Name, values, bytes, f.Values,
					f.Bytes)
			}
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := ix.Kinds(ctx, nil); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v, want context.Canceled", err)
	}
}
