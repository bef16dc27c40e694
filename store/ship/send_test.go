// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package ship_test

import (
	"bytes"
	"errors"
	"fmt"
	"maps"
	"sync/atomic"
	"testing"

	"github.com/uproar-db/uproar/store"
	"github.com/uproar-db/uproar/store/memstore"
	"github.com/uproar-db/uproar/store/ship"
	"github.com/uproar-db/uproar/store/ship/shiptest"
)

// slowLocal is a local store that has some batches wait: before they are there, or after it.
type slowLocal struct {
	*memstore.Store
	holds         atomic.Pointer[func(op store.Op) bool]
	after         bool
	held, release chan struct{}
	broken        atomic.Bool // batches that waited fail
}

func newSlowLocal(after bool) *slowLocal {
	return &slowLocal{Store: memstore.New(), after: after, held: make(chan struct{}, 100), release: make(chan struct{})}
}

var errBroken = errors.New("the disk is broken")

// hold has batches with such an operation wait.
func (s *slowLocal) hold(what func(op store.Op) bool) { s.holds.Store(&what) }

func (s *slowLocal) Apply(b *store.Batch, sync bool) (err error) {
	wait := false
	if holds := s.holds.Load(); holds != nil {
		for op := range b.Ops() {
			wait = wait || (*holds)(op)
		}
	}
	if s.after {
		err = s.Store.Apply(b, sync)
	}
	if wait {
		s.held <- struct{}{}
		<-s.release
	}
	if wait && s.broken.Load() {
		return errBroken
	}
	if !s.after {
		err = s.Store.Apply(b, sync)
	}
	return err
}

// isPage reports whether an operation is of the batches that pages returns.
func isPage(op store.Op) bool { return op.Key[0] == 'p' }

// pages is a batch of 3 MB.
func pages(n int) *store.Batch {
	b := new(store.Batch)
	for i := range 48 {
		b.Put(fmt.Appendf(nil, "page%d-%d", n, i), bytes.Repeat([]byte{byte(n), byte(i)}, 32<<10))
	}
	return b
}

// withoutCheckpoints returns a copy of an engine on which every restore reads the log.
func withoutCheckpoints(t *testing.T, e ship.Engine) ship.Engine {
	t.Helper()
	copied := new(shiptest.Memory)
	for _, prefix := range []string{"log", "attached/"} {
		for _, name := range namesOf(t, e, prefix) {
			data, err := e.Get(t.Context(), name)
			if err == nil {
				err = copied.Create(t.Context(), name, data)
			}
			if err != nil {
				t.Fatal(err)
			}
		}
	}
	return copied
}

// checkRestores restores every object of a log with its checkpoints and without them, which must
// not matter.
func checkRestores(t *testing.T, e ship.Engine) {
	t.Helper()
	bare := withoutCheckpoints(t, e)
	for object := range uint64(len(namesOf(t, bare, "log/"))) {
		got, want := memstore.New(), memstore.New()
		if err := ship.RestoreTo(t.Context(), want, bare, object+1, nil); err != nil {
			t.Fatal(err)
		}
		if err := ship.RestoreTo(t.Context(), got, e, object+1, nil); err != nil {
			t.Fatal(err)
		}
		if !maps.Equal(content(t, got), content(t, want)) {
			t.Errorf("object %d: the state of a checkpoint and the log differs from that of the log alone", object+1)
		}
	}
}

// TestSentBatches: commits are acknowledged while the local store is busy with batches that were
// sent. A node that begins from what the local store has meanwhile, or from a checkpoint of then,
// comes to the same state.
func TestSentBatches(t *testing.T) {
	engine, local := new(shiptest.Memory), newSlowLocal(false)
	w := open(t, local, engine, quick(ship.Writer, "w"))
	defer w.Close()
	w.Watch(follower{})
	if err := w.Apply(put("first", "x"), true); err != nil {
		t.Fatal(err)
	}
	local.hold(isPage)
	batches, _ := w.Window()
	var waits []func() error
	for n := range batches {
		waits = append(waits, w.Send(pages(n)))
	}
	<-local.held
	for i := range 50 {
		if err := w.Apply(put(fmt.Sprint(i), "beside"), true); err != nil {
			t.Fatal(err)
		}
	}
	if got := content(t, w); got["a49"] != "beside" || got["page0-0"] != "" {
		t.Errorf("got a commit that is not there, or a batch that the local store has not")
	}
	if err := w.Checkpoint(t.Context()); err != nil {
		t.Fatal(err)
	}
	crashed := memstore.New()
	var b store.Batch
	for key, value := range content(t, local.Store) {
		b.Put([]byte(key), []byte(value))
	}
	if err := crashed.Apply(&b, true); err != nil {
		t.Fatal(err)
	}
	close(local.release)
	for _, wait := range waits {
		if err := wait(); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Checkpoint(t.Context()); err != nil {
		t.Fatal(err)
	}
	again := open(t, crashed, engine, quick(ship.Reader, "again"))
	again.Watch(follower{})
	defer again.Close()
	fresh := node(t, engine, quick(ship.Reader, "fresh"))
	if got, want := len(awaitEqual(t, w, again, fresh)), 2*51+batches*48; got != want {
		t.Errorf("got %d entries, want %d", got, want)
	}
	checkRestores(t, engine)
}

// TestSentAtTheEnd ends a term while the local store is busy with a batch that is in the log.
func TestSentAtTheEnd(t *testing.T) {
	for name, end := range map[string]func(t *testing.T, w *ship.Store, e ship.Engine){
		"handed over": func(t *testing.T, w *ship.Store, _ ship.Engine) {
			if err := w.HandOver(t.Context()); err != nil && !errors.Is(err, ship.ErrNotLeading) {
				t.Error(err)
			}
		},
		"fenced": func(t *testing.T, w *ship.Store, e ship.Engine) {
			thief := node(t, e, quick(ship.Writer, "thief"))
			_ = w.Apply(put("late", "x"), true) // which tells it
			awaitEqual(t, w, thief)
		},
	} {
		t.Run(name, func(t *testing.T) {
			engine, local := new(shiptest.Memory), newSlowLocal(false)
			w := open(t, local, engine, quick(ship.Auto, "w"))
			defer w.Close()
			w.Watch(follower{})
			if err := w.Apply(put("first", "x"), true); err != nil {
				t.Fatal(err)
			}
			local.hold(isPage)
			wait := w.Send(pages(1))
			<-local.held
			ended := make(chan struct{})
			go func() { defer close(ended); end(t, w, engine) }()
			close(local.release)
			if err := wait(); err != nil {
				t.Errorf("a batch that is in the log: got %v", err)
			}
			<-ended
			fresh := node(t, engine, quick(ship.Reader, "fresh"))
			if got := awaitEqual(t, w, fresh); got["page1-47"] == "" {
				t.Error("the batch is not there")
			}
		})
	}
}

// TestSentToABrokenDisk: when the local store cannot take one of several batches that were sent,
// all calls end, and no checkpoint of this node lacks it.
func TestSentToABrokenDisk(t *testing.T) {
	engine, local := new(shiptest.Memory), newSlowLocal(false)
	w := open(t, local, engine, quick(ship.Writer, "w"))
	w.Watch(follower{})
	if err := w.Apply(put("first", "x"), true); err != nil {
		t.Fatal(err)
	}
	local.hold(isPage)
	var waits []func() error
	for n := range 3 {
		waits = append(waits, w.Send(pages(n)))
	}
	<-local.held
	if err := w.Apply(put("beside", "x"), true); err != nil {
		t.Fatal(err)
	}
	local.broken.Store(true)
	close(local.release)
	for n, wait := range waits {
		if err := wait(); err == nil {
			t.Errorf("batch %d: no error, and the local store has not taken it", n)
		}
	}
	await(t, "the node has failed", func() bool { return w.Status().Failure != nil })
	if err := w.Apply(put("after", "x"), true); err == nil {
		t.Error("a node that failed takes a batch")
	}
	if err := w.Checkpoint(t.Context()); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	checkRestores(t, engine)
	got := content(t, node(t, engine, quick(ship.Reader, "fresh")))
	if sent := len(got) - 4; got["abeside"] == "" || sent <= 0 || sent%48 != 0 {
		t.Errorf("a new node: got %d entries, want two commits, and the batches that came into the log whole", len(got))
	}
}

// TestCheckpointIsOfTheTime takes a checkpoint while the local store has objects that the node does
// not speak of yet. No state before them is restored from it.
func TestCheckpointIsOfTheTime(t *testing.T) {
	for _, role := range []ship.Role{ship.Writer, ship.Reader} {
		t.Run(string(role), func(t *testing.T) {
			engine, local := new(shiptest.Memory), newSlowLocal(true)
			w := node(t, engine, quick(ship.Writer, "w"))
			for i := range 5 {
				if err := w.Apply(put("x", fmt.Sprint(i)), true); err != nil {
					t.Fatal(err)
				}
			}
			s := open(t, local, engine, quick(role, "s")) // as a writer, it takes over
			defer s.Close()
			s.Watch(follower{})
			local.hold(func(op store.Op) bool { return op.Key[0] == 'a' })
			by := w
			if role == ship.Writer {
				by = s
			}
			applied := make(chan error, 1)
			go func() { applied <- by.Apply(put("x", "newer"), true) }()
			<-local.held
			if err := s.Checkpoint(t.Context()); err != nil {
				t.Fatal(err)
			}
			close(local.release)
			if err := <-applied; err != nil {
				t.Fatal(err)
			}
			checkRestores(t, engine)
		})
	}
}
