// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package posting

import (
	"context"
	"errors"
	"sync/atomic"
	"testing"
	"time"

	"github.com/uproar-db/uproar/internal/posting/format"
	"github.com/uproar-db/uproar/internal/posting/memory"
	"github.com/uproar-db/uproar/internal/posting/model"
	"github.com/uproar-db/uproar/store"
	"github.com/uproar-db/uproar/store/memstore"
)

// pageless is a store that has room for the log, and for pages not before it is told.
type pageless struct {
	store.Store
	room atomic.Bool
}

func (p *pageless) Apply(b *store.Batch, sync bool) error {
	for op := range b.Ops() {
		if op.Key[0] == format.KindPage && !p.room.Load() {
			return store.ErrFull
		}
	}
	return p.Store.Apply(b, sync)
}

// TestDeltasTogether: writers of several indexes wait when their deltas together are as large as
// they may be, whatever each alone might take, and go on after a flush.
func TestDeltasTogether(t *testing.T) {
	const limit = 4 << 20
	s := &pageless{Store: memstore.New()}
	m, err := memory.New(limit)
	if err != nil {
		t.Fatal(err)
	}
	var indexes []*Index
	for id := range uint32(3) {
		config := testConfig(t, limit) // each alone would be flushed only then, and its writers wait at twice that
		config.Memory, config.ID, config.pause = m, id+1, time.Millisecond
		ix := open(t, s, config)
		defer ix.Close()
		indexes = append(indexes, ix)
	}
	commit := func(ctx context.Context, n uint64) error {
		var b Batch
		for i := range uint64(500) {
			b.Set(country, model.ID(n), model.ID(n*500+i))
		}
		_, err := indexes[n%3].Commit(ctx, &b)
		return err
	}
	waited, cancel := context.WithTimeout(t.Context(), 10*time.Second)
	defer cancel()
	n, most := uint64(0), int64(0)
	for err == nil {
		each, stop := context.WithTimeout(waited, 300*time.Millisecond)
		err = commit(each, n)
		stop()
		if most = max(most, m.Usage().Deltas); err == nil {
			n++
		}
		if most > limit {
			t.Fatalf("got deltas of %d bytes after %d commits that did not wait, want writers to wait at %d", most, n,
				m.Share(memory.DeltaShare))
		}
	}
	if !errors.Is(err, context.DeadlineExceeded) {
		t.Fatal(err)
	}
	if want := m.Share(memory.DeltaShare); most < want/2 || most > want+want/4 {
		t.Errorf("writers waited at %d bytes, want about %d", most, want)
	}
	s.room.Store(true)
	for range 3 {
		if err := commit(t.Context(), n); err != nil {
			t.Fatal(err)
		}
		n++
	}
}
