// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package standing

import (
	"context"
	"sync"

	"github.com/uproar-db/uproar"
)

// turns has a turn of each database that somebody takes, or waits for.
type turns struct {
	sync.Mutex
	of map[*uproar.DB]*turn
}

// keeping is taken by the one keeper of a database, and defining by whoever sets a query or drops
// fields.
var keeping, defining turns

// turn is taken by one at a time.
type turn struct {
	taken   chan struct{}
	wanted  int
	handled map[string]uint64 // by a keeper: the last commit of each index that its queries are as of
}

// take waits for the turn of a database, or until ctx ends. The caller gives it back.
func (of *turns) take(ctx context.Context, db *uproar.DB) (giveBack func(), ok bool) {
	of.Lock()
	defer of.Unlock()
	t := of.of[db]
	if t == nil {
		if of.of == nil {
			of.of = make(map[*uproar.DB]*turn)
		}
		t = &turn{taken: make(chan struct{}, 1), handled: make(map[string]uint64)}
		of.of[db] = t
	}
	t.wanted++
	of.Unlock()
	select {
	case t.taken <- struct{}{}:
		ok = true
	case <-ctx.Done():
	}
	of.Lock()
	leave := func() {
		if t.wanted--; t.wanted == 0 {
			delete(of.of, db)
		}
	}
	if !ok {
		leave()
		return nil, false
	}
	return func() {
		<-t.taken
		of.Lock()
		defer of.Unlock()
		leave()
	}, true
}

// handle notes that the queries of an index are as of a commit; 0: that is not known any more.
func (of *turns) handle(db *uproar.DB, index string, commit uint64) {
	of.Lock()
	defer of.Unlock()
	if t := of.of[db]; t != nil {
		t.handled[index] = commit
	}
}

// handled returns the commit that a keeper in this process has brought the queries of an index to;
// 0: none does.
func (of *turns) handled(db *uproar.DB, index string) uint64 {
	of.Lock()
	defer of.Unlock()
	if t := of.of[db]; t != nil {
		return t.handled[index]
	}
	return 0
}

// Hold keeps queries of a database from being set until the caller gives it back, so that a field
// that none needs can be dropped. Errors: ctx's.
func Hold(ctx context.Context, db *uproar.DB) (giveBack func(), err error) {
	giveBack, ok := defining.take(ctx, db)
	if !ok {
		return nil, ctx.Err()
	}
	return giveBack, nil
}
