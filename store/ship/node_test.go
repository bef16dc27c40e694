// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package ship_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"sync"
	"testing"
	"time"

	"github.com/uproar-db/uproar/store"
	"github.com/uproar-db/uproar/store/memstore"
	"github.com/uproar-db/uproar/store/ship"
	"github.com/uproar-db/uproar/store/ship/shiptest"
)

// follower is a watcher that keeps nothing, and is content with all that happens.
type follower struct{}

func (follower) Keeps([]byte) bool      { return false }
func (follower) Applied([][]byte) error { return nil }
func (follower) Lead(uint64) error      { return nil }
func (follower) Follow() error          { return nil }

// quick are the options of nodes whose heart beats fast.
func quick(role ship.Role, name string) ship.Options {
	return ship.Options{Role: role, Node: ship.Node{ID: name, URL: "http://" + name}, Unchecked: true,
		Poll: time.Millisecond, Heartbeat: 40 * time.Millisecond, Interval: 2 * time.Millisecond,
		CheckpointEvery: time.Hour, Logger: slog.New(slog.DiscardHandler)}
}

// node opens a node over a store in memory, which is closed with the test.
func node(t testing.TB, e ship.Engine, opts ship.Options) *ship.Store {
	t.Helper()
	s := open(t, memstore.New(), e, opts)
	s.Watch(follower{})
	t.Cleanup(func() {
		if err := s.Close(); err != nil && !errors.Is(err, store.ErrClosed) {
			t.Errorf("Close: %v", err)
		}
	})
	return s
}

// put is a batch of entries under two keys, of which neither is there without the other.
func put(key, value string) *store.Batch {
	b := new(store.Batch)
	b.Put([]byte("a"+key), []byte(value))
	b.Put([]byte("b"+key), []byte(value))
	return b
}

// content returns all entries of a store.
func content(t testing.TB, s store.Store) map[string]string {
	t.Helper()
	all := make(map[string]string)
	err := s.Scan(nil, nil, func(key, value []byte) error {
		all[string(key)] = string(value)
		return nil
	})
	if err != nil {
		t.Fatalf("Scan: %v", err)
	}
	return all
}

// await waits until something is so.
func await(t testing.TB, what string, so func() bool) {
	t.Helper()
	for end := time.Now().Add(30 * time.Second); !so(); time.Sleep(time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("waited 30 s for this: %s", what)
		}
	}
}

// awaitEqual waits until nodes have applied the same, and returns it.
func awaitEqual(t testing.TB, nodes ...*ship.Store) map[string]string {
	t.Helper()
	first := content(t, nodes[0])
	await(t, "all nodes have the same entries", func() bool {
		first = content(t, nodes[0])
		for _, s := range nodes[1:] {
			if !maps.Equal(first, content(t, s)) {
				return false
			}
		}
		return true
	})
	for key, value := range first {
		if key[0] == 'a' && first["b"+key[1:]] != value {
			t.Errorf("torn: entry %s without its pair", key)
		}
	}
	return first
}

// gate is an engine that has calls of Create wait.
type gate struct {
	ship.Engine
	mu   sync.Mutex
	wait func(name string) <-chan struct{} // nil: the call goes on
}

func (g *gate) set(wait func(name string) <-chan struct{}) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.wait = wait
}

func (g *gate) Create(ctx context.Context, name string, data []byte) error {
	g.mu.Lock()
	wait := g.wait
	g.mu.Unlock()
	if wait != nil {
		if c := wait(name); c != nil {
			select {
			case <-c:
			case <-ctx.Done():
				return ctx.Err()
			}
		}
	}
	return g.Engine.Create(ctx, name, bytes.Clone(data))
}

// TestTwoWriters has four nodes take the log from each other, over engines that lose requests and
// replies and do things late: what was acknowledged is on every node afterwards, once and whole.
func TestTwoWriters(t *testing.T) {
	engine := new(shiptest.Memory)
	faults := shiptest.Faults{Latency: time.Millisecond, LostRequests: 0.05, LostReplies: 0.05, Delayed: 0.05}
	var nodes []*ship.Store
	var lines []*shiptest.Faulty
	for i := range 4 {
		line := shiptest.NewFaulty(engine, uint64(i), faults)
		lines = append(lines, line)
		nodes = append(nodes, node(t, line, quick(ship.Auto, fmt.Sprint("n", i))))
	}
	length := 2 * time.Second
	if long {
		length = time.Minute
	}
	began := time.Now()
	ctx, cancel := context.WithTimeout(t.Context(), length+time.Minute) // a machine may be busy
	defer cancel()
	var mu sync.Mutex
	ledger := make(map[string]string)
	shown := func() bool { // something is
		mu.Lock()
		defer mu.Unlock()
		takeovers := uint64(0)
		for _, s := range nodes {
			takeovers += s.Status().Takeovers
		}
		return takeovers >= 3 && len(ledger) >= 100
	}
	var work sync.WaitGroup
	for i, s := range nodes {
		for w := range 3 {
			work.Go(func() {
				for n := 0; ctx.Err() == nil; n++ {
					key := fmt.Sprintf("%d-%d-%06d", i, w, n)
					err := s.Apply(put(key, key), true)
					switch {
					case err == nil:
						mu.Lock()
						ledger["a"+key], ledger["b"+key] = key, key
						mu.Unlock()
					case errors.Is(err, store.ErrFenced):
						time.Sleep(time.Millisecond)
					default:
						t.Errorf("Apply on node %d: %v", i, err)
						return
					}
				}
			})
		}
	}
	for turns := 0; ctx.Err() == nil && (time.Since(began) < length || !shown()); turns++ {
		i := turns % len(nodes)
		switch turns % 3 {
		case 0:
			if nodes[i].Status().Leads {
				_ = nodes[i].HandOver(ctx) // it may have been fenced already
			}
		case 1:
			lines[i].Cut()
			time.Sleep(200 * time.Millisecond)
			lines[i].Heal()
		case 2:
			lines[i].Stall()
			time.Sleep(200 * time.Millisecond)
			lines[i].Resume()
		}
		time.Sleep(20 * time.Millisecond)
	}
	cancel()
	for _, l := range lines {
		l.Set(shiptest.Faults{})
	}
	await(t, "the writers have been told", func() bool { work.Wait(); return true })
	all := awaitEqual(t, nodes...)
	takeovers := uint64(0)
	for i, s := range nodes {
		st := s.Status()
		takeovers += st.Takeovers
		if st.Failure != nil {
			t.Errorf("node %d: %v", i, st.Failure)
		}
	}
	for key, value := range ledger {
		if all[key] != value {
			t.Errorf("lost: %s was acknowledged", key)
		}
	}
	if takeovers < 3 || len(ledger) < 100 {
		t.Errorf("got %d takeovers and %d entries, want more, or this shows nothing", takeovers, len(ledger))
	}
	t.Logf("%d takeovers, %d entries acknowledged", takeovers, len(ledger))
}

// TestZombie has a writer sleep through a takeover and the collection of the objects after its last
// one. Its number is free again: what it then creates is in no log, and is not acknowledged.
func TestZombie(t *testing.T) {
	engine := new(shiptest.Memory)
	line, awake := &gate{Engine: engine}, make(chan struct{})
	keep := 600 * time.Millisecond
	opts := quick(ship.Auto, "sleeper")
	opts.Keep = keep
	sleeper := node(t, line, opts)
	if err := sleeper.Apply(put("1", "x"), true); err != nil {
		t.Fatal(err)
	}
	last := sleeper.Status().Object
	others := quick(ship.Auto, "other")
	others.Keep, others.CheckpointEvery = keep, 50*time.Millisecond
	other := node(t, engine, others)
	line.set(func(string) <-chan struct{} { return awake })
	reply := make(chan error, 1)
	go func() { reply <- sleeper.Apply(put("2", "zombie"), true) }()
	await(t, "the other leads", func() bool { return other.Status().Leads })
	await(t, "the numbers after the sleeper's last are free again", func() bool {
		if err := other.Apply(put("3", fmt.Sprint(time.Now())), true); err != nil {
			t.Fatal(err)
		}
		_, err := engine.Get(t.Context(), fmt.Sprintf("log/%020d", last+maxFlights))
		return errors.Is(err, store.ErrNotFound) && other.Status().Object > last+maxFlights
	})
	close(awake)
	if err := <-reply; !errors.Is(err, store.ErrFenced) {
		t.Errorf("the sleeper's write: got %v, want ErrFenced", err)
	}
	if got := content(t, other)["a2"]; got != "" {
		t.Errorf("got the sleeper's write on the other node: %q", got)
	}
}

// maxFlights is how many objects a writer has under way at most.
const maxFlights = 4

// TestVoid has a writer die with an object under way while the one after it exists already. That is
// void, because the next writer takes the number before.
func TestVoid(t *testing.T) {
	engine := new(shiptest.Memory)
	g := &gate{Engine: engine}
	first := node(t, g, quick(ship.Auto, "first"))
	for i := range 2 * maxFlights { // beyond the numbers after a takeover
		if err := first.Apply(put(fmt.Sprint("before", i), "x"), true); err != nil {
			t.Fatal(err)
		}
	}
	missing := first.Status().Object + 1
	never := make(chan struct{})
	g.set(func(name string) <-chan struct{} {
		if name == fmt.Sprintf("log/%020d", missing) {
			return never
		}
		return nil
	})
	for i := range 3 {
		go first.Apply(put(fmt.Sprint("under way", i), "x"), true)
		time.Sleep(10 * time.Millisecond)
	}
	await(t, "an object after the missing one", func() bool {
		_, err := engine.Get(t.Context(), fmt.Sprintf("log/%020d", missing+1))
		return err == nil
	})
	g.set(func(string) <-chan struct{} { return never }) // dead
	second := node(t, engine, quick(ship.Auto, "second"))
	await(t, "the second leads", func() bool { return second.Status().Leads })
	for i := range 20 {
		if err := second.Apply(put(fmt.Sprint("after", i), "y"), true); err != nil {
			t.Fatal(err)
		}
	}
	third := node(t, engine, quick(ship.Reader, "third"))
	all := awaitEqual(t, second, third)
	want := 2 * (2*maxFlights + 20)
	if len(all) != want {
		t.Errorf("got %d entries, want %d: none that was under way", len(all), want)
	}
	close(never)
	await(t, "the first follows", func() bool { return !first.Status().Leads })
	awaitEqual(t, first, second)
}

// TestLargeBatches has small batches acknowledged while a large one is on its way.
func TestLargeBatches(t *testing.T) {
	engine := new(shiptest.Memory)
	g := &gate{Engine: engine}
	s := node(t, g, quick(ship.Writer, "w"))
	arrived := make(chan struct{})
	g.set(func(name string) <-chan struct{} {
		if name[0] == 'a' { // attached
			return arrived
		}
		return nil
	})
	large := new(store.Batch)
	for i := range 100 {
		large.Put(fmt.Appendf(nil, "large%d", i), bytes.Repeat([]byte{byte(i)}, 64<<10))
	}
	reply := make(chan error, 1)
	go func() { reply <- s.Apply(large, false) }()
	for i := range 50 {
		if err := s.Apply(put(fmt.Sprint(i), "x"), true); err != nil {
			t.Fatal(err)
		}
	}
	select {
	case err := <-reply:
		t.Fatalf("the large batch was done before its object: %v", err)
	default:
	}
	close(arrived)
	if err := <-reply; err != nil {
		t.Fatal(err)
	}
	if got := len(awaitEqual(t, s, node(t, engine, quick(ship.Reader, "r")))); got != 200 {
		t.Errorf("got %d entries, want 200", got)
	}
}
