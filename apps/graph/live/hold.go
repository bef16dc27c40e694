// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package live

import (
	"context"
	"math"
	"slices"
	"time"

	"github.com/uproar-db/uproar/apps/graph"
)

// hold is an account after a #sync, whose records are gathered. They replace those in the graph
// when all are there; before that, those in the graph stay.
type hold struct {
	*repository
	rev   string
	at    int64         // the position of the #sync
	begun time.Duration // by the clock of the connection
	came  int           // records of the revision of the #sync
}

// emptyAfter is how many times Options.SyncQuiet pass before an account of which nothing came after
// a #sync is empty.
const emptyAfter = 10

// resumption is how a connection goes on with accounts that were held when the last one ended. It
// begins at the first of their #syncs, and gathers what came of them; all else is in the graph.
type resumption struct {
	accounts map[string]bool // that were held
	last     int64           // the position of the graph: up to it events come again
}

// resume prepares for a connection that begins before the position of the graph.
func (r *rules) resume(accounts []string, position int64) {
	if r.inGraph = len(accounts); len(accounts) == 0 {
		return
	}
	r.resuming = &resumption{make(map[string]bool), position}
	for _, account := range accounts {
		r.resuming.accounts[account] = true
	}
}

// again takes an event while a connection resumes. It reports whether it is in the graph already.
func (r *rules) again(e *Event, now time.Duration) bool {
	last := r.resuming.last
	again := e.Position != 0 && e.Position <= last
	if again {
		r.regather(e, now)
	}
	if e.Position >= last {
		r.resumed()
		r.position = last
	}
	return again
}

// regather takes an event that is in the graph already.
func (r *rules) regather(e *Event, now time.Duration) {
	h := r.held[e.Account]
	switch {
	case !r.resuming.accounts[e.Account] || !IsDID(e.Account):
	case e.Kind == Sync:
		r.held[e.Account] = &hold{newRepository(now), e.Rev, e.Position, now, 0}
	case h == nil, e.Kind == Ignored, e.Kind == Account && e.Status != Gone:
	case e.Kind == Account, isKey(e.Key) && e.Rev > h.rev && h.came > 0:
		delete(r.held, e.Account) // was released; another #sync comes
	case isKey(e.Key):
		checkRecord(e)
		h.take(e, now)
	}
	r.figures.held.Store(int64(len(r.held)))
}

// resumed ends a resumption. Accounts whose #sync did not come again stay as they are,
// which may be wrong: such a source fetches none anew.
func (r *rules) resumed() {
	if r.resuming == nil {
		return
	}
	for account := range r.resuming.accounts {
		if r.held[account] == nil {
			r.figures.lost.Add(1)
			r.opts.Logger.Warn("a #sync did not come again: the records of the account may be wrong until another comes",
				"source", r.source, "account", account)
			r.unmark(account)
		}
	}
	r.resuming = nil
}

// take gathers a record.
func (h *hold) take(e *Event, now time.Duration) {
	if e.Rev <= h.rev {
		h.came++
	}
	h.put(e, now)
}

// sync begins to gather an account's records. Those that it has are seen until all are there. That
// they come stands in the graph, so that its position can go on.
func (r *rules) sync(e *Event, now time.Duration) {
	if r.held[e.Account] == nil {
		r.change(graph.Change{Op: graph.Set, Relation: graph.Members, Account: heldList(r.source), Target: e.Account})
		r.hide(heldList(r.source))
	}
	r.held[e.Account] = &hold{newRepository(now), e.Rev, e.Position, now, 0}
	r.figures.syncs.Add(1)
	r.figures.held.Store(int64(len(r.held)))
}

// holds takes a record of an account whose records come anew. It reports whether the record is to
// be written, too.
func (r *rules) holds(ctx context.Context, h *hold, e *Event, now time.Duration) (write bool, err error) {
	if e.Rev > h.rev && h.came > 0 { // events of an account are in order: all have come
		return true, r.release(ctx, e.Account)
	}
	h.take(e, now)
	return e.Rev > h.rev, nil // it has happened since, though nothing came of what there was
}

// unhold forgets what was gathered of an account.
func (r *rules) unhold(account string) {
	if r.held[account] == nil {
		return
	}
	delete(r.held, account)
	r.unmark(account)
	r.figures.held.Store(int64(len(r.held)))
}

func (r *rules) unmark(account string) {
	r.change(graph.Change{Op: graph.Clear, Relation: graph.Members, Account: heldList(r.source), Target: account})
}

// release writes the records of an account that were gathered after a #sync.
func (r *rules) release(ctx context.Context, account string) error {
	h := r.held[account]
	r.unhold(account)
	return r.replace(ctx, account, h.repository)
}

// releaseQuiet releases accounts of which nothing came for some time of the connection's clock.
func (r *rules) releaseQuiet(ctx context.Context, now time.Duration) error {
	if r.resuming != nil {
		return nil
	}
	var over []string
	for account, h := range r.held {
		if h.came > 0 && now-h.last >= r.opts.SyncQuiet || h.came == 0 && now-h.begun >= emptyAfter*r.opts.SyncQuiet {
			over = append(over, account)
		}
	}
	slices.Sort(over)
	for _, account := range over {
		if err := r.release(ctx, account); err != nil {
			return err
		}
	}
	return nil
}

// committed notes that all changes are in the graph.
func (r *rules) committed() {
	if r.resuming == nil {
		r.inGraph = len(r.held)
	}
}

// floor returns the position of the first #sync whose records still come.
func (r *rules) floor() int64 {
	floor := int64(math.MaxInt64)
	for _, h := range r.held {
		floor = min(floor, h.at)
	}
	return floor
}
