// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package ship

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"github.com/uproar-db/uproar/store"
)

// Store is a local store whose content is that of a log which many processes share. It fulfils
// store.Store, store.Replica, store.Sender, store.Sizer and store.Spacer. Get, Scan and Keys ask
// the local store only. Apply returns when the batch is an object of the log and in the local
// store, whether synced or not; only the node that leads may call it. Safe for concurrent use.
type Store struct {
	sized
	remote *remote
	opts   Options

	stopping context.Context
	stop     context.CancelFunc
	runs     sync.WaitGroup // the goroutine that follows or leads

	mu      sync.Mutex // held while term ends or watcher comes
	watcher store.Watcher
	watched chan struct{} // closed when watcher is set

	// what follows belongs to the goroutine that follows or leads
	at      position  // of the local store
	first   *term     // began in Open, before anybody watched
	fetcher *fetcher  // of the objects of others
	sure    instant   // when at was known to be the end of the log
	news    instant   // when an object came, or this node has tried to take over
	back    instant   // when the engine answered after it had not for a heartbeat
	lag     *position // before the oldest object that has not settled; nil: all have
	held    bool      // a node that gave up leading waits for others before it takes over again

	term    atomic.Pointer[term]    // nil while others lead
	lost    atomic.Pointer[error]   // what has become of the log, that the node is to end with
	failure atomic.Pointer[error]   // why the node neither follows nor leads any more
	seen    atomic.Pointer[sighted] // for Status
	touched atomic.Uint64           // the last object of which the local store may have something
	uploads atomic.Uint64           // attachments of this process
}

// sighted is what the goroutine that follows or leads last knew.
type sighted struct {
	at    position
	whole position // up to which the local store has everything
	sure  instant
	later chan struct{} // closed when more is known
}

// Open opens a local store as a node of the log on an engine, and makes the log if there is none.
// It brings the local store to the end of the log: from the newest checkpoint, if the store is
// empty or too far behind. A writer then takes over. When Open fails, both stay the caller's; Close
// closes both.
//
// Errors: ErrOtherLog, ErrNotEmpty, ErrUnchecked, *DamagedError, store.ErrUnavailable when the
// engine does not answer before ctx ends, ctx's, or those of the local store and the engine.
func Open(ctx context.Context, local store.Store, e Engine, opts Options) (*Store, error) {
	s, err := newStore(local, e, opts)
	if err != nil {
		return nil, err
	}
	if err := s.open(ctx); err != nil {
		s.stop()
		s.fetcher.close()
		return nil, err
	}
	s.sight()
	s.runs.Go(s.run)
	s.runs.Go(func() { s.maintain(s.stopping) })
	s.runs.Go(func() {
		s.remote.watchLog(s.stopping, 5*s.opts.Heartbeat, func() position { return s.seen.Load().at }, &s.lost)
	})
	s.runs.Go(func() { announce(s.stopping, s.remote, s.sighting) })
	return s, nil
}

// newStore returns a store that knows nothing of the log yet.
func newStore(local store.Store, e Engine, opts Options) (*Store, error) {
	opts, err := opts.withDefaults()
	if err != nil {
		return nil, err
	}
	s := &Store{sized: sized{local: local}, remote: &remote{engine: e, log: opts.Logger}, opts: opts,
		watched: make(chan struct{}), sure: now(), news: now(), back: now()}
	s.fetcher = &fetcher{get: func(ctx context.Context, n uint64) ([]byte, error) {
		return s.remote.surelyGet(ctx, numbered(logPrefix, n), shortLimit)
	}}
	s.stopping, s.stop = context.WithCancel(context.Background())
	return s, nil
}

// open brings the local store to the end of the log.
func (s *Store) open(ctx context.Context) error {
	id, err := s.remote.identify(ctx)
	if err != nil {
		return err
	}
	at, ok, err := readPosition(s.local)
	if err != nil {
		return err
	}
	if ok && at.Log != id {
		return fmt.Errorf("%w: got a folder of log %s, want one of log %s, or an empty one", ErrOtherLog, at.Log, id)
	}
	first := false
	if !ok {
		if first, err = s.begin(ctx, id); err != nil {
			return err
		}
	} else {
		s.at = at
		h, err := s.remote.horizon(ctx)
		switch {
		case err != nil:
		case at.Restoring || h > at.Object+1:
			err = s.restore(ctx)
		default:
			err = s.remote.checkLog(ctx, &at)
		}
		if err != nil {
			return err
		}
	}
	if err := s.catchUp(ctx); err != nil {
		return err
	}
	if s.opts.Role == Reader || s.opts.Role == Auto && s.at.Object > 0 && !(first && s.at.Object == 1) {
		return nil
	}
	for {
		won, err := s.takeOver(ctx)
		if err != nil || won {
			s.first = s.term.Load()
			return err
		}
		if err := s.catchUp(ctx); err != nil {
			return err
		}
		if s.opts.Role == Auto {
			return nil
		}
	}
}

// Watch implements store.Replica.
func (s *Store) Watch(w store.Watcher) (epoch uint64, leads bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.watcher = w
	close(s.watched)
	return s.Leads()
}

// Leads implements store.Replica.
func (s *Store) Leads() (epoch uint64, leads bool) {
	t := s.term.Load()
	if t == nil {
		return 0, false
	}
	return t.epoch, true
}

// Stop implements store.Replica.
func (s *Store) Stop(after time.Duration) { time.AfterFunc(after, s.stop) }

// run follows or leads, until the store is closed or fails.
func (s *Store) run() {
	for {
		var err error
		if t := s.term.Load(); t != nil {
			err = s.lead(t)
		} else {
			err = s.follow()
		}
		if s.stopping.Err() != nil || s.closed.Load() {
			return
		}
		if err != nil {
			s.fail(err)
			return
		}
	}
}

// fail ends following and leading.
func (s *Store) fail(err error) {
	if errors.Is(err, store.ErrClosed) { // the watcher's, which is closed first
		s.opts.Logger.Info("neither follows nor leads any more, as it is being closed")
	} else {
		s.opts.Logger.Error("this node neither follows nor leads any more: open it again", "error", err)
	}
	s.failure.Store(&err)
	s.sight()
}

// sight shows Status and Wait what is known now.
func (s *Store) sight() {
	whole := s.at
	if s.lag != nil {
		whole = *s.lag
	}
	before := s.seen.Swap(&sighted{at: s.at, whole: whole, sure: s.sure, later: make(chan struct{})})
	if before != nil {
		close(before.later)
	}
}

// sighting returns what the node says of itself.
func (s *Store) sighting() Sighting {
	seen := s.seen.Load()
	_, leads := s.Leads()
	return Sighting{Node: s.opts.Node, Leads: leads, Epoch: seen.at.Epoch, Object: seen.at.Object,
		Time: time.Now().UTC()}
}

// Get implements store.Store.
func (s *Store) Get(key []byte, fn func(value []byte) error) error {
	if isPosition(key) {
		return store.ErrNotFound
	}
	return s.local.Get(key, fn)
}

// Scan implements store.Store.
func (s *Store) Scan(prefix, start []byte, fn func(key, value []byte) error) error {
	return s.local.Scan(prefix, start, func(key, value []byte) error {
		if isPosition(key) {
			return nil
		}
		return fn(key, value)
	})
}

// Keys implements store.Store.
func (s *Store) Keys(prefix, start []byte, fn func(key []byte) error) error {
	return s.local.Keys(prefix, start, func(key []byte) error {
		if isPosition(key) {
			return nil
		}
		return fn(key)
	})
}

// Apply implements store.Store. While others lead it returns store.ErrFenced, but for batches that
// delete nothing but entries which the watcher keeps: those are deleted here only. It waits while
// the engine is away.
func (s *Store) Apply(b *store.Batch, _ bool) error { return s.take(b, false) }

// take is Apply, or the Apply of Send.
func (s *Store) take(b *store.Batch, sent bool) error {
	if err := b.Check(); err != nil {
		return err
	}
	for op := range b.Ops() {
		if isPosition(op.Key) {
			return fmt.Errorf("%w: %x", errReserved, op.Key)
		}
	}
	t := s.term.Load() // before closed, as Close ends the term
	if s.closed.Load() {
		return store.ErrClosed
	}
	if t != nil {
		return s.submit(t, b, sent)
	}
	if deletesKept(s, b) {
		return s.local.Apply(b, false)
	}
	if err := s.failure.Load(); err != nil {
		return fmt.Errorf("%w: %w", store.ErrFenced, *err)
	}
	return store.ErrFenced
}

// deletesKept reports whether a batch deletes nothing but what the watcher keeps.
func deletesKept(s *Store, b *store.Batch) bool {
	select {
	case <-s.watched:
	default:
		return false
	}
	if s.watcher == nil || b.Len() == 0 {
		return false
	}
	for op := range b.Ops() {
		if !op.Delete || !s.watcher.Keeps(op.Key) {
			return false
		}
	}
	return true
}

// Sync implements store.Store. What Apply has returned for is in the log.
func (s *Store) Sync() error {
	t := s.term.Load()
	if s.closed.Load() {
		return store.ErrClosed
	}
	if t != nil && t.ended.Load() != nil {
		return *t.ended.Load()
	}
	return nil
}

// Close implements store.Store. A node that leads releases the log, so that another takes over at
// once; it waits for that a second at most. It closes the local store and the engine.
func (s *Store) Close() error {
	if s.closed.Swap(true) {
		return store.ErrClosed
	}
	if t := s.term.Load(); t != nil {
		s.leave(t)
	}
	s.stop()
	s.runs.Wait()
	s.fetcher.close()
	return errors.Join(s.local.Close(), s.remote.engine.Close())
}

var _ store.Replica = (*Store)(nil)
var _ store.Sender = (*Store)(nil)

// sized is the local store of a node, and tells its size and space.
type sized struct {
	local  store.Store
	closed atomic.Bool
}

// Size implements store.Sizer: that of the local store, zero where it cannot tell.
func (s *sized) Size() (store.Size, error) {
	if s.closed.Load() {
		return store.Size{}, store.ErrClosed
	}
	if sizer, ok := s.local.(store.Sizer); ok {
		return sizer.Size()
	}
	return store.Size{}, nil
}

// Space implements store.Spacer: that of the local store.
func (s *sized) Space() (store.Space, error) {
	if s.closed.Load() {
		return store.Space{}, store.ErrClosed
	}
	return store.SpaceOf(s.local)
}
