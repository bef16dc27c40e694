// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package ship

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/uproar-db/uproar/store"
)

// term is a time in which this node leads.
type term struct {
	epoch uint64
	nonce nonce

	requests chan *request
	leaving  atomic.Int32  // stays, asked or leaves
	woken    chan struct{} // has room for one: leaving has changed
	ended    atomic.Pointer[error]
	done     chan struct{} // closed when ended is set
}

// Whether a node is to let another lead.
const (
	stays  int32 = iota
	asked        // it is to, unless whoever asked gives up
	leaves       // the object that lets others take over is under way
)

// newTerm returns a term that begins.
func newTerm(p *position) *term {
	return &term{epoch: p.Epoch, nonce: p.Nonce, requests: make(chan *request), woken: make(chan struct{}, 1),
		done: make(chan struct{})}
}

// release has the node let another lead.
func (t *term) release() {
	t.leaving.CompareAndSwap(stays, asked)
	t.wake()
}

// stay has the node lead on, after all. It reports whether it does.
func (t *term) stay() bool {
	t.leaving.CompareAndSwap(asked, stays)
	t.wake()
	return t.leaving.Load() == stays
}

// wake has the leader look at leaving.
func (t *term) wake() {
	select {
	case t.woken <- struct{}{}:
	default: // it will
	}
}

// end ends the term: Apply returns err from now on.
func (t *term) end(err error) {
	t.ended.Store(&err)
	close(t.done)
}

// request is one batch that is to go into the log.
type request struct {
	part
	ops   []store.Op
	size  int
	sent  bool       // by Send
	after uint64     // the object in the name of an attachment
	done  chan error // has room for one
}

// Large batches are objects of their own, which need not wait for their turn in the log, nor have
// others wait.
const attachFrom = 256 << 10

// window is how many batches of how many bytes Send is best given at a time: objects of a size that
// costs little beside their bytes, and more under way than the time there and back takes.
const (
	windowBatches = 4
	windowBytes   = 8 << 20
)

// Window implements store.Sender.
func (s *Store) Window() (batches, bytes int) { return windowBatches, windowBytes }

// Send implements store.Sender.
func (s *Store) Send(b *store.Batch) (wait func() error) {
	applied := make(chan error, 1)
	go func() { applied <- s.take(b, true) }()
	return sync.OnceValue(func() error { return <-applied })
}

// errStale says that too many objects have come since an attachment was begun.
var errStale = errors.New("ship: the attachment is too old")

// submit has a batch put into the log.
func (s *Store) submit(t *term, b *store.Batch, sent bool) error {
	if b.Len() == 0 {
		return nil
	}
	for {
		r := &request{ops: slices.Collect(b.Ops()), size: b.Size(), sent: sent, done: make(chan error, 1)}
		r.part.ops = r.ops
		if r.size >= attachFrom {
			if err := s.attach(t, r); err != nil {
				return err
			}
		}
		if err := t.await(r); err != errStale {
			return err
		}
	}
}

// Confirm implements store.Replica. It costs an object, together with all writes that come at the
// same time.
func (s *Store) Confirm(ctx context.Context) error {
	t := s.term.Load()
	if t == nil {
		return store.ErrFenced
	}
	confirmed := make(chan error, 1)
	go func() { confirmed <- t.await(&request{done: make(chan error, 1)}) }() // an object that is begun from now on
	select {
	case err := <-confirmed:
		return err
	case <-ctx.Done():
		return ctx.Err()
	}
}

// await has the leader do a request.
func (t *term) await(r *request) error {
	select {
	case t.requests <- r:
	case <-t.done:
		return *t.ended.Load()
	}
	select {
	case err := <-r.done:
		return err
	case <-t.done:
	}
	select {
	case err := <-r.done:
		return err
	default:
		return *t.ended.Load()
	}
}

// attach makes the batch of a request an attachment. Its name has the number of an object before
// it, by which it is collected.
func (s *Store) attach(t *term, r *request) error {
	o := object{kind: attachmentKind, epoch: t.epoch, nonce: t.nonce, parts: []part{r.part}}
	r.after = s.seen.Load().at.Object
	name := fmt.Sprintf("%s/%x-%08d", numbered(attachmentPrefix, r.after), t.nonce[:4], s.uploads.Add(1))
	data := o.encode(name)
	if err := s.upload(t, name, data); err != nil {
		return err
	}
	s.remote.counts.logged.Add(uint64(len(data)))
	r.part = part{attached: name}
	return nil
}

// upload creates an attachment. It asks again until it is there, or the term ends.
func (s *Store) upload(t *term, name string, data []byte) error {
	ctx, cancel := context.WithCancel(s.stopping)
	defer cancel()
	go func() {
		select {
		case <-t.done:
			cancel()
		case <-ctx.Done():
		}
	}()
	err := s.remote.insist(ctx, name, data)
	if ctx.Err() == nil {
		return err
	}
	if ended := t.ended.Load(); ended != nil {
		return *ended
	}
	return store.ErrClosed
}
