// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package posting

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/uproar-db/uproar/internal/posting/model"
	"github.com/uproar-db/uproar/store/memstore"
	"github.com/uproar-db/uproar/store/ship"
	"github.com/uproar-db/uproar/store/ship/shiptest"
)

// slowPages is an engine on which large batches wait.
type slowPages struct {
	ship.Engine
	waits   chan struct{} // has one when a large batch waits
	arrived chan struct{}
}

func (e *slowPages) Create(ctx context.Context, name string, data []byte) error {
	if strings.HasPrefix(name, "attached/") {
		select {
		case e.waits <- struct{}{}:
		default:
		}
		select {
		case <-e.arrived:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	return e.Engine.Create(ctx, name, data)
}

// TestCommitsBesideAFlush has commits acknowledged while all pages of a flush are still on their
// way to a log.
func TestCommitsBesideAFlush(t *testing.T) {
	e := &slowPages{Engine: new(shiptest.Memory), waits: make(chan struct{}, 1), arrived: make(chan struct{})}
	s, err := ship.Open(t.Context(), memstore.New(), e, ship.Options{Role: ship.Writer, Unchecked: true})
	if err != nil {
		t.Fatal(err)
	}
	ix := open(t, s, testConfig(t, 1<<26))
	defer ix.Close()
	commit := func(what string, keys int) {
		t.Helper()
		var b Batch
		for i := range keys {
			name := fmt.Sprint(what, i, strings.Repeat("x", 300)) // too long to be packed
			b.Set(country, 7, b.Key(model.RecordSpace, name))
		}
		ctx, cancel := context.WithTimeout(t.Context(), 30*time.Second)
		defer cancel()
		if _, err := ix.Commit(ctx, &b); err != nil {
			t.Fatalf("%s: %v", what, err)
		}
	}
	for i := range 10 {
		commit(fmt.Sprint("before", i), 700)
	}
	flushed := make(chan error, 1)
	go func() { flushed <- ix.Flush(t.Context()) }()
	<-e.waits
	for i := range 50 {
		commit(fmt.Sprint("beside", i), 1)
	}
	select {
	case err := <-flushed:
		t.Errorf("the flush has ended before its pages were there: %v", err)
	default:
	}
	close(e.arrived)
	if err := <-flushed; err != nil {
		t.Error(err)
	}
}
