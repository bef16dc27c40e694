// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package dump_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"testing"

	"github.com/uproar-db/uproar"
	"github.com/uproar-db/uproar/internal/dump"
	"github.com/uproar-db/uproar/store/memstore"
)

// FuzzRestore restores blocks of any bytes, whose checksums are right: an error, or a database that
// opens, and never a panic.
func FuzzRestore(f *testing.F) {
	db, err := uproar.Open(f.Context(), memstore.New(), nil)
	if err != nil {
		f.Fatal(err)
	}
	defer db.Close()
	ix, err := db.CreateIndex(f.Context(), "shop", uproar.Field{Name: "country", Type: uproar.Set})
	if err != nil {
		f.Fatal(err)
	}
	for n := range 3 {
		var b uproar.Batch
		b.Set("country", fmt.Sprint("r", n), "de")
		if _, err := ix.Write(f.Context(), &b); err != nil {
			f.Fatal(err)
		}
		if n == 1 {
			if err := ix.Flush(f.Context()); err != nil {
				f.Fatal(err)
			}
		}
	}
	var file bytes.Buffer
	if _, err := db.Backup(f.Context(), &file, nil); err != nil {
		f.Fatal(err)
	}
	head, body, err := dump.FirstBlock(&file)
	if err != nil {
		f.Fatal(err)
	}
	to := head.Indexes[0].To
	f.Add(body, to.Sequence, to.Flushed, to.Generation)
	f.Add(body[:len(body)/2], to.Sequence, to.Flushed, to.Generation)
	f.Add([]byte{}, uint64(1)<<60, uint64(0), uint64(1))
	f.Fuzz(func(t *testing.T, body []byte, sequence, flushed, generation uint64) {
		h := *head
		h.Indexes = []dump.Index{{ID: 1, To: dump.Mark{Sequence: sequence, Flushed: flushed, Generation: generation}}}
		var file bytes.Buffer
		if err := dump.WriteBlock(&file, &h, body); err != nil {
			t.Fatal(err)
		}
		s := memstore.New()
		_, err = uproar.Restore(context.Background(), s, &file)
		db, opened := uproar.Open(context.Background(), s, nil)
		if err != nil {
			if !errors.Is(opened, uproar.ErrRestoring) {
				t.Fatalf("restoring: %v; opening: got %v, want %v", err, opened, uproar.ErrRestoring)
			}
			return
		}
		if opened != nil {
			if !errors.Is(opened, uproar.ErrCorrupt) { // an entry of the log that cannot be applied, say
				t.Fatal(opened)
			}
			return
		}
		_ = db.Verify(context.Background(), nil)
		if err := db.Close(); err != nil {
			t.Fatal(err)
		}
	})
}
