// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package ship_test

import (
	"context"
	"fmt"
	"log/slog"
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

// forgetful is an engine that does not answer some calls for objects of the log, ever.
type forgetful struct {
	ship.Engine
	every uint64 // one call of so many
	calls atomic.Uint64
	lost  atomic.Uint64
}

func (f *forgetful) Get(ctx context.Context, name string) ([]byte, error) {
	if strings.HasPrefix(name, "log/") && f.calls.Add(1)%f.every == 0 {
		f.lost.Add(1)
		<-ctx.Done()
		return nil, ctx.Err()
	}
	return f.Engine.Get(ctx, name)
}

// TestLostCalls has an empty node read a long log over storage that does not answer every fiftieth
// call. It does not wait for such a call until its limit.
func TestLostCalls(t *testing.T) {
	const objects = 1000
	engine := new(shiptest.Memory)
	w := node(t, engine, quick(ship.Writer, "w"))
	for i := range objects {
		if err := w.Apply(put(fmt.Sprint(i), "x"), true); err != nil {
			t.Fatal(err)
		}
	}
	line := &forgetful{Engine: shiptest.NewFaulty(engine, 1, shiptest.Faults{Latency: 2 * time.Millisecond}), every: 50}
	start := time.Now()
	r, err := ship.Open(t.Context(), memstore.New(), line, quick(ship.Reader, "r"))
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	took := time.Since(start)
	t.Logf("%d calls, of which %d were lost, in %v", line.calls.Load(), line.lost.Load(), took)
	if lost := line.lost.Load(); lost < 10 || took > 20*time.Second {
		t.Errorf("got %d lost calls, and a node that has begun after %v; want at least 10, and 20 s", lost, took)
	}
	if calls := line.calls.Load(); calls > objects*3/2 {
		t.Errorf("got %d calls for %d objects, want no more than half as many again", calls, objects)
	}
	if got := len(awaitEqual(t, w, r)); got != 2*objects {
		t.Errorf("got %d entries, want %d", got, 2*objects)
	}
}

// closing is a watcher that is closed when it is told of objects, and closingFirst when it is to
// lead.
type (
	closing      struct{ follower }
	closingFirst struct{ follower }
)

func (closing) Applied([][]byte) error { return fmt.Errorf("closing: %w", store.ErrClosed) }
func (closingFirst) Lead(uint64) error { return fmt.Errorf("closing: %w", store.ErrClosed) }

// TestClosingIsNoError has nodes get objects, and lead, whose databases are being closed, and one
// that is fenced: none of that is an error of the log.
func TestClosingIsNoError(t *testing.T) {
	engine := new(shiptest.Memory)
	var log logged
	logging := func(role ship.Role, name string) ship.Options {
		opts := quick(role, name)
		opts.Logger = slog.New(slog.NewTextHandler(&log, nil))
		return opts
	}
	w := node(t, engine, logging(ship.Writer, "w"))
	r, err := ship.Open(t.Context(), memstore.New(), engine, logging(ship.Reader, "r"))
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	r.Watch(closing{})
	next, err := ship.Open(t.Context(), memstore.New(), engine, logging(ship.Auto, "next"))
	if err != nil {
		t.Fatal(err)
	}
	defer next.Close()
	next.Watch(closingFirst{})
	await(t, "the reader stops", func() bool { return r.Status().Failure != nil })
	w2 := node(t, engine, logging(ship.Writer, "w2"))
	await(t, "the first follows", func() bool { return !w.Status().Leads })
	await(t, "the other is to lead", func() bool {
		for _, n := range []*ship.Store{w, w2} {
			_ = n.HandOver(t.Context()) // or it does not lead
		}
		return next.Status().Takeovers > 0 && !next.Status().Leads
	})
	if text := log.String(); strings.Contains(text, "ERROR") || !strings.Contains(text, "fenced") ||
		!strings.Contains(text, "cannot lead") {
		t.Errorf("want that one is fenced, and no error, in this log:\n%s", text)
	}
}

// logged is a log that is kept.
type logged struct {
	mu   sync.Mutex
	text strings.Builder
}

func (l *logged) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.Write(p)
}

func (l *logged) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.String()
}
