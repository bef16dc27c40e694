// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package live

import (
	"cmp"
	"context"
	"maps"
	"slices"
	"time"

	"github.com/uproar-db/uproar/apps/graph"
)

// queue is the accounts that are to be fetched anew. All of them stand in a list in the graph, once
// each; the queue has a bounded number of them. What it does not take is read from the list when
// there is space: it goes through the list again and again, until a pass finds nothing new.
type queue struct {
	repairs map[string]*repair
	off     *window[backoff] // accounts that failed, and are in the list only
	turns   int64
	bytes   int64 // that the repairs take
	strays  int   // repairs that are gone, about which the source is still asked

	more   bool      // the list has, or may have, others
	missed bool      // of them, some that this pass may have passed
	cursor string    // of the pass; "": another begins
	begun  time.Time // when the last pass began
}

// backoff says when an account may be tried once more that failed.
type backoff struct {
	after time.Time
	tries int
}

// backoffAccounts is how many accounts that failed one half of a window has.
const backoffAccounts = 1 << 16

func newQueue() queue {
	return queue{repairs: make(map[string]*repair), off: newWindow[backoff](backoffAccounts), more: true}
}

// passEvery is how often a pass through the list begins while the queue is not empty.
const passEvery = time.Minute

// passes reports whether a pass goes on, or may begin.
func (q *queue) passes() bool {
	return q.cursor != "" || len(q.repairs) == 0 || time.Since(q.begun) >= passEvery
}

// put takes an account, if there is space.
func (q *queue) put(account string, most int) *repair {
	if len(q.repairs) >= most {
		q.more, q.missed = true, true
		return nil
	}
	q.turns++
	was, _ := q.off.of(account)
	q.off.drop(account)
	p := &repair{turn: q.turns, after: was.after, tries: was.tries}
	q.repairs[account] = p
	return p
}

// empty forgets what came of an account since it is fetched.
func (q *queue) empty(p *repair) {
	q.bytes -= p.bytes
	p.repository, p.bytes = nil, 0
	p.others.drop()
}

// postpone has the repository fetched once more, later each time.
func (q *queue) postpone(p *repair) {
	q.empty(p)
	p.asked, p.done, p.again, p.rev = false, false, false, ""
	p.host, p.hosted = "", false // it may move
	p.after = time.Now().Add(min(time.Second<<min(p.tries, 12), time.Hour))
	p.tries++
}

// ready returns how many accounts are not put off.
func (q *queue) ready() (n int) {
	for _, p := range q.repairs {
		if !p.isOff() {
			n++
		}
	}
	return n
}

// beginRepair notes that the records of an account are to be fetched. It is nil if that stands in
// the graph only.
func (r *rules) beginRepair(account string) *repair {
	r.change(graph.Change{Op: graph.Set, Relation: graph.Members, Account: reconcileList(r.source), Target: account})
	r.hide(reconcileList(r.source))
	p := r.queue.put(account, r.opts.RepairQueue)
	r.countRepairs()
	return p
}

// endRepair notes that the records of an account are right.
func (r *rules) endRepair(account string) {
	s, known := r.window.of(account)
	p := r.queue.repairs[account]
	if p == nil && !r.queue.more {
		return
	}
	if p != nil && p.asking {
		r.queue.strays++
	}
	if known && s.marked {
		s.marked = false
		r.window.note(account, s)
	}
	if p != nil {
		r.queue.empty(p)
	}
	delete(r.queue.repairs, account)
	r.queue.off.drop(account)
	r.change(graph.Change{Op: graph.Clear, Relation: graph.Members, Account: reconcileList(r.source), Target: account})
	r.countRepairs()
}

func (r *rules) countRepairs() {
	r.figures.repairs.Store(int64(len(r.queue.repairs)))
	r.figures.stored.Store(r.queue.more)
}

// fillQueue reads accounts from the list in the graph while there is space. Those that are put off
// make space for others; the list keeps them. All changes must be committed.
func (r *rules) fillQueue(ctx context.Context) error {
	q := &r.queue
	if !q.more || !q.passes() {
		return nil
	}
	most := r.opts.RepairQueue
	if q.ready() <= most/2 && len(q.repairs) > most/2 {
		maps.DeleteFunc(q.repairs, func(account string, p *repair) bool {
			if !p.isOff() {
				return false
			}
			q.off.note(account, backoff{p.after, p.tries})
			q.missed = true
			return true
		})
	}
	for q.more && len(q.repairs) <= most/2 {
		if !q.passes() {
			break
		}
		if q.cursor == "" {
			q.begun, q.missed = time.Now(), false
		}
		accounts, next, err := r.sink.Members(ctx, reconcileList(r.source), q.cursor, most-len(q.repairs))
		if err != nil {
			return err
		}
		for _, account := range accounts {
			if q.repairs[account] == nil {
				q.put(account, most)
			}
		}
		if q.cursor = next; next == "" {
			q.more = q.missed
		}
	}
	r.countRepairs()
	return nil
}

// repair has the source asked about accounts of which nothing came for some time, in their turn. At
// most so many are fetched at a time as the options say, of all hosts and of one. ask starts a
// goroutine.
func (r *rules) repair(now time.Duration, ask func(p *repair, account string, about question)) {
	running := r.queue.strays
	hosts := make(map[string]int)
	var waiting []string
	for account, p := range r.queue.repairs {
		if p.asked || p.asking {
			running++
			hosts[p.host]++
		}
		if !p.asking && (p.asked || now-p.last >= r.opts.Quiet && time.Now().After(p.after)) {
			waiting = append(waiting, account)
		}
	}
	slices.SortFunc(waiting, func(a, b string) int {
		return cmp.Compare(r.queue.repairs[a].turn, r.queue.repairs[b].turn)
	})
	for _, account := range waiting {
		p := r.queue.repairs[account]
		about := howFar
		switch {
		case p.asked:
		case running >= r.opts.Repairs:
			continue
		case !p.hosted:
			running++
			about = where
		case p.host != "" && hosts[p.host] >= r.opts.PerHost:
			continue
		default:
			running++
			hosts[p.host]++
			about = fetch
			p.repository = newRepository(now) // before the source is asked, so that nothing is missed
		}
		p.asking = true
		ask(p, account, about)
	}
	r.figures.repairing.Store(int64(running))
}
