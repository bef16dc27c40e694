// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package uproar_test

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/uproar-db/uproar"
	"github.com/uproar-db/uproar/store"
	"github.com/uproar-db/uproar/store/memstore"
	"github.com/uproar-db/uproar/store/pebblestore"
	"github.com/uproar-db/uproar/store/ship"
	"github.com/uproar-db/uproar/store/ship/shiptest"
)

// loadFar loads records with values into an index of a log, and returns how many bytes of keys and
// values that were.
func loadFar(t testing.TB, ix *uproar.Index, records int) (bytes int) {
	t.Helper()
	l, err := ix.Load(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	defer l.Abort()
	rng := rand.New(rand.NewPCG(34, 7))
	for i := range records {
		record := fmt.Sprintf("record%08d-%016x", i, rng.Uint64())
		for range 4 {
			row := fmt.Sprintf("row%d", rng.IntN(20000))
			bytes += len(record) + len(row)
			if err := l.Set("likes", record, row); err != nil {
				t.Fatal(err)
			}
		}
	}
	if err := l.Commit(); err != nil {
		t.Fatal(err)
	}
	return bytes
}

// TestLoadOverALog loads into an index of a log, whose store takes batches only. Another copy has
// the same, and no object is larger than a share of the memory.
func TestLoadOverALog(t *testing.T) {
	e := new(shiptest.Memory)
	writer := writerOver(t, memstore.New(), e)
	defer writer.Close()
	reader, node := copyOf(t, e, ship.Reader)
	ix, err := writer.CreateIndex(t.Context(), "people", uproar.Field{Name: "likes", Type: uproar.Set})
	if err != nil {
		t.Fatal(err)
	}
	loadFar(t, ix, 150_000)
	attached := 0
	for name, err := range e.List(t.Context(), "", "") {
		if err != nil {
			t.Fatal(err)
		}
		data, err := e.Get(t.Context(), name)
		if err != nil {
			t.Fatal(err)
		}
		if len(data) > 3<<19 {
			t.Errorf("%s has %d bytes, want about a 64th of 64 MB of memory", name, len(data))
		}
		if strings.HasPrefix(name, "attached/") {
			attached++
		}
	}
	if attached < 5 {
		t.Errorf("got %d attachments, want some, or this shows nothing", attached)
	}
	last, err := lastObject(t, e)
	if err != nil {
		t.Fatal(err)
	}
	if err := node.Wait(t.Context(), last); err != nil {
		t.Fatal(err)
	}
	there, err := reader.Index("people")
	if err != nil {
		t.Fatal(err)
	}
	for _, q := range []string{"likes = row7", "likes = row19999 or likes = row0", "not likes = row1"} {
		if want, got := countIn(t, ix, q), countIn(t, there, q); got != want || want == 0 {
			t.Errorf("%s: got %d on the reader, want %d", q, got, want)
		}
	}
	if err := reader.Verify(t.Context(), nil); err != nil {
		t.Errorf("Verify of the reader: %v", err)
	}
}

// lastObject returns the number of the last object of a log.
func lastObject(t *testing.T, e ship.Engine) (last uint64, err error) {
	for name, err := range e.List(t.Context(), "log/", "") {
		if err != nil {
			return 0, err
		}
		if _, err := fmt.Sscanf(name, "log/%d", &last); err != nil {
			return 0, err
		}
	}
	return last, nil
}

// BenchmarkLoadOverALog loads 400 000 values into an index alone, and over a log 20 ms away.
func BenchmarkLoadOverALog(b *testing.B) {
	for _, far := range []bool{false, true} {
		b.Run(fmt.Sprintf("far=%v", far), func(b *testing.B) {
			bytes := 0
			for b.Loop() {
				local, err := pebblestore.Open(b.TempDir(), nil)
				if err != nil {
					b.Fatal(err)
				}
				var s store.Store = local
				if far {
					e := shiptest.NewFaulty(new(shiptest.Memory), 1, shiptest.Faults{Latency: 20 * time.Millisecond})
					s, err = ship.Open(b.Context(), local, e, ship.Options{Role: ship.Writer, Unchecked: true})
					if err != nil {
						b.Fatal(err)
					}
				}
				db, err := uproar.Open(b.Context(), s, nil)
				if err != nil {
					b.Fatal(err)
				}
				ix, err := db.CreateIndex(b.Context(), "people", uproar.Field{Name: "likes", Type: uproar.Set})
				if err != nil {
					b.Fatal(err)
				}
				bytes += loadFar(b, ix, 100_000)
				if err := db.Close(); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(bytes)/1e6/b.Elapsed().Seconds(), "MB/s")
			b.ReportMetric(float64(b.N)*400_000/b.Elapsed().Seconds(), "values/s")
		})
	}
}

// heldOpen is a store that outlives Close.
type heldOpen struct{ store.Store }

func (heldOpen) Close() error { return nil }

// writerOver opens the writer of a log over a local store.
func writerOver(t *testing.T, local store.Store, e ship.Engine) *uproar.DB {
	t.Helper()
	s, err := ship.Open(t.Context(), local, e, ship.Options{Role: ship.Writer, Unchecked: true})
	if err != nil {
		t.Fatal(err)
	}
	db, err := uproar.Open(t.Context(), s, &uproar.Options{MemoryBytes: 64 << 20})
	if err != nil {
		t.Fatal(err)
	}
	return db
}

// TestEpochOfPages: the pages of each writer have its epoch in their generation, those of indexes
// that it found and those of indexes that it made.
func TestEpochOfPages(t *testing.T) {
	local, e := heldOpen{memstore.New()}, new(shiptest.Memory)
	for epoch := uint64(1); epoch <= 3; epoch++ {
		db := writerOver(t, local, e)
		field := uproar.Field{Name: "likes", Type: uproar.Set}
		if _, err := db.CreateIndex(t.Context(), fmt.Sprint("i", epoch), field); err != nil {
			t.Fatal(err)
		}
		old := make(map[string]bool)
		pages := func(fn func(key []byte)) {
			err := local.Keys([]byte{4}, nil, func(key []byte) error { fn(key); return nil })
			if err != nil {
				t.Fatal(err)
			}
		}
		pages(func(key []byte) { old[string(key)] = true })
		for _, name := range db.Indexes() {
			ix, err := db.Index(name)
			if err != nil {
				t.Fatal(err)
			}
			var b uproar.Batch
			b.Set("likes", fmt.Sprint("someone", epoch), "something")
			if _, err := ix.Write(t.Context(), &b); err != nil {
				t.Fatal(err)
			}
			if err := ix.Flush(t.Context()); err != nil {
				t.Fatal(err)
			}
		}
		fresh := 0
		pages(func(key []byte) {
			if old[string(key)] {
				return
			}
			fresh++
			if got := binary.BigEndian.Uint64(key[len(key)-8:]) >> 40; got != epoch {
				t.Errorf("a page of writer %d has epoch %d in its generation", epoch, got)
			}
		})
		if fresh < int(epoch) {
			t.Errorf("got %d new pages for %d indexes", fresh, epoch)
		}
		if err := db.Close(); err != nil {
			t.Fatal(err)
		}
	}
}

// TestStorageIsAway: while the storage does not answer, a write ends at its deadline, and Close
// comes to its end.
func TestStorageIsAway(t *testing.T) {
	line := shiptest.NewFaulty(new(shiptest.Memory), 1, shiptest.Faults{})
	db := writerOver(t, memstore.New(), line)
	ix, err := db.CreateIndex(t.Context(), "people", uproar.Field{Name: "likes", Type: uproar.Set})
	if err != nil {
		t.Fatal(err)
	}
	line.Stall()
	for i := range 3 { // one is sent, and others wait behind it
		ctx, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
		defer cancel()
		var b uproar.Batch
		b.Set("likes", "someone", fmt.Sprint(i))
		start := time.Now()
		_, err := ix.Write(ctx, &b)
		if !errors.Is(err, context.DeadlineExceeded) || i == 0 && !errors.Is(err, store.ErrUnavailable) {
			t.Errorf("write %d: got %v, want that its time is over, and of the first that its end is unknown", i, err)
		}
		if took := time.Since(start); took > 5*time.Second {
			t.Errorf("write %d: took %v", i, took)
		}
	}
	closed := make(chan error, 1)
	go func() { closed <- db.Close() }()
	select {
	case err := <-closed:
		if err != nil {
			t.Logf("Close: %v", err) // what waited is not there
		}
	case <-time.After(20 * time.Second):
		t.Error("Close waits for storage that does not answer")
	}
	line.Resume()
}
