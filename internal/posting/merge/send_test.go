// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package merge

import (
	"errors"
	"sync"
	"testing"

	"github.com/uproar-db/uproar/internal/posting/format"
	"github.com/uproar-db/uproar/store"
	"github.com/uproar-db/uproar/store/memstore"
)

// farStore is a store that is far away: its batches arrive when they are waited for, the newest
// first.
type farStore struct {
	*memstore.Store
	aloft, most, sent int
	fail              int // the number of the batch that fails; 0: none does
}

func (s *farStore) Window() (batches, bytes int) { return 3, 100 }

func (s *farStore) Send(b *store.Batch) (wait func() error) {
	s.sent++
	s.aloft++
	s.most = max(s.most, s.aloft)
	n := s.sent
	return sync.OnceValue(func() error {
		s.aloft--
		if n == s.fail {
			return store.ErrUnavailable
		}
		return s.Apply(b, false)
	})
}

// sentBatch returns a batch of pages that goes to a store far away.
func sentBatch() (*PageBatch, *farStore) {
	s, o := &farStore{Store: memstore.New()}, cutBatch()
	o.Store, o.sender = s, s
	o.flights, o.Most = s.Window()
	return o, s
}

// TestPagesAreSent: batches are on their way together, no more than the store wants. All have
// arrived after Flush.
func TestPagesAreSent(t *testing.T) {
	o, s := sentBatch()
	sizes := make([]int, 40)
	for i := range sizes {
		sizes[i] = 30 + i*5 // also larger than a batch
	}
	addPages(t, o, sizes...)
	if s.most != 3 || s.aloft == 0 {
		t.Errorf("got %d batches on their way at most, and %d at the end; want 3, and some", s.most, s.aloft)
	}
	if err := o.Flush(); err != nil || s.aloft != 0 {
		t.Fatalf("Flush: got %v, and %d batches on their way", err, s.aloft)
	}
	for i, r := range o.Added {
		if err := s.Get(format.AppendPageKey(nil, o.Index, &r), func([]byte) error { return nil }); err != nil {
			t.Errorf("page %d of %d: %v", i, len(sizes), err)
		}
	}
	if len(o.Added) != len(sizes) {
		t.Errorf("got %d pages, want %d", len(o.Added), len(sizes))
	}
}

// TestPagesThatDoNotArrive: any batch that fails has a page or Flush fail, and none is on its way
// when the pages are given up.
func TestPagesThatDoNotArrive(t *testing.T) {
	for fail := 1; fail <= 10; fail++ {
		o, s := sentBatch()
		s.fail = fail
		var err error
		for i := 0; i < 20 && err == nil; i++ {
			err = o.page(format.Ref{Field: someField, First: uint64(i), Rows: 1}, make([]byte, 60))
		}
		if err == nil {
			err = o.Flush()
		} else {
			o.discard()
		}
		if !errors.Is(err, store.ErrUnavailable) || s.aloft != 0 {
			t.Errorf("batch %d fails: got %v, and %d batches on their way; want ErrUnavailable and none", fail, err, s.aloft)
		}
	}
}
