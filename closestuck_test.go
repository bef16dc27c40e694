// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package uproar_test

import (
	"errors"
	"fmt"
	"sync/atomic"
	"testing"
	"time"

	"github.com/uproar-db/uproar"
	"github.com/uproar-db/uproar/store"
	"github.com/uproar-db/uproar/store/memstore"
)

// stuckStore is a store whose disk stops to answer. Closing it ends the calls that wait.
type stuckStore struct {
	store.Store
	stuck  atomic.Bool
	closed chan struct{}
}

var errStuck = errors.New("the disk does not answer")

func (s *stuckStore) Apply(b *store.Batch, sync bool) error {
	if s.stuck.Load() {
		<-s.closed
		return errStuck
	}
	return s.Store.Apply(b, sync)
}

func (s *stuckStore) Close() error {
	close(s.closed)
	return s.Store.Close()
}

// TestCloseStuck: a database closes in time though the disk does not take what Close would flush,
// with a commit under way and without.
func TestCloseStuck(t *testing.T) {
	for _, writing := range []bool{false, true} {
		t.Run(fmt.Sprint("writing ", writing), func(t *testing.T) {
			t.Parallel()
			s := &stuckStore{Store: memstore.New(), closed: make(chan struct{})}
			db, err := uproar.Open(t.Context(), s, nil)
			if err != nil {
				t.Fatal(err)
			}
			ix, err := db.CreateIndex(t.Context(), "people", uproar.Field{Name: "country", Type: uproar.Set})
			if err != nil {
				t.Fatal(err)
			}
			for part := range 10 {
				var b uproar.Batch
				for n := range 5000 {
					b.Set("country", fmt.Sprintf("a person with a long name, number %d of part %d", n, part), "de")
				}
				if _, err := ix.Write(t.Context(), &b); err != nil {
					t.Fatal(err)
				}
			}
			s.stuck.Store(true)
			written := make(chan error, 1)
			if writing {
				go func() {
					var b uproar.Batch
					b.Set("country", "bob", "fr")
					_, err := ix.Write(t.Context(), &b)
					written <- err
				}()
				time.Sleep(50 * time.Millisecond)
			}
			began := time.Now()
			err = db.Close()
			if took := time.Since(began); took > 5*time.Second {
				t.Errorf("Close took %v, want at most 5 s", took)
			}
			t.Log(time.Since(began), err)
			if writing {
				if err := <-written; err == nil {
					t.Error("got a write acknowledged that the disk has not taken")
				}
			}
			if err := db.Close(); !errors.Is(err, uproar.ErrClosed) {
				t.Errorf("Close again: got %v, want %v", err, uproar.ErrClosed)
			}
		})
	}
}
