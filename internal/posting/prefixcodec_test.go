// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package posting

import (
	"fmt"
	"testing"

	"github.com/uproar-db/uproar/internal/posting/model"
	"github.com/uproar-db/uproar/store/memstore"
)

// TestNumberedKeys: keys that are numbered take next to nothing in pages and log, are found both
// ways, and are gone when their records are.
func TestNumberedKeys(t *testing.T) {
	ix := open(t, memstore.New(), testConfig(t, 64<<20))
	const keys = 20_000
	for from := 0; from < keys; from += 5000 {
		var b Batch
		for i := range 5000 {
			b.Set(model.Exists, model.ID(0), b.Key(model.RecordSpace, fmt.Sprint("person", from+i)))
		}
		if _, err := ix.Commit(t.Context(), &b); err != nil {
			t.Fatal(err)
		}
		if err := ix.Flush(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	size := func() (bytes, pages int) {
		for _, r := range ix.source.State.Load().Version.Fields[model.RecordSpace].Refs {
			bytes, pages = bytes+int(r.Bytes), pages+1
		}
		return bytes, pages
	}
	if got, pages := size(); got > 60*pages || pages > 15 {
		t.Errorf("got %d bytes of keys in %d pages", got, pages)
	}
	check := func(gone map[int]bool) {
		t.Helper()
		snap := ix.Snapshot()
		defer snap.Close()
		for i := range keys {
			want := fmt.Sprint("person", i)
			id, ok, err := snap.Lookup(model.RecordSpace, want)
			if err != nil || ok == gone[i] {
				t.Fatalf("%s: got %v, %v, want %v", want, ok, err, !gone[i])
			}
			if !ok {
				continue
			}
			if text, ok, err := snap.AppendKey(nil, model.RecordSpace, id); err != nil || !ok || string(text) != want {
				t.Fatalf("%s: got %q, %v, %v", want, text, ok, err)
			}
		}
	}
	check(nil)
	gone := map[int]bool{}
	var b Batch
	for i := 100; i < keys; i += 700 {
		gone[i] = true
		b.Delete(model.ID(uint64(i)))
	}
	if _, err := ix.Commit(t.Context(), &b); err != nil {
		t.Fatal(err)
	}
	if err := ix.Flush(t.Context()); err != nil {
		t.Fatal(err)
	}
	check(gone)
	if err := ix.Verify(t.Context(), nil); err != nil {
		t.Error(err)
	}
}
