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

	requests  chan *request
	releasing chan struct{}  // has room for one: the node is to let another lead
	keep      chan chan bool // or not, after all; it answers whether it still leads
	ended     atomic.Pointer[error]
	done      chan struct{} // closed when ended is set
}

// newTerm returns a term that begins.
func newTerm(p *position) *term {
	t := &term{epoch: p.Epoch, nonce: p.Nonce, requests: make(chan *request), releasing: make(chan struct{}, 1),
		keep: make(chan chan bool), done: make(chan struct{})}
	return t
}

// release has the node let another lead.
func (t *term) release() {
	select {
	case t.releasing <- struct{}{}:
	default: // it was told already
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
	if err := s.upload(t, name, o.encode(name)); err != nil {
		return err
	}
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
