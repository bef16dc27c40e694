// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package ship

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"log/slog"
	"slices"
	"sync"
	"time"

	"github.com/uproar-db/uproar/store"
)

const (
	// maxFlights is how many objects may be under way. It is part of the format: so many numbers
	// after that of a takeover may be taken by the writer before.
	maxFlights = 4

	objectBytes  = 8 << 20  // an object has no more batches once it has so many bytes
	launchBytes  = 1 << 20  // so many bytes are sent without waiting for Options.Interval
	pendingBytes = 32 << 20 // so many bytes wait at most
)

// leader is a term under way. All of it belongs to one goroutine.
type leader struct {
	store   *Store
	term    *term
	next    uint64 // number of the next object
	pending []*request
	waiting int        // bytes of pending
	large   []*request // attached ones: they wait apart, and others do not wait behind them
	flights []*flight
	last    time.Time // when the last object was launched
	unfit   bool      // the database cannot lead
	aloft   sync.WaitGroup

	settling []settling // the oldest first
	settled  chan error // tells how that has ended; nil: there is none
}

// notHere is the error of an object that the local store could not take.
func notHere(number uint64, err error) error {
	return fmt.Errorf("ship: object %d is in the log, but could not be written to the folder; open it again: %v",
		number, err) // not %w: something has changed, whatever err matches
}

// flight is an object under way.
type flight struct {
	object   *object
	requests []*request
	begun    instant
	large    bool       // it has an attached batch
	result   chan error // has room for one
}

// lead leads until the term ends, and then tells the watcher. It returns an error when the node can
// no longer follow.
func (s *Store) lead(t *term) error {
	ctx, cancel := context.WithCancel(s.stopping)
	l := &leader{store: s, term: t, next: s.at.Object + 1, last: time.Now()}
	var telling sync.WaitGroup
	told := make(chan error, 1)
	if t != s.first {
		telling.Go(func() { told <- s.watcher.Lead(t.epoch) })
	}
	err := l.run(ctx, told)
	cancel()
	if s.stopping.Err() == nil { // or the next opening does
		if settleErr := l.settleAll(); settleErr != nil {
			err = settleErr
		}
	}
	l.aloft.Wait()
	reason := store.ErrFenced
	switch {
	case err == nil && s.closed.Load():
		s.held, reason = true, store.ErrClosed
	case err == nil:
		s.held, reason = true, errReleased
	case errors.Is(err, store.ErrFenced):
		err = nil
	case s.stopping.Err() != nil:
		reason = store.ErrClosed
	default:
		reason = err
	}
	watched := s.endTerm()
	t.end(reason)
	telling.Wait()
	if s.stopping.Err() != nil || err != nil {
		return err
	}
	s.opts.Logger.Info("follows", "object", s.at.Object, "epoch", s.at.Epoch)
	s.news = now()
	if watched {
		return s.watcher.Follow()
	}
	return nil
}

// endTerm has nobody lead here. It reports whether the watcher knows of the term.
func (s *Store) endTerm() (watched bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.term.Store(nil)
	return s.watcher != nil
}

// run makes objects until the term ends. Errors: nil when it was released; store.ErrFenced; that of
// the watcher or of the local store.
func (l *leader) run(ctx context.Context, told chan error) error {
	timer := time.NewTimer(0)
	defer timer.Stop()
	for {
		if lost := l.store.lost.Load(); lost != nil {
			return *lost
		}
		leaving := l.leaving()
		if !leaving {
			l.gather()
		} else if len(l.pending)+len(l.large)+len(l.flights)+len(l.settling) == 0 &&
			(l.unfit || l.term.leaving.CompareAndSwap(asked, leaves)) {
			return l.letGo(ctx)
		}
		l.launchDue(ctx)
		timer.Reset(l.nextIn())
		requests := l.term.requests
		if l.waiting >= pendingBytes || leaving {
			requests = nil
		}
		var landed chan error
		if len(l.flights) > 0 {
			landed = l.flights[0].result
		}
		select {
		case r := <-requests:
			l.take(r)
		case err := <-landed:
			if err := l.land(ctx, err); err != nil {
				return err
			}
		case err := <-l.settled:
			if err := l.settledFirst(err); err != nil {
				return err
			}
		case err := <-told:
			if err != nil && !errors.Is(err, store.ErrFenced) {
				level := slog.LevelError
				if errors.Is(err, store.ErrClosed) {
					level = slog.LevelInfo
				}
				l.store.opts.Logger.Log(ctx, level, "the database cannot lead; another node is to", "error", err)
				l.unfit = true
				l.term.leaving.Store(leaves)
			}
		case <-l.term.woken:
		case <-timer.C:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// leaving reports whether another node is to lead.
func (l *leader) leaving() bool { return l.term.leaving.Load() != stays }

// take takes a request.
func (l *leader) take(r *request) {
	if r.attached != "" {
		l.large = append(l.large, r)
		return
	}
	l.pending = append(l.pending, r)
	l.waiting += r.size
}

// gather takes the requests that wait.
func (l *leader) gather() {
	for l.waiting < pendingBytes {
		select {
		case r := <-l.term.requests:
			l.take(r)
		default:
			return
		}
	}
}

// launchDue begins to create the objects that are to go now.
func (l *leader) launchDue(ctx context.Context) {
	for {
		switch {
		case l.mayLaunch(false):
			n, size := 0, 0
			for n < len(l.pending) && (n == 0 || size < objectBytes) {
				size += l.pending[n].size
				n++
			}
			l.launch(ctx, l.pending[:n], false)
			l.pending, l.waiting = slices.Delete(l.pending, 0, n), l.waiting-size
		case l.mayLaunch(true):
			if r := l.large[0]; l.next > r.after+attachedWithin {
				r.done <- errStale
			} else {
				l.launch(ctx, l.large[:1], true)
			}
			l.large = slices.Delete(l.large, 0, 1)
		case len(l.flights) == 0 && time.Since(l.last) >= l.store.opts.Heartbeat:
			l.launch(ctx, nil, false)
		default:
			return
		}
	}
}

// mayLaunch reports whether an object of batches that wait is to go now: of a large one, or of
// others. Large ones leave a place to the others, which do not wait for them.
func (l *leader) mayLaunch(large bool) bool {
	same := 0 // under way
	for _, f := range l.flights {
		if f.large == large {
			same++
		}
	}
	switch {
	case large && len(l.large) == 0 || !large && len(l.pending) == 0:
		return false
	case len(l.flights) == 0:
		return true
	case len(l.flights) >= maxFlights:
		return false
	case l.next <= l.store.at.Takeover+maxFlights+1: // numbers that the writer before may have taken
		return false
	case large:
		return same < maxFlights-1
	}
	return same == 0 || l.waiting >= launchBytes || time.Since(l.last) >= l.store.opts.Interval
}

// nextIn returns how long it is until an object may go that may not now.
func (l *leader) nextIn() time.Duration {
	due := l.store.opts.Heartbeat
	if len(l.pending) > 0 {
		due = l.store.opts.Interval
	}
	return max(time.Millisecond, due-time.Since(l.last))
}

// launch begins to create an object of batches; of none, it is a heartbeat.
func (l *leader) launch(ctx context.Context, batches []*request, large bool) {
	f := &flight{object: &object{kind: commitKind, epoch: l.term.epoch, nonce: l.term.nonce},
		requests: slices.Clone(batches), large: large}
	for _, r := range batches {
		if r.attached != "" || len(r.ops) > 0 { // or it is of Confirm
			f.object.parts = append(f.object.parts, r.part)
		}
	}
	l.flights = append(l.flights, f)
	l.send(ctx, f)
}

// send creates the object of a flight under the next number.
func (l *leader) send(ctx context.Context, f *flight) {
	f.object.number = l.next
	l.next++
	l.last = time.Now()
	f.begun, f.result = now(), make(chan error, 1)
	name := numbered(logPrefix, f.object.number)
	data := f.object.encode(name)
	l.store.remote.counts.logged.Add(uint64(len(data)))
	l.aloft.Go(func() {
		f.result <- l.store.remote.insist(ctx, name, data)
	})
}

// land does what follows when it is known whether the first flight's object was created. Errors:
// store.ErrFenced, ctx's, or the local store's.
func (l *leader) land(ctx context.Context, err error) error {
	f := l.flights[0]
	if taken, ok := errors.AsType[*takenError](err); ok {
		return l.landTaken(ctx, f, taken)
	}
	if err != nil {
		return err
	}
	if err := l.stillOurs(ctx, f.object.number); err != nil {
		return err
	}
	l.flights = slices.Delete(l.flights, 0, 1)
	if f.object.kind != releaseKind { // after which there is nothing to say
		l.launchDue(ctx) // before the local store has its turn
	}
	at, _, err := l.store.at.advance("", f.object)
	if err != nil {
		return err
	}
	if f.large && f.requests[0].sent {
		l.settle(f, l.store.at)
		l.store.at, l.store.sure = at, f.begun
		l.store.sight()
		return nil
	}
	if err := l.applyHere(f, at); err != nil {
		err = notHere(f.object.number, err)
		for _, r := range f.requests {
			r.done <- err
		}
		return err
	}
	l.store.at, l.store.sure = at, f.begun
	l.store.sight()
	for _, r := range f.requests {
		r.done <- nil
	}
	return nil
}

// landTaken tries the next number if the object under that of a flight is void. Errors:
// store.ErrFenced.
func (l *leader) landTaken(ctx context.Context, f *flight, taken *takenError) error {
	name := numbered(logPrefix, f.object.number)
	o, err := decodeObject(name, taken.data)
	if err != nil {
		return err
	}
	if o.epoch < l.term.epoch && len(l.flights) == 1 {
		at := l.store.at
		at.Object = o.number
		if err := l.applyHere(&flight{object: o}, at); err != nil {
			return err
		}
		l.store.at = at
		l.send(ctx, f)
		return nil
	}
	l.store.remote.counts.fenced.Add(1)
	l.store.opts.Logger.Warn("fenced: another node has taken over", "object", o.number, "epoch", o.epoch)
	return store.ErrFenced
}

// applyHere applies the batches of a flight to the local store. Its position stays before what has
// not settled: whoever opens it again begins there.
func (l *leader) applyHere(f *flight, at position) error {
	if l.store.lag != nil {
		at = *l.store.lag
	}
	l.store.touched.Store(f.object.number)
	_, err := l.store.apply(func(yield func([]store.Op, error) bool) {
		for _, r := range f.requests {
			if !yield(r.ops, nil) {
				return
			}
		}
	}, at, false)
	return err
}

// stillOurs fails if the number of an object that was created just now is one of those that were
// collected: after a long sleep, the log may have gone on without this node, and lost the object
// that had the number before.
func (l *leader) stillOurs(ctx context.Context, number uint64) error {
	before := now()
	gone, err := l.store.remote.collected(ctx, l.store.sure, l.store.opts.Keep, number)
	if err != nil {
		return err
	}
	if gone {
		l.store.remote.counts.fenced.Add(1)
		l.store.opts.Logger.Warn("fenced: the log has gone on while this node slept", "object", number)
		return store.ErrFenced
	}
	l.store.sure = before
	return nil
}

// letGo writes the object that lets others take over at once.
func (l *leader) letGo(ctx context.Context) error {
	f := &flight{object: &object{kind: releaseKind, epoch: l.term.epoch, nonce: l.term.nonce}}
	l.flights = []*flight{f}
	l.send(ctx, f)
	for len(l.flights) > 0 {
		select {
		case err := <-f.result:
			if err := l.land(ctx, err); err != nil {
				return err
			}
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	return nil
}

// none is no batch.
func none(func([]store.Op, error) bool) {}

// apply applies batches to the local store, whole ones in as few as they fit into. The position
// goes into the last one. With keep, deletions that the watcher keeps are left out and returned.
func (s *Store) apply(batches iter.Seq2[[]store.Op, error], at position, keep bool) (kept [][]byte, err error) {
	var b store.Batch
	for ops, err := range batches {
		if err != nil {
			return kept, err
		}
		size := 0
		for i := range ops {
			size += len(ops[i].Key) + len(ops[i].Value)
		}
		if b.Len() > 0 && (b.Len()+len(ops) > store.MaxOps || b.Size()+size > store.MaxBatch) {
			if err := s.local.Apply(&b, false); err != nil {
				return kept, err
			}
			b.Reset()
		}
		for i := range ops {
			switch op := &ops[i]; {
			case !op.Delete:
				b.Put(op.Key, op.Value)
			case keep && s.watcher.Keeps(op.Key):
				kept = append(kept, slices.Clone(op.Key))
			default:
				b.Delete(op.Key)
			}
		}
	}
	if b.Len() == store.MaxOps || b.Size() > store.MaxBatch-positionBytes {
		if err := s.local.Apply(&b, false); err != nil {
			return kept, err
		}
		b.Reset()
	}
	at.putInto(&b)
	return kept, s.local.Apply(&b, false)
}
