// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package uproar_test

import (
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/uproar-db/uproar"
	"github.com/uproar-db/uproar/store/memstore"
	"github.com/uproar-db/uproar/store/ship"
	"github.com/uproar-db/uproar/store/ship/shiptest"
)

// copyOf opens a copy of the database in a log.
func copyOf(t *testing.T, e ship.Engine, role ship.Role) (*uproar.DB, *ship.Store) {
	t.Helper()
	s, err := ship.Open(t.Context(), memstore.New(), e, ship.Options{Role: role, Unchecked: true,
		Poll: time.Millisecond, Heartbeat: 50 * time.Millisecond, Node: ship.Node{ID: string(role)}})
	if err != nil {
		t.Fatal(err)
	}
	db, err := uproar.Open(t.Context(), s, &uproar.Options{MemoryBytes: 16 << 20, DeltaBytes: 64 << 10})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := db.Close(); err != nil && !errors.Is(err, uproar.ErrClosed) {
			t.Error(err)
		}
	})
	return db, s
}

// awaitThat waits until something is so.
func awaitThat(t *testing.T, what string, so func() bool) {
	t.Helper()
	for end := time.Now().Add(20 * time.Second); !so(); time.Sleep(time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("waited 20 s for this: %s", what)
		}
	}
}

// countIn counts a query in the newest state of an index.
func countIn(t *testing.T, ix *uproar.Index, text string) uint64 {
	t.Helper()
	snap := ix.Snapshot()
	defer snap.Close()
	return countOf(t, snap, text)
}

// TestReplicaFollows has a copy follow everything that a writer can do: new indexes, fields,
// records, flushes, dropped fields and indexes, aliases and notes.
func TestReplicaFollows(t *testing.T) {
	e := new(shiptest.Memory)
	writer, _ := copyOf(t, e, ship.Writer)
	reader, _ := copyOf(t, e, ship.Reader)
	if !reader.ReadOnly() || writer.ReadOnly() {
		t.Fatalf("got a reader that takes writes: %v, and a writer that takes none: %v", !reader.ReadOnly(),
			writer.ReadOnly())
	}
	ix, err := writer.CreateIndex(t.Context(), "people", uproar.Field{Name: "likes", Type: uproar.Set})
	if err != nil {
		t.Fatal(err)
	}
	var there *uproar.Index
	awaitThat(t, "the reader has the index", func() bool {
		there, err = reader.Index("people")
		return err == nil
	})
	var refused uproar.Batch
	refused.AddRecord("nobody")
	if _, err := there.Write(t.Context(), &refused); !errors.Is(err, uproar.ErrReadOnly) {
		t.Errorf("a write to a reader: got %v, want ErrReadOnly", err)
	}
	var last uint64
	for i := range 3000 {
		var b uproar.Batch
		b.Set("likes", fmt.Sprint("record", i), fmt.Sprint("row", i%50))
		if i%10 == 9 {
			b.DeleteRecord(fmt.Sprint("record", i-5))
		}
		if last, err = ix.Write(t.Context(), &b); err != nil {
			t.Fatal(err)
		}
		switch i {
		case 1000:
			age := uproar.Field{Name: "age", Type: uproar.Integer}
			if _, err := writer.AddFields(t.Context(), "people", age); err != nil {
				t.Fatal(err)
			}
		case 1500:
			var b uproar.Batch
			b.SetInt("age", "record1499", 41)
			if _, err := ix.Write(t.Context(), &b); err != nil {
				t.Fatal(err)
			}
			if err := writer.SetAlias(t.Context(), "folk", "people"); err != nil {
				t.Fatal(err)
			}
		case 2000:
			if err := ix.Flush(t.Context()); err != nil {
				t.Fatal(err)
			}
		case 2500:
			if err := writer.DropField(t.Context(), "people", "age"); err != nil {
				t.Fatal(err)
			}
		}
	}
	if err := there.Wait(t.Context(), last-1); err != nil {
		t.Fatal(err)
	}
	for _, q := range []string{"likes = row7", "likes = row9 or likes = row0", "not likes = row1"} {
		want, got := countIn(t, ix, q), countIn(t, there, q)
		if got != want || want == 0 {
			t.Errorf("%s: got %d on the reader, want %d", q, got, want)
		}
	}
	if _, err := reader.Index("folk"); err != nil {
		t.Errorf("the alias on the reader: %v", err)
	}
	if err := reader.Verify(t.Context(), nil); err != nil {
		t.Errorf("Verify of the reader: %v", err)
	}
	if err := writer.SetAlias(t.Context(), "folk", ""); err != nil {
		t.Fatal(err)
	}
	if err := writer.DropIndex(t.Context(), "people"); err != nil {
		t.Fatal(err)
	}
	awaitThat(t, "the index is gone from the reader", func() bool {
		_, err := reader.Index("people")
		return errors.Is(err, uproar.ErrUnknownIndex)
	})
}

// TestReplicaLeads hands a database over between two copies, while both are asked to write.
func TestReplicaLeads(t *testing.T) {
	e := new(shiptest.Memory)
	a, as := copyOf(t, e, ship.Writer)
	b, bs := copyOf(t, e, ship.Auto)
	if _, err := a.CreateIndex(t.Context(), "x", uproar.Field{Name: "f", Type: uproar.Set}); err != nil {
		t.Fatal(err)
	}
	acknowledged := 0
	from, to := as, bs
	write := func(db *uproar.DB) error {
		ix, err := db.Index("x")
		if err != nil {
			return err
		}
		var batch uproar.Batch
		batch.Set("f", fmt.Sprint(acknowledged), "row")
		_, err = ix.Write(t.Context(), &batch)
		return err
	}
	for range 6 {
		for done := 0; done < 40; {
			for _, db := range []*uproar.DB{a, b} {
				err := write(db)
				if err == nil {
					acknowledged++
					done++
				} else if !errors.Is(err, uproar.ErrReadOnly) && !errors.Is(err, uproar.ErrUnknownIndex) {
					t.Fatal(err)
				}
			}
		}
		if err := from.HandOver(t.Context()); err != nil {
			t.Fatal(err)
		}
		awaitThat(t, "the other leads", func() bool { return to.Status().Leads })
		from, to = to, from
	}
	for _, db := range []*uproar.DB{a, b} {
		awaitThat(t, "every copy has what was acknowledged", func() bool {
			ix, err := db.Index("x")
			return err == nil && countIn(t, ix, "f = row") == uint64(acknowledged)
		})
		if err := db.Verify(t.Context(), nil); err != nil {
			t.Error(err)
		}
	}
}
