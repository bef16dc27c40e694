// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package live

import (
	"context"
	"slices"
	"time"

	"github.com/uproar-db/uproar/apps/graph"
)

// rules turns events into the changes of the next commit. Used by one goroutine.
type rules struct {
	sink    Sink
	finder  Finder // the sink, if it finds records
	source  string
	opts    *Options
	figures *figures
	acks    bool // the source has no positions, and repeats what is not acknowledged
	window  *window[seen]
	session uint64

	// The next commit.
	changes  []graph.Change
	ids      []int64                  // that may be acknowledged after it
	items    map[string]*accountItems // by account
	hidden   map[string]bool          // lists of the follower's own that are hidden with it
	position int64                    // of the last event

	held     map[string]*hold // accounts whose records come anew, after a #sync
	resuming *resumption      // nil: no event is in the graph already
	inGraph  int              // accounts that are held, by what is committed
	queue    queue            // accounts whose records may be wrong
}

func newRules(sink Sink, source Source, opts *Options, f *figures) *rules {
	_, acks := source.(Refetcher)
	finder, _ := sink.(Finder)
	return &rules{sink: sink, finder: finder, source: source.Name(), opts: opts, figures: f, acks: acks,
		window: newWindow[seen](windowAccounts), items: make(map[string]*accountItems), hidden: make(map[string]bool),
		held: make(map[string]*hold), queue: newQueue()}
}

// begin prepares for a new connection. What was held comes again: see resume.
func (r *rules) begin() {
	r.session++
	r.position, r.resuming = 0, nil
	clear(r.held)
	r.figures.held.Store(0)
	for _, p := range r.queue.repairs {
		p.last, p.grew = 0, 0 // the connection's clock begins anew
	}
}

// take returns what is to be committed and acknowledged, and begins the next commit.
func (r *rules) take() (c graph.Changes, ids []int64) {
	c = graph.Changes{List: r.changes}
	if !r.acks && r.position != 0 {
		c.Stream, c.Position = r.source, r.position
	}
	ids = r.ids
	r.changes, r.ids = nil, nil
	r.endItems()
	clear(r.hidden)
	return c, ids
}

// add takes an event that came at a time of the connection's clock.
func (r *rules) add(ctx context.Context, e *Event, now time.Duration) error {
	if r.resuming != nil && r.again(e, now) {
		return nil
	}
	if e.Position != 0 {
		r.position = e.Position
	}
	if r.acks && e.ID != 0 {
		r.ids = append(r.ids, e.ID)
	}
	switch {
	case e.Kind == Ignored:
		r.skip(e.Skip)
		return nil
	case !IsDID(e.Account):
		r.skip(BadAccount)
		return nil
	}
	switch e.Kind {
	case Account:
		return r.account(ctx, e)
	case Sync:
		r.sync(e, now)
		return nil
	default:
		return r.record(ctx, e, now)
	}
}

func (r *rules) skip(why Reason) { r.figures.skipped[why].Add(1) }

// account shows, hides or empties an account.
func (r *rules) account(ctx context.Context, e *Event) error {
	if r.acks {
		s, _ := r.window.of(e.Account)
		if s.session == r.session && e.ID < s.state {
			r.skip(Stale)
			return nil
		}
		s.session, s.state = r.session, e.ID
		r.window.note(e.Account, s)
	}
	switch e.Status {
	case Active:
		r.change(graph.Change{Op: graph.Show, Account: e.Account})
	case Hidden:
		r.change(graph.Change{Op: graph.Hide, Account: e.Account})
	case Gone:
		r.unhold(e.Account)
		if err := r.replace(ctx, e.Account, newRepository(0)); err != nil {
			return err
		}
		r.endRepair(e.Account)
		r.change(graph.Change{Op: graph.Hide, Account: e.Account})
	}
	return nil
}

// record takes a record that was written or deleted.
func (r *rules) record(ctx context.Context, e *Event, now time.Duration) (err error) {
	other := e.Collection == NoCollection
	if !other && !isKey(e.Key) {
		r.skip(BadKey)
		return nil
	}
	if why := checkRecord(e); why != NotSkipped {
		r.skip(why)
	}
	if h := r.held[e.Account]; h != nil && !other {
		if write, err := r.holds(ctx, h, e, now); !write || err != nil {
			return err
		}
	}
	if r.acks {
		if done, err := r.unordered(ctx, e, now); done || err != nil {
			return err
		}
	}
	if other {
		return nil
	}
	return r.write(ctx, e)
}

// checkRecord takes the target from a record that has none that can be taken, and says why. What
// its key said before is void all the same.
func checkRecord(e *Event) (why Reason) {
	if e.Kind == Written || e.Collection == NoCollection {
		why = fault(e)
	}
	if e.Kind == Deleted || why != NotSkipped {
		e.Target, e.List = "", ""
	}
	return why
}

// fault returns what is wrong with a record that was written.
func fault(e *Event) Reason {
	switch {
	case e.Skip != NotSkipped:
		return e.Skip
	case e.Target == "":
		return BadRecord
	case !IsDID(e.Target):
		return BadSubject
	case e.Collection == ListItem && !ownsList(e.Account, e.List):
		return ForeignList
	}
	return NotSkipped
}

// unordered does what events need that may come late, twice or from a repository that was fetched
// anew. It reports whether nothing else is to be done about the event.
func (r *rules) unordered(ctx context.Context, e *Event, now time.Duration) (done bool, err error) {
	s, known := r.window.of(e.Account)
	p := r.queue.repairs[e.Account]
	gathers := p != nil && p.repository != nil
	if known && !gathers && e.Rev != "" && e.Rev < s.rev {
		r.skip(Stale)
		return true, nil
	}
	if p == nil && e.Backfill {
		again := s.live
		if !known {
			if again, err = r.hasRecords(ctx, e.Account); err != nil {
				return false, err
			}
		}
		if again && !s.marked {
			p = r.beginRepair(e.Account)
			s.marked = p == nil
		}
	}
	s.rev, s.live = max(s.rev, e.Rev), s.live || !e.Backfill
	r.window.note(e.Account, s)
	if p != nil {
		p.last = now
	}
	if !gathers {
		return false, nil
	}
	before := p.bytes
	if p.gather(e, now) {
		r.skip(Stale)
	}
	r.queue.bytes += p.bytes - before
	return true, r.spare(ctx)
}

// hasRecords reports whether the graph has records of an account.
func (r *rules) hasRecords(ctx context.Context, account string) (bool, error) {
	for _, of := range []struct {
		relation graph.Relation
		account  string
	}{{graph.Follows, account}, {graph.Blocks, account}, {graph.Members, ItemsOf(account)}} {
		targets, err := r.sink.Targets(ctx, of.relation, of.account, 1)
		if err != nil || len(targets) > 0 {
			return len(targets) > 0, err
		}
	}
	return false, nil
}

func (r *rules) change(c graph.Change) { r.changes = append(r.changes, c) }

// write adds the changes for one record.
func (r *rules) write(ctx context.Context, e *Event) error {
	relation := graph.Follows
	switch e.Collection {
	case Block:
		relation = graph.Blocks
	case ListItem:
		return r.writeItem(ctx, e)
	}
	if e.Target == "" {
		r.change(graph.Change{Op: graph.Clear, Relation: relation, Account: e.Account, Key: e.Key})
		return nil
	}
	r.change(graph.Change{Op: graph.Set, Relation: relation, Account: e.Account, Target: e.Target, Key: e.Key})
	return nil
}

// replace gives an account exactly the records of a repository.
func (r *rules) replace(ctx context.Context, account string, p *repository) error {
	r.change(graph.Change{Op: graph.Replace, Relation: graph.Follows, Account: account, Edges: p.edges(Follow, "")})
	r.change(graph.Change{Op: graph.Replace, Relation: graph.Blocks, Account: account, Edges: p.edges(Block, "")})
	lists, err := r.listsOf(ctx, account)
	if err != nil {
		return err
	}
	items := p.edges(ListItem, "")
	for _, item := range items {
		lists = append(lists, item.Target)
		r.itemsOf(account).note(item.Key, item.Target)
	}
	slices.Sort(lists)
	for _, list := range slices.Compact(lists) {
		r.change(graph.Change{Op: graph.Replace, Relation: graph.Members, Account: list,
			Edges: p.edges(ListItem, list)})
	}
	if len(items) > 0 {
		r.hide(ItemsOf(account))
	}
	if len(lists) > 0 {
		r.change(graph.Change{Op: graph.Replace, Relation: graph.Members, Account: ItemsOf(account), Edges: items})
	}
	return nil
}
