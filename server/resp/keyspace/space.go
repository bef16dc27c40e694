// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package keyspace

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/uproar-db/uproar"
	"github.com/uproar-db/uproar/server/resp/expiry"
)

// Bounds of a commit.
const (
	mostBytes  = 4 << 20 // of keys and members, after which it takes no more commands
	mostWrites = 1 << 20 // more are refused by the index
	mostJobs   = 4 << 10
	mostDue    = 8 << 10 // keys and members that end
	mostTimed  = 8 << 10
)

// idleWait is how long nothing is looked for that has ended, when nothing should.
const idleWait = time.Minute

// ErrStopped is returned to a job when the space is closed.
var ErrStopped = errors.New("keyspace: the server stops")

// Job is some commands of one client. Its methods are called one at a time.
type Job interface {
	// Run runs the commands from the first on that was not kept, and reports whether all are done.
	// It may be called again for the same ones: what it did before has had no effect.
	Run(st *State) (done bool)

	// Keep is told that what Run did last is on the disk.
	Keep()
}

// waiting is a job, and where to its end is told.
type waiting struct {
	job  Job
	done chan error
}

// limits are bounds of the next commit.
type limits struct {
	bytes int
	times int  // of members, which it takes away with their keys, or gives to another
	due   int  // fewer after one was too large
	last  bool // it is the last try of a transaction
}

// Space is the sets of one index. Safe for concurrent use, but for Close.
type Space struct {
	db      *uproar.DB
	name    string                       // of the index
	index   atomic.Pointer[uproar.Index] // once opened
	limits  limits
	jobs    chan waiting
	stop    chan struct{}
	ended   chan struct{} // no job begins any more
	stopped sync.WaitGroup
	watch   func(names map[string]bool) // told of every commit; nil names: it may be any
	told    func(*Fault)                // nil: nobody is
	fault   atomic.Pointer[Fault]       // the first; nil: none
	broken  chan struct{}               // closed after it

	timers   *expiry.Queue // of the goroutine that commits, as the next
	leaving  leaving
	sweeper  sweeper
	foreign  foreign
	schema   uint64          // version of the fields of which all is known
	own      map[uint64]bool // its commits above sequence
	refused  bool            // its last commit
	nextDue  atomic.Int64
	timed    atomic.Bool   // some key may have a time, or a type but that of sets
	sequence atomic.Uint64 // of the last commit for which timed holds
	keys     keySet

	mu     sync.Mutex          // guards counts, and the order of changes of them, of keys and of sequence
	counts map[string]rowCount // members of sets by the names of their keys
}

// unread is the sequence of a Space that knows nothing of its index.
const unread = math.MaxUint64

// Open opens the sets of an index, which is made when it is missing. watch, if not nil, is told of
// the names of keys that a commit has written to, before its jobs end; nil: they may be any.
// failed, if not nil, is told of a panic: after it no job is run. A database that takes no writes
// may get the index, and begin to take writes, later. Errors: as of CreateIndex and ChangeFields.
func Open(ctx context.Context, db *uproar.DB, index string, watch func(names map[string]bool),
	failed func(*Fault)) (*Space, error) {
	s := &Space{db: db, name: index, limits: limits{bytes: mostBytes, times: mostTimed, due: mostDue},
		jobs: make(chan waiting, mostJobs), stop: make(chan struct{}),
		ended: make(chan struct{}), broken: make(chan struct{}), watch: watch, told: failed,
		timers: expiry.New(expiresField, db.Hold), own: make(map[uint64]bool),
		foreign: foreign{found: make(chan walked)},
		counts:  make(map[string]rowCount),
		sweeper: sweeper{removed: 1, last: time.Now().Add(-sweepPause), wake: make(chan struct{}, 1)}}
	s.nextDue.Store(expiry.Never)
	s.sequence.Store(unread)
	s.timed.Store(true) // until it is known
	if _, err := s.opened(ctx); err != nil && !db.ReadOnly() {
		return nil, err
	}
	s.stopped.Go(func() {
		defer close(s.ended)
		guard(s.run, s.fail)
	})
	if !db.ReadOnly() {
		_ = s.Do(ctx, nothing{}) // so that who watches a key is not told of what is read first
	}
	return s, nil
}

// opened returns the index, which is opened by the first call for which it is there, or can be
// made. One that was dropped meanwhile is made anew, without sets.
func (s *Space) opened(ctx context.Context) (*uproar.Index, error) {
	ix, err := s.db.Index(s.name)
	if err == nil && ix == s.index.Load() {
		return ix, nil
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	ix, err = s.db.Index(s.name)
	if old := s.index.Load(); old != nil {
		if err == nil && ix == old {
			return ix, nil
		}
		s.index.Store(nil)
		s.sequence.Store(unread)
		clear(s.counts)
		s.timed.Store(true)
		s.keys.note(nil, unread)
	}
	if err == nil && s.db.ReadOnly() {
		return ix, nil // its fields may have to be added once it can be written
	}
	if errors.Is(err, uproar.ErrUnknownIndex) && !s.db.ReadOnly() {
		_, err = s.db.CreateIndex(ctx, s.name)
	}
	if err == nil {
		ix, err = s.db.AddFields(ctx, s.name, uproar.Field{Name: memberField, Type: uproar.Set},
			uproar.Field{Name: typeField, Type: uproar.Single},
			uproar.Field{Name: expiresField, Type: uproar.Integer}, uproar.Field{Name: timedField, Type: uproar.Set})
	}
	if err != nil {
		return nil, fmt.Errorf("index of sets: %w", err)
	}
	s.index.Store(ix)
	return ix, nil
}

// begin runs a function in a goroutine, whose panic ends the writing and not the process.
func (s *Space) begin(fn func()) { s.stopped.Go(func() { guard(fn, s.fail) }) }

// fail ends the writing. A commit under way may still be made.
func (s *Space) fail(fault *Fault) {
	if !s.fault.CompareAndSwap(nil, fault) {
		return
	}
	close(s.broken)
	if s.told != nil {
		s.told(fault)
	}
}

// Fault returns the fault that has ended the writing; nil: none has.
func (s *Space) Fault() *Fault { return s.fault.Load() }

// locked runs a function under the lock, also up to a panic.
func (s *Space) locked(fn func()) {
	s.mu.Lock()
	defer s.mu.Unlock()
	fn()
}

// Close ends jobs that have not begun with ErrStopped, and waits for those that have.
func (s *Space) Close() {
	close(s.stop)
	s.stopped.Wait()
	s.timers.Release()
	s.keys.release(s.db)
}

// ReadOnly reports whether no job can be done.
func (s *Space) ReadOnly() bool { return s.db.ReadOnly() }

// OnlyReads reports whether nothing that has ended can be deleted: it is left out by who reads.
func (s *Space) OnlyReads() bool { return s.db.ReadOnly() || s.fault.Load() != nil }

// simpleIn reports whether no key of a snapshot has a time, or a type but that of sets.
func (s *Space) simpleIn(snap uproar.Snapshot) bool {
	return !s.timed.Load() && snap.Sequence() <= s.sequence.Load()
}

// Read calls fn with a state for reading, in which nothing is that has ended.
func (s *Space) Read(ctx context.Context, fn func(st *State) error) error {
	ix, err := s.opened(ctx)
	if err != nil {
		return err
	}
	for asked := false; ; asked = true {
		// Both are of what the snapshot has, or of less; times of more are looked for in it.
		known, next := s.sequence.Load(), s.nextDue.Load()
		snap := ix.Snapshot()
		now := time.Now().UnixMilli() // not before the snapshot: what is deleted there has ended by now
		late := next <= now || !asked && s.timed.Load() && known == unread
		if !late && !asked && !s.OnlyReads() && snap.Sequence() > known {
			if late, err = hasEnded(ctx, snap, now); err != nil {
				snap.Close()
				return err
			}
		}
		if !late || s.OnlyReads() {
			defer snap.Close()
			return fn(newState(ctx, s, snap, nil, now))
		}
		snap.Close()
		err := s.Do(ctx, nothing{})
		if _, fault := errors.AsType[*Fault](err); err != nil && !fault {
			return err
		}
	}
}

// nothing is a job that waits for what was to be done before.
type nothing struct{}

// Run does nothing.
func (nothing) Run(*State) bool { return true }

// Keep does nothing.
func (nothing) Keep() {}

// Do runs a job, and returns when what it wrote is on the disk. After an error nothing is there
// that Keep has not been told of. ctx ends the waiting of a job that has not begun. Errors:
// ErrStopped, a *Fault, or as of Index.Update.
func (s *Space) Do(ctx context.Context, job Job) error {
	if s.db.ReadOnly() {
		return uproar.ErrReadOnly
	}
	if fault := s.fault.Load(); fault != nil {
		return fault
	}
	w := waiting{job, make(chan error, 1)}
	select {
	case s.jobs <- w:
	case <-s.stop:
		return ErrStopped
	case <-ctx.Done():
		return ctx.Err()
	}
	select {
	case err := <-w.done:
		return err
	case <-s.ended:
	}
	select {
	case err := <-w.done:
		return err
	default:
	}
	if fault := s.fault.Load(); fault != nil {
		return fault
	}
	return ErrStopped
}

// run commits jobs until Close, or a fault.
func (s *Space) run() {
	var group []waiting
	if !s.db.ReadOnly() {
		s.commit(nil) // finds out what ends, and what has
	}
	timer := time.NewTimer(idleWait)
	defer timer.Stop()
	ctx := context.Background()
	defer s.sweeper.stop()
	for s.fault.Load() == nil {
		s.sweep(ctx)
		s.leave(ctx)
		if len(group) == 0 {
			timer.Reset(max(0, min(s.wait(), s.sweeper.due(), s.leaving.due())))
			select {
			case <-s.sweeper.wake:
			case w := <-s.foreign.found:
				s.take(w)
			case w := <-s.jobs:
				group = append(group, w)
			case <-timer.C:
				if s.db.ReadOnly() {
					continue
				}
			case <-s.broken:
			case <-s.stop:
				return
			}
		}
		for more := true; more && len(group) < mostJobs; {
			select {
			case w := <-s.jobs:
				group = append(group, w)
			default:
				more = false
			}
		}
		group = s.commit(group)
	}
}

// sweep deletes some members without sets, if it is time.
func (s *Space) sweep(ctx context.Context) {
	if s.sweeper.due() > 0 && s.sweeper.now == nil {
		return
	}
	ix, err := s.opened(ctx)
	if err != nil || s.db.ReadOnly() {
		s.sweeper.stop()
		s.sweeper.last = time.Now() // later
		return
	}
	if err := s.follow(ctx, ix); err != nil { // so that it is known which records got a value
		s.sweeper.fail()
		return
	}
	seen := s.sequence.Load()
	if sequence := s.sweeper.step(ctx, ix, seen, s.begin); sequence != 0 {
		s.committed(nil, seen, sequence)
	}
}

// wait returns how long nothing has to be looked for that has ended.
func (s *Space) wait() time.Duration {
	due := s.nextDue.Load()
	if len(s.foreign.records) > 0 {
		due = 0
	}
	if due == expiry.Never {
		return idleWait
	}
	least := time.Duration(0)
	if s.db.ReadOnly() || s.refused {
		least = time.Second
	}
	return max(least, min(idleWait, time.Until(time.UnixMilli(due))))
}

// commit runs jobs and commits what they write, together. It returns those that are not done.
func (s *Space) commit(group []waiting) (rest []waiting) {
	ctx := context.Background()
	var due []expiry.Time
	var st *State
	done := make([]bool, len(group))
	ran, limit := 0, s.limits.due
	ix, err := s.opened(ctx)
	if err != nil {
		for _, w := range group {
			w.done <- err
		}
		return nil
	}
	more := false // has ended
	completed := 0
	now := time.Now().UnixMilli()
	if err = s.follow(ctx, ix); err == nil {
		due = s.timers.Due(now, limit)
		more = s.timers.Next() <= now
	}
	seen := uint64(unread)
	sequence, err := ix.Update(ctx, func(snap uproar.Snapshot, b *uproar.Batch) error {
		if err != nil {
			return err
		}
		if fault := s.fault.Load(); fault != nil { // of a goroutine beside
			return fault
		}
		seen = snap.Sequence()
		if snap.Sequence() != s.sequence.Load() { // others have just written: what they did is followed later
			s.tell(nil)
		}
		st = newState(ctx, s, snap, b, now)
		completed = complete(st, s.foreign.records)
		if err := s.leaving.revive(st); err != nil {
			return err
		}
		if err := st.end(due); err != nil {
			return err
		}
		if more {
			ran = 0
			return nil // more may have ended, which no job must see
		}
		for ran = 0; ran < len(group) && st.failed == nil && (ran == 0 || !st.Full()); ran++ {
			st.Second, st.turn = false, turn{}
			done[ran] = group[ran].job.Run(st)
		}
		return st.failed
	})
	s.refused = err != nil
	if err != nil {
		s.timers.PutBack(due)
		if errors.Is(err, uproar.ErrTooLarge) && s.endLess(due, limit) {
			return s.commit(group)
		}
		failed := st != nil && st.failed != nil
		if failed && ran > 1 { // first those before the one that failed
			return append(s.commit(group[:ran-1]), group[ran-1:]...)
		}
		if failed && st.turn.shared { // with what has ended, which is deleted first
			s.limits.last = true
			defer func() { s.limits.last = false }()
			s.commit(nil)
			return append(s.commit(group[:1]), group[1:]...)
		}
		alone := ran == 1 && st.turn.whole && len(due)+completed == 0 // would do no better
		failed = failed || errors.Is(err, uproar.ErrTooLarge)
		if failed && !alone && len(group) > 0 && (s.limits.bytes > 1 || ran > 1) {
			most := s.limits.bytes
			s.limits.bytes = 0 // each command alone
			rest = s.commit(group[:1])
			s.limits.bytes = most
			return append(rest, group[1:]...)
		}
		if ran == 0 {
			ran = len(group)
		}
		for _, w := range group[:ran] {
			w.done <- err
		}
		return group[ran:]
	}
	if !more {
		s.limits.due = mostDue
	}
	s.foreign.records = slices.Delete(s.foreign.records, 0, completed)
	clear(s.leaving.written)
	s.written(st)
	if len(st.about) > 0 || len(st.timed) > 0 {
		s.timed.Store(true)
	}
	for _, of := range st.stores {
		delete(st.rows, of.name) // whose number is not known before its members are there
	}
	s.committed(st, seen, sequence)
	if err = s.finish(ctx, ix, st); err != nil {
		s.refused = true
	}
	s.nextDue.Store(s.timers.Next())
	s.tell(st.touched)
	for i, w := range group[:ran] {
		switch {
		case err != nil && i == ran-1: // whose command stores so much
			w.done <- err
			continue
		case !done[i]:
			rest = append(rest, w)
			w.job.Keep()
		default:
			w.job.Keep()
			w.done <- nil
		}
	}
	return append(rest, group[ran:]...)
}

// tell tells who watches of keys that were written to.
func (s *Space) tell(names map[string]bool) {
	if s.watch != nil && (names == nil || len(names) > 0) {
		s.watch(names)
	}
}
