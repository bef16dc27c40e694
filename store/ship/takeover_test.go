// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package ship_test

import (
	"context"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/uproar-db/uproar/store"
	"github.com/uproar-db/uproar/store/ship"
	"github.com/uproar-db/uproar/store/ship/shiptest"
)

// mute is an engine that does not answer the next call of some kind, ever.
type mute struct {
	ship.Engine
	call atomic.Pointer[string] // the beginning of its method and name
	met  atomic.Bool
}

func (m *mute) set(call string) { m.call.Store(&call) }

// wait waits for the end of a call that gets no answer.
func (m *mute) wait(ctx context.Context, call string) error {
	if want := m.call.Load(); want == nil || !strings.HasPrefix(call, *want) || !m.call.CompareAndSwap(want, nil) {
		return nil
	}
	m.met.Store(true)
	<-ctx.Done()
	return ctx.Err()
}

func (m *mute) Create(ctx context.Context, name string, data []byte) error {
	if err := m.wait(ctx, "create "+name); err != nil {
		return err
	}
	return m.Engine.Create(ctx, name, data)
}

func (m *mute) Get(ctx context.Context, name string) ([]byte, error) {
	if err := m.wait(ctx, "get "+name); err != nil {
		return nil, err
	}
	return m.Engine.Get(ctx, name)
}

// TestTakeOverPastHungCalls has the writer die while a call of the node that is to follow it gets
// no answer, as when a link was cut: that costs no more than the limit of such a call.
func TestTakeOverPastHungCalls(t *testing.T) {
	for _, call := range []string{"get log/", "get checked", "create log/"} {
		t.Run(call, func(t *testing.T) {
			t.Parallel()
			engine := new(shiptest.Memory)
			if err := engine.Create(t.Context(), ship.Checked, []byte("{}")); err != nil {
				t.Fatal(err)
			}
			line := shiptest.NewFaulty(engine, 1, shiptest.Faults{})
			w := node(t, line, quick(ship.Writer, "w"))
			silent := &mute{Engine: engine}
			opts := quick(ship.Auto, "f")
			opts.Unchecked = false
			f := node(t, silent, opts)
			line.Cut() // the writer
			begun := time.Now()
			silent.set(call)
			await(t, "the other leads", func() bool { return f.Status().Leads })
			if took := time.Since(begun); !silent.met.Load() || took > 5*time.Second {
				t.Errorf("got a takeover after %v, with such a call: %v; want 5 s at most", took, silent.met.Load())
			}
			line.Heal()
			await(t, "the writer follows", func() bool { return !w.Status().Leads })
		})
	}
}

// slow is an engine whose objects of the log take a time to create.
type slow struct {
	ship.Engine
	takes atomic.Int64 // time.Duration
}

func (s *slow) Create(ctx context.Context, name string, data []byte) error {
	if strings.HasPrefix(name, "log/") {
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(time.Duration(s.takes.Load())):
		}
	}
	return s.Engine.Create(ctx, name, data)
}

// TestSlowCreate has an object take longer than a call may at first, on storage that answers all
// else at once: the call gets more time.
func TestSlowCreate(t *testing.T) {
	if testing.Short() {
		t.Skip("waits for the limit of a call")
	}
	t.Parallel()
	s := &slow{Engine: new(shiptest.Memory)}
	opts := quick(ship.Writer, "w")
	opts.Heartbeat = time.Hour
	w := node(t, s, opts)
	s.takes.Store(int64(3 * time.Second))
	done := make(chan error, 1)
	go func() { done <- w.Apply(put("x", "y"), true) }()
	select {
	case err := <-done:
		if err != nil {
			t.Error(err)
		}
	case <-time.After(20 * time.Second):
		t.Error("an object that takes 3 s is not there after 20 s")
	}
	s.takes.Store(0)
}

// TestTakeOverOverLosses has the writer die while the other node loses every tenth call: what it
// cannot ask at times says nothing of the writer.
func TestTakeOverOverLosses(t *testing.T) {
	engine := new(shiptest.Memory)
	line := shiptest.NewFaulty(engine, 1, shiptest.Faults{})
	opts := quick(ship.Writer, "w")
	opts.Heartbeat = 200 * time.Millisecond
	node(t, line, opts)
	opts.Role, opts.Node.ID = ship.Auto, "f"
	f := node(t, shiptest.NewFaulty(engine, 2, shiptest.Faults{LostRequests: 0.05, LostReplies: 0.05}), opts)
	line.Cut()
	begun := time.Now()
	await(t, "the other leads", func() bool { return f.Status().Leads })
	if took := time.Since(begun); took > 3*time.Second {
		t.Errorf("got a takeover after %v, want one after %v and a little", took, 3*opts.Heartbeat)
	}
	line.Heal()
}

// TestStorageComesBack has no node reach the storage for long: when it is there again, the writer
// leads on.
func TestStorageComesBack(t *testing.T) {
	if testing.Short() {
		t.Skip("waits for heartbeats of a second")
	}
	engine := new(shiptest.Memory)
	opts := quick(ship.Writer, "w")
	opts.Heartbeat = time.Second
	lines := []*shiptest.Faulty{shiptest.NewFaulty(engine, 1, shiptest.Faults{}),
		shiptest.NewFaulty(engine, 2, shiptest.Faults{})}
	w := node(t, lines[0], opts)
	opts.Role, opts.Node.ID = ship.Auto, "f"
	f := node(t, lines[1], opts)
	for _, l := range lines {
		l.Cut()
	}
	time.Sleep(5 * time.Second)
	for _, l := range lines {
		l.Heal()
	}
	if err := w.Apply(put("x", "y"), true); err != nil {
		t.Errorf("a write after it: got %v", err)
	}
	time.Sleep(2 * time.Second)
	if !w.Status().Leads || f.Status().Takeovers != 0 {
		t.Error("the other node has taken over")
	}
}

// TestTakeOverAsksAgainSoon has a node be refused when it is to take over: it does not wait for as
// long as others may need.
func TestTakeOverAsksAgainSoon(t *testing.T) {
	engine := new(shiptest.Memory)
	opts := quick(ship.Writer, "w")
	opts.Heartbeat = 500 * time.Millisecond
	line := shiptest.NewFaulty(engine, 1, shiptest.Faults{})
	w := node(t, line, opts)
	opts.Role, opts.Node.ID, opts.Unchecked = ship.Auto, "f", false
	f := node(t, engine, opts) // and the storage has not passed
	line.Cut()
	begun := time.Now()
	time.Sleep(4 * opts.Heartbeat) // it has tried
	if err := engine.Create(t.Context(), ship.Checked, []byte("{}")); err != nil {
		t.Fatal(err)
	}
	since := time.Now()
	await(t, "the other leads", func() bool { return f.Status().Leads })
	if took := time.Since(since); since.Sub(begun) < 4*opts.Heartbeat || took > 2*opts.Heartbeat {
		t.Errorf("got a takeover %v after the storage has passed, want %v at most", took, 2*opts.Heartbeat)
	}
	line.Heal()
	await(t, "a fenced writer", func() bool { return w.Apply(put("x", "y"), true) == store.ErrFenced })
}
