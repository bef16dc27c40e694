// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package uproar_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/uproar-db/uproar"
	"github.com/uproar-db/uproar/store"
	"github.com/uproar-db/uproar/store/bboltstore"
	"github.com/uproar-db/uproar/store/pebblestore"
)

// TestCompact compacts a database of each engine: its content stays, nothing is left to replay, its
// file shrinks where it is one, and a cancelled or forbidden call changes nothing.
func TestCompact(t *testing.T) {
	engines := map[string]func(dir string, readOnly bool) (store.Store, error){
		"bbolt": func(dir string, readOnly bool) (store.Store, error) {
			return bboltstore.Open(dir, &bboltstore.Options{ReadOnly: readOnly})
		},
		"pebble": func(dir string, readOnly bool) (store.Store, error) {
			return pebblestore.Open(dir, &pebblestore.Options{ReadOnly: readOnly})
		},
	}
	for engine, open := range engines {
		t.Run(engine, func(t *testing.T) {
			dir := t.TempDir()
			s, err := open(dir, false)
			if err != nil {
				t.Fatal(err)
			}
			db, err := uproar.Open(t.Context(), s, nil)
			if err != nil {
				t.Fatal(err)
			}
			ix := newShop(t, db, "shop")
			newShop(t, db, "annex")
			writeShop(t, ix, rand.New(rand.NewPCG(1, 2)), 20)
			b := new(store.Batch) // beside the database, to have something to give back: 16 MB
			for i := range 256 {
				b.Put(fmt.Appendf(nil, "\xFFgarbage%03d", i), make([]byte, 64<<10))
				if b.Size() > 4<<20 || i == 255 {
					if err := s.Apply(b, true); err != nil {
						t.Fatal(err)
					}
					b.Reset()
				}
			}
			for i := range 256 {
				b.Delete(fmt.Appendf(nil, "\xFFgarbage%03d", i))
			}
			if err := s.Apply(b, true); err != nil {
				t.Fatal(err)
			}
			want := dump(t, db)
			ctx, cancel := context.WithCancel(t.Context())
			cancel()
			if err := db.Compact(ctx, nil); !errors.Is(err, context.Canceled) {
				t.Errorf("got %v, want %v", err, context.Canceled)
			}
			before, err := db.Stats()
			if err != nil {
				t.Fatal(err)
			}
			var steps []string
			err = db.Compact(t.Context(), func(index string, step, of int) {
				steps = append(steps, fmt.Sprint(index, step, of))
			})
			if err != nil {
				t.Fatal(err)
			}
			if told := []string{"annex1 3", "shop2 3", "3 3"}; !slices.Equal(steps, told) {
				t.Errorf("told of the steps %q, want %q", steps, told)
			}
			after, err := db.Stats()
			if err != nil {
				t.Fatal(err)
			}
			if engine == "bbolt" && after.Store.Total() > before.Store.Total()/4 {
				t.Errorf("%d bytes before, %d after, want at most a quarter", before.Store.Total(), after.Store.Total())
			}
			for _, ix := range after.Indexes {
				if ix.DeltaEdits > 0 || ix.Flushed != ix.Sequence {
					t.Errorf("index %q: %d edits are not in pages", ix.Name, ix.DeltaEdits)
				}
			}
			if got := dump(t, db); got != want {
				t.Errorf("got\n%s\nwant\n%s", got, want)
			}
			if err := errors.Join(db.Verify(t.Context(), nil), db.Close()); err != nil {
				t.Fatal(err)
			}
			if err := db.Compact(t.Context(), nil); !errors.Is(err, uproar.ErrClosed) {
				t.Errorf("closed: got %v, want %v", err, uproar.ErrClosed)
			}
			if s, err = open(dir, true); err != nil {
				t.Fatal(err)
			}
			db = openDB(t, s, &uproar.Options{ReadOnly: true})
			if err := db.Compact(t.Context(), nil); !errors.Is(err, uproar.ErrReadOnly) {
				t.Errorf("for reading only: got %v, want %v", err, uproar.ErrReadOnly)
			}
			if got := dump(t, db); got != want {
				t.Errorf("opened again: got\n%s\nwant\n%s", got, want)
			}
		})
	}
}
