// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package live

import (
	"context"
	"errors"
	"github.com/uproar-db/uproar/apps/graph"
	"slices"
	"time"
)

// repair is an account whose records the source sends anew without saying which are gone. They are
// fetched once more, and replace those in the graph. That this is to be done stands in the graph.
type repair struct {
	*repository               // what came since they are fetched; nil before
	last        time.Duration // when something of the account came, by the clock of the connection
	after       time.Time     // when it may be tried
	tries       int
	asking      bool   // the source is being asked
	asked       bool   // the source fetches
	rev         string // of the repository that was fetched: what came of it is all that it had
	again       bool   // another one was fetched meanwhile, of which deletions may be lost in turn
}

// gather notes an event of an account whose repository is fetched. Events come in any order, and
// those that were acknowledged may come again: the latest revision counts. It reports whether the
// event is stale.
func (p *repair) gather(e *Event, now time.Duration) (stale bool) {
	p.last = now
	if e.Backfill {
		p.again = p.again || p.rev != "" && p.rev != e.Rev
		p.rev = max(p.rev, e.Rev)
	}
	old, there := p.records[record{e.Collection, e.Key}]
	if e.Rev != "" && (there && e.Rev < old.rev || !e.Backfill && e.Rev <= p.rev) {
		return true
	}
	p.put(e, now)
	return false
}

// dropOlder leaves out what is older than the repository that was fetched, and not in it.
func (p *repair) dropOlder() {
	for of, is := range p.records {
		if !is.fetched && is.rev != "" && is.rev <= p.rev {
			delete(p.records, of)
		}
	}
}

// repaired is what came of asking the source about an account.
type repaired struct {
	account string
	of      *repair // for which it was asked: the account may have another one by now
	fetched bool
	err     error
}

// loadRepairs reads which accounts are to be fetched.
func (r *rules) loadRepairs(ctx context.Context) error {
	accounts, err := r.sink.Targets(ctx, graph.Members, reconcileList(r.source), 0)
	for _, account := range accounts {
		r.repairs[account] = new(repair)
	}
	r.figures.repairs.Store(int64(len(r.repairs)))
	return err
}

// beginRepair notes that the records of an account are to be fetched.
func (r *rules) beginRepair(account string) *repair {
	p := new(repair)
	r.repairs[account] = p
	r.change(graph.Change{Op: graph.Set, Relation: graph.Members, Account: reconcileList(r.source), Target: account})
	r.hide(reconcileList(r.source))
	r.figures.repairs.Store(int64(len(r.repairs)))
	return p
}

// endRepair notes that the records of an account are right.
func (r *rules) endRepair(account string) {
	p := r.repairs[account]
	if p == nil {
		return
	}
	if p.asking {
		r.strays++
	}
	delete(r.repairs, account)
	r.change(graph.Change{Op: graph.Clear, Relation: graph.Members, Account: reconcileList(r.source), Target: account})
	r.figures.repairs.Store(int64(len(r.repairs)))
}

// repair has the source asked about accounts of which nothing came for some time: to fetch them, or
// whether all is there. At most limit are fetched at a time. ask starts a goroutine.
func (r *rules) repair(now, quiet time.Duration, limit int, ask func(p *repair, account string,
	fetch bool)) {
	running := r.strays
	var waiting []string
	for account, p := range r.repairs {
		if p.asked || p.asking {
			running++
		}
		if !p.asking && now-p.last >= quiet && time.Now().After(p.after) {
			waiting = append(waiting, account)
		}
	}
	slices.Sort(waiting)
	for _, account := range waiting {
		p := r.repairs[account]
		switch {
		case p.asked:
		case running < limit:
			running++
			p.repository = newRepository(now) // before the source is asked, so that nothing is missed
		default:
			continue
		}
		p.asking = true
		ask(p, account, !p.asked)
	}
}

// repaired takes the answer of the source about an account.
func (r *rules) repaired(ctx context.Context, a repaired, now, quiet time.Duration) error {
	p := r.repairs[a.account]
	if p == nil || p != a.of { // the account was deleted meanwhile
		r.strays--
		return nil
	}
	p.asking = false
	switch {
	case a.err != nil && (!p.asked || errors.As(a.err, new(*FetchError))):
		return r.delay(ctx, a.account, p)
	case a.err != nil: // it could not be asked
	case !p.asked:
		p.asked, p.last = true, now
	case a.fetched && now-p.last >= quiet:
		p.dropOlder()
		if err := r.replace(ctx, a.account, p.repository); err != nil {
			return err
		}
		r.figures.repaired.Add(1)
		if p.again {
			p.postpone()
			return nil
		}
		r.endRepair(a.account)
	}
	return nil
}

// delay puts a repair off. What came since is written as it came.
func (r *rules) delay(ctx context.Context, account string, p *repair) error {
	for of, is := range p.records {
		err := r.write(ctx, &Event{Account: account, Collection: of.collection, Key: of.key, Target: is.target,
			List: is.list})
		if err != nil {
			return err
		}
	}
	p.postpone()
	return nil
}

// postpone has the repository fetched once more, later each time.
func (p *repair) postpone() {
	p.repository, p.asked, p.again, p.rev = nil, false, false, ""
	p.after = time.Now().Add(min(time.Second<<min(p.tries, 12), time.Hour))
	p.tries++
}
