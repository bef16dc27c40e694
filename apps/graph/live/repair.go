// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package live

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"time"
)

// repair is an account whose records the source sends anew without saying which are gone. They are
// fetched once more, and replace those in the graph when all have come: before that, those in the
// graph stay. That this is to be done stands in the graph.
type repair struct {
	*repository               // what came since they are fetched; nil before
	others      hashes        // of the keys of other collections that came
	bytes       int64         // that all these take, about
	last        time.Duration // when something of the account came, by the clock of the connection
	grew        time.Duration // when it was to be fetched, or the last record came that was
	after       time.Time     // when it may be tried
	tries       int
	turn        int64  // the first come is the first served
	host        string // that has the repository; "": it is not known
	hosted      bool   // the host was asked for
	asking      bool   // the source is being asked
	asked       bool   // the source fetches
	done        bool   // it has fetched
	want        int    // records that it had when it was seen to have fetched
	rev         string // of the repository that was fetched: what came of it is all that it had
	again       bool   // another one was fetched meanwhile, of which deletions may be lost in turn
}

// gather notes an event of an account whose repository is fetched. Events come in any order, and
// those that were acknowledged may come again: the latest revision counts. It reports whether the
// event is stale.
func (p *repair) gather(e *Event, now time.Duration) (stale bool) {
	p.last = now
	if e.Backfill {
		p.grew = now
		p.again = p.again || p.rev != "" && p.rev != e.Rev
		if e.Rev > p.rev {
			p.rev = e.Rev
			p.bytes -= p.others.drop()
		}
	}
	if e.Rev != "" && !e.Backfill && e.Rev <= p.rev {
		return true
	}
	if e.Collection == NoCollection {
		if p.rev != "" && e.Rev >= p.rev {
			p.bytes += p.others.add(e.Key)
		}
		return false
	}
	old, there := p.records[record{e.Collection, e.Key}]
	if e.Rev != "" && there && e.Rev < old.rev {
		return true
	}
	p.bytes += e.bytes() - old.bytes(e.Key, there)
	p.put(e, now)
	return false
}

// complete reports whether all that the source fetched has come. It may lag behind its own state:
// the records are counted that it had then. What the account wrote or deleted since counts, too: it
// comes after all that was fetched. If the source is at another revision, fewer may have been
// counted than were fetched: then none of these may come for some time either.
func (p *repair) complete(now, quiet time.Duration, f Fetched) bool {
	if !p.done {
		p.done, p.want = true, f.Records
	}
	if p.rev == "" && p.want > 0 {
		return false // what came is of before
	}
	came := p.others.count()
	for _, is := range p.records {
		if is.there && is.fetched && is.rev == p.rev || !is.fetched && is.rev > p.rev {
			came++
		}
	}
	return came >= p.want && (f.Rev != "" && f.Rev == p.rev || now-p.grew >= quiet)
}

// dropOlder leaves out what is older than the repository that was fetched, and not in it.
func (p *repair) dropOlder() {
	for of, is := range p.records {
		if !is.fetched && is.rev != "" && is.rev <= p.rev {
			delete(p.records, of)
		}
	}
}

// question is what a source is asked about an account.
type question uint8

const (
	where  question = iota // who has its repository
	fetch                  // to fetch it
	howFar                 // whether it is fetched
)

// repaired is what came of asking the source about an account.
type repaired struct {
	account string
	of      *repair // for which it was asked: the account may have another one by now
	about   question
	host    string
	fetched Fetched
	err     error
}

// repaired takes the answer of the source about an account.
func (r *rules) repaired(ctx context.Context, a repaired, now time.Duration) error {
	p := r.queue.repairs[a.account]
	if p == nil || p != a.of { // the account was deleted meanwhile
		r.queue.strays--
		return nil
	}
	p.asking = false
	switch {
	case a.about != where && p.repository == nil: // it was put off meanwhile
	case a.about == where: // without an answer it is of no host
		p.host, p.hosted = a.host, true
	case a.err != nil && (a.about == fetch || errors.As(a.err, new(*FetchError))):
		return r.delay(ctx, a.account, p, a.err)
	case a.err == nil && a.about == fetch:
		p.asked, p.last, p.grew = true, now, now
	case a.err == nil && a.fetched.Done && p.complete(now, r.opts.Quiet, a.fetched):
		p.dropOlder()
		if err := r.replace(ctx, a.account, p.repository); err != nil {
			return err
		}
		r.figures.repaired.Add(1)
		if p.again {
			r.queue.postpone(p)
			return nil
		}
		r.endRepair(a.account)
	case now-p.grew >= r.opts.Patience:
		return r.delay(ctx, a.account, p, cmp.Or[error](a.err, &FetchError{a.account,
			fmt.Sprintf("nothing of it came for %v", r.opts.Patience)}))
	}
	return nil
}

// delay puts a repair off that failed. What came since is written as it came, and takes no other
// record away.
func (r *rules) delay(ctx context.Context, account string, p *repair, why error) error {
	if p.repository != nil {
		for of, is := range p.records {
			err := r.write(ctx, &Event{Account: account, Collection: of.collection, Key: of.key, Target: is.target,
				List: is.list})
			if err != nil {
				return err
			}
		}
	}
	r.figures.failed.Add(1)
	r.queue.postpone(p)
	r.opts.Logger.Warn("a repair failed", "account", account, "error", why, "again", time.Until(p.after))
	return nil
}

// spare has the largest repair fail if all take more memory than they may.
func (r *rules) spare(ctx context.Context) error {
	for r.queue.bytes > r.opts.RepairBytes {
		var largest *repair
		account := ""
		for of, p := range r.queue.repairs {
			if largest == nil || p.bytes > largest.bytes {
				largest, account = p, of
			}
		}
		why := &FetchError{account, fmt.Sprintf("all that are fetched took more than %d MiB, and this one most, %d; "+
			"try a source that sends only follows, blocks and list items (tap: TAP_COLLECTION_FILTERS)",
			r.opts.RepairBytes>>20, largest.bytes>>20)}
		if err := r.delay(ctx, account, largest, why); err != nil {
			return err
		}
	}
	return nil
}

// isOff reports whether a repair waits until it may be tried once more.
func (p *repair) isOff() bool { return p.repository == nil && !p.asking && time.Now().Before(p.after) }
