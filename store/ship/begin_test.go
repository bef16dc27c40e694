// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package ship_test

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/uproar-db/uproar/store"
	"github.com/uproar-db/uproar/store/memstore"
	"github.com/uproar-db/uproar/store/ship"
	"github.com/uproar-db/uproar/store/ship/shiptest"
)

// database is a local store with entries of its own.
func database(t *testing.T) store.Store {
	t.Helper()
	local := memstore.New()
	for i := range 3000 {
		if err := local.Apply(put(fmt.Sprint(i), "old"), false); err != nil {
			t.Fatal(err)
		}
	}
	return keepOpen{local}
}

// TestBeginBeside has nodes with empty folders begin beside one with a database, on an empty log:
// they wait for it, and none of them becomes a writer of an empty database meanwhile.
func TestBeginBeside(t *testing.T) {
	engine := new(shiptest.Memory)
	early := node(t, engine, quick(ship.Reader, "early")) // follows what is not there yet
	line, arrived := &gate{Engine: engine}, make(chan struct{})
	line.set(func(name string) <-chan struct{} {
		if strings.HasPrefix(name, "blocks/") {
			return arrived
		}
		return nil
	})
	local := database(t)
	ctx, cancel := context.WithCancel(t.Context())
	died := make(chan error, 1)
	go func() {
		_, err := ship.Open(ctx, local, line, quick(ship.Auto, "first"))
		died <- err
	}()
	await(t, "the log has begun", func() bool { return len(namesOf(t, engine, "log/")) > 0 })
	short, cancelShort := context.WithTimeout(t.Context(), 300*time.Millisecond)
	defer cancelShort()
	_, err := ship.Open(short, memstore.New(), engine, quick(ship.Writer, "hasty"))
	if !errors.Is(err, context.DeadlineExceeded) {
		t.Fatalf("an empty folder while the database is on its way: got %v, want that it waits", err)
	}
	cancel()
	if err := <-died; !errors.Is(err, context.Canceled) {
		t.Fatal(err)
	}
	close(arrived)
	var nodes [2]*ship.Store
	var work sync.WaitGroup
	for i, folder := range []store.Store{local, memstore.New()} { // the first goes on, and another comes
		work.Go(func() {
			nodes[i], err = ship.Open(t.Context(), folder, engine, quick(ship.Auto, fmt.Sprint("n", i)))
			if err != nil {
				t.Errorf("node %d: %v", i, err)
			}
		})
	}
	work.Wait()
	for _, n := range nodes {
		n.Watch(follower{})
		defer n.Close()
	}
	await(t, "the one with the database leads", func() bool { return nodes[0].Status().Leads })
	if err := nodes[0].Apply(put("new", "x"), true); err != nil {
		t.Fatal(err)
	}
	if got := len(awaitEqual(t, nodes[0], nodes[1], early)); got != 6002 {
		t.Errorf("got %d entries, want 6002", got)
	}
	other := database(t)
	if err := other.Apply(put("else", "old"), false); err != nil {
		t.Fatal(err)
	}
	if _, err := ship.Open(t.Context(), other, engine, quick(ship.Auto, "o")); !errors.Is(err, ship.ErrNotEmpty) {
		t.Errorf("another database: got %v, want ErrNotEmpty", err)
	}
}

// TestTwoDatabases begins a log with two databases at a time: one of them is it.
func TestTwoDatabases(t *testing.T) {
	for range 20 {
		engine := new(shiptest.Memory)
		errs := make(chan error, 2)
		for i := range 2 {
			local := memstore.New()
			if err := local.Apply(put(fmt.Sprint(i), "old"), false); err != nil {
				t.Fatal(err)
			}
			go func() {
				s, err := ship.Open(t.Context(), local, engine, quick(ship.Auto, fmt.Sprint("n", i)))
				if err == nil {
					err = s.Close()
				}
				errs <- err
			}()
		}
		a, b := <-errs, <-errs
		if (a == nil) == (b == nil) || !errors.Is(errors.Join(a, b), ship.ErrNotEmpty) {
			t.Fatalf("got %v and %v, want one nil and one ErrNotEmpty", a, b)
		}
		if got := len(content(t, node(t, engine, quick(ship.Reader, "r")))); got != 2 {
			t.Fatalf("got %d entries, want those of one database", got)
		}
	}
}

// refusing is an engine that refuses calls, with an error that says nothing of trying again.
type refusing struct {
	ship.Engine
	mu      sync.Mutex
	refuses func(call, name string) bool
}

func (r *refusing) set(refuses func(call, name string) bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.refuses = refuses
}

func (r *refusing) refused(call, name string) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.refuses != nil && r.refuses(call, name) {
		return errors.New("403 denied")
	}
	return nil
}

func (r *refusing) Create(ctx context.Context, name string, data []byte) error {
	if err := r.refused("create", name); err != nil {
		return err
	}
	return r.Engine.Create(ctx, name, data)
}

func (r *refusing) Get(ctx context.Context, name string) ([]byte, error) {
	if err := r.refused("get", name); err != nil {
		return nil, err
	}
	return r.Engine.Get(ctx, name)
}

// TestRefusedForATime has an engine refuse calls of a node that follows and is to take over. It
// goes on when the engine does.
func TestRefusedForATime(t *testing.T) {
	for _, what := range []string{"create log/", "get attached/", "get checked", "get log/"} {
		t.Run(what, func(t *testing.T) {
			engine := new(shiptest.Memory)
			if err := engine.Create(t.Context(), ship.Checked, []byte("{}")); err != nil {
				t.Fatal(err)
			}
			w := node(t, engine, quick(ship.Writer, "w"))
			line := &refusing{Engine: engine}
			opts := quick(ship.Auto, "f")
			opts.Unchecked = false
			f := node(t, line, opts)
			line.set(func(call, name string) bool { return strings.HasPrefix(call+" "+name, what) })
			if err := w.Send(pages(1))(); err != nil {
				t.Fatal(err)
			}
			if err := w.Close(); err != nil {
				t.Fatal(err)
			}
			time.Sleep(200 * time.Millisecond)
			if st := f.Status(); st.Failure != nil || st.Leads {
				t.Fatalf("while it is refused: got failure %v, leads: %v", st.Failure, st.Leads)
			}
			line.set(nil)
			await(t, "the other leads", func() bool { return f.Status().Leads })
			if got := len(content(t, f)); got != 48 {
				t.Errorf("got %d entries, want 48", got)
			}
		})
	}
}

// TestOtherHeartbeat has a node with a fast heart follow a writer with a slow one: it waits for as
// long as that is silent.
func TestOtherHeartbeat(t *testing.T) {
	engine := new(shiptest.Memory)
	slow := quick(ship.Writer, "slow")
	slow.Heartbeat = 400 * time.Millisecond
	w := node(t, engine, slow)
	f := node(t, engine, quick(ship.Auto, "f"))
	time.Sleep(1500 * time.Millisecond)
	if !w.Status().Leads || f.Status().Takeovers != 0 {
		t.Error("a node with a faster heart has taken over from a writer that lives")
	}
}

// TestCollect has two nodes collect while large batches come. What is left is what new nodes need,
// and no more of it than the checkpoints that are kept.
func TestCollect(t *testing.T) {
	engine := new(shiptest.Memory)
	opts := quick(ship.Auto, "w")
	opts.Keep, opts.CheckpointEvery = 240*time.Millisecond, 30*time.Millisecond
	w := node(t, engine, opts)
	opts.Node.ID, opts.Role = "r", ship.Reader
	node(t, engine, opts)
	written, before := 0, ""
	began := time.Now()
	for n := 0; time.Since(began) < 2*time.Second || written <= 3 && time.Since(began) < time.Minute; n++ {
		b := pages(1)
		b.Put([]byte("page1-0"), []byte(fmt.Sprint(n)))
		if err := w.Send(b)(); err != nil {
			t.Fatal(err)
		}
		if err := w.Apply(put("x", fmt.Sprint(n)), true); err != nil {
			t.Fatal(err)
		}
		if blocks := namesOf(t, engine, "blocks/"); len(blocks) > 0 && blocks[len(blocks)-1] != before {
			before = blocks[len(blocks)-1]
			written++
		}
		if n%5 == 4 {
			s, err := ship.Open(t.Context(), memstore.New(), engine, quick(ship.Reader, fmt.Sprint("n", n)))
			if err != nil {
				t.Fatalf("a node that begins: %v", err)
			}
			if err := s.Close(); err != nil {
				t.Error(err)
			}
		}
	}
	await(t, "all blocks that no checkpoint names are gone but those of late", func() bool {
		var indexes strings.Builder
		for _, name := range namesOf(t, engine, "checkpoint/") {
			text, err := engine.Get(t.Context(), name)
			if err != nil && !errors.Is(err, store.ErrNotFound) {
				t.Fatal(err)
			}
			indexes.Write(text)
		}
		unused := 0
		for _, name := range namesOf(t, engine, "blocks/") {
			if !strings.Contains(indexes.String(), name) {
				unused++
			}
		}
		return written > 3 && unused == 0
	})
}

// TestHandOverInVain asks a node to hand over while the storage is away. When the caller has given
// up, it goes on to lead.
func TestHandOverInVain(t *testing.T) {
	line := shiptest.NewFaulty(new(shiptest.Memory), 1, shiptest.Faults{})
	opts := quick(ship.Auto, "w")
	opts.Heartbeat = time.Hour
	w := node(t, line, opts)
	line.Stall()
	applied := make(chan error, 1)
	go func() { applied <- w.Apply(put("x", "y"), true) }()
	time.Sleep(20 * time.Millisecond)
	ctx, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
	defer cancel()
	if err := w.HandOver(ctx); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("HandOver: got %v, want that its time is over", err)
	}
	line.Resume()
	if err := <-applied; err != nil {
		t.Error(err)
	}
	if err := w.Apply(put("z", "y"), true); err != nil || w.Status().Epoch != 1 {
		t.Errorf("a write afterwards: got %v in epoch %d, want nil in the same", err, w.Status().Epoch)
	}
}

// TestSlowCheckpoint makes a checkpoint that takes a good part of the time for which things are
// kept.
func TestSlowCheckpoint(t *testing.T) {
	engine := &gate{Engine: new(shiptest.Memory)}
	opts := quick(ship.Writer, "w")
	opts.Keep = 2 * time.Second
	w := node(t, engine, opts)
	if err := w.Apply(put("x", "y"), true); err != nil {
		t.Fatal(err)
	}
	engine.set(func(name string) <-chan struct{} {
		if strings.HasPrefix(name, "blocks/") {
			time.Sleep(opts.Keep / 8)
		}
		return nil
	})
	if err := w.Checkpoint(t.Context()); err != nil || len(namesOf(t, engine, "checkpoint/")) != 1 {
		t.Errorf("got %v, want a checkpoint", err)
	}
}

// TestHandOverEndsInTime asks a node to hand over that waits for the storage to say whether its
// object was collected. The caller is told when its own time is over.
func TestHandOverEndsInTime(t *testing.T) {
	unlisted := &listless{Engine: new(shiptest.Memory)}
	opts := quick(ship.Auto, "w")
	opts.Heartbeat, opts.Keep = time.Hour, 24*time.Millisecond // so that it asks
	w := node(t, unlisted, opts)
	unlisted.away.Store(true)
	time.Sleep(20 * time.Millisecond)
	applied := make(chan error, 1)
	go func() { applied <- w.Apply(put("x", "y"), true) }()
	await(t, "it asks", func() bool { return unlisted.asked.Load() })
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	told := make(chan error, 1)
	go func() { told <- w.HandOver(ctx) }()
	select {
	case err := <-told:
		if !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("HandOver: got %v, want that its time is over", err)
		}
	case <-time.After(10 * time.Second):
		t.Error("HandOver has not returned 10 s after its time")
	}
	unlisted.away.Store(false)
	if err := <-applied; err != nil {
		t.Error(err)
	}
	if err := w.Apply(put("z", "y"), true); err != nil || w.Status().Epoch != 1 {
		t.Errorf("a write afterwards: got %v in epoch %d, want nil in the same", err, w.Status().Epoch)
	}
}

// listless is an engine that does not list what was collected while it is away.
type listless struct {
	ship.Engine
	away, asked atomic.Bool
}

func (l *listless) List(ctx context.Context, prefix, after string) iter.Seq2[string, error] {
	if !l.away.Load() || prefix != "horizon/" {
		return l.Engine.List(ctx, prefix, after)
	}
	l.asked.Store(true)
	return func(yield func(string, error) bool) { yield("", store.ErrUnavailable) }
}
