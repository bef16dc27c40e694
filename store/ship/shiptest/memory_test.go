// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package shiptest_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/uproar-db/uproar/store"
	"github.com/uproar-db/uproar/store/ship"
	"github.com/uproar-db/uproar/store/ship/shiptest"
)

func TestMemory(t *testing.T) {
	shiptest.RunEngine(t, func(*testing.T) ship.Engine { return new(shiptest.Memory) })
}

// TestFaulty: an engine that fails with store.ErrUnavailable only is still one.
func TestFaulty(t *testing.T) {
	seed := uint64(time.Now().UnixNano())
	t.Logf("seed %d", seed)
	shiptest.RunEngine(t, func(*testing.T) ship.Engine {
		return shiptest.NewFaulty(new(shiptest.Memory), seed, shiptest.Faults{LostRequests: 0.1, LostReplies: 0.1})
	})
}

// TestFaultyWithoutFaults: what it passes on is the engine's.
func TestFaultyWithoutFaults(t *testing.T) {
	shiptest.RunEngine(t, func(*testing.T) ship.Engine {
		return shiptest.NewFaulty(new(shiptest.Memory), 1, shiptest.Faults{})
	})
}

func faulty(t *testing.T, faults shiptest.Faults) (*shiptest.Faulty, *shiptest.Memory) {
	m := new(shiptest.Memory)
	f := shiptest.NewFaulty(m, 34, faults)
	t.Cleanup(func() {
		f.Resume()
		if err := f.Close(); err != nil {
			t.Error(err)
		}
	})
	return f, m
}

func has(t *testing.T, e ship.Engine, name string) bool {
	t.Helper()
	_, err := e.Get(t.Context(), name)
	if err != nil && !errors.Is(err, store.ErrNotFound) {
		t.Fatalf("Get(%q): %v", name, err)
	}
	return err == nil
}

// TestFaultyLoses: a lost request leaves nothing, a lost reply the object, a delayed request the
// object after a while. Each fails, at about its share.
func TestFaultyLoses(t *testing.T) {
	const calls = 400
	for _, c := range []struct {
		name        string
		faults      shiptest.Faults
		there, soon bool // the object of a call that failed: at once, and after a while
	}{
		{"request", shiptest.Faults{LostRequests: 0.5}, false, false},
		{"reply", shiptest.Faults{LostReplies: 0.5}, true, true},
		{"delayed", shiptest.Faults{Delayed: 0.5}, false, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			f, m := faulty(t, c.faults)
			var failed []string
			early := 0
			for i := range calls {
				name := fmt.Sprint(i)
				data := []byte(name)
				err := f.Create(t.Context(), name, data)
				clear(data) // a delayed call must have its own
				if err == nil {
					if !has(t, m, name) {
						t.Fatalf("Create(%q) returned nil, and there is no object", name)
					}
					continue
				}
				if !errors.Is(err, store.ErrUnavailable) {
					t.Fatalf("Create(%q): got %v, want store.ErrUnavailable", name, err)
				}
				if has(t, m, name) {
					early++
				}
				failed = append(failed, name)
			}
			if n := len(failed); n < calls/3 || n > calls*2/3 {
				t.Errorf("%d of %d calls failed, want about half", n, calls)
			}
			if share := float64(early) / float64(len(failed)); c.there && share != 1 || !c.there && share > 0.2 {
				t.Errorf("%d of %d calls that failed had done their work, want %v", early, len(failed), c.there)
			}
			time.Sleep(150 * time.Millisecond)
			for _, name := range failed {
				if has(t, m, name) != c.soon {
					t.Fatalf("object %q of a call that failed: there after a while: got %v, want %v", name, !c.soon, c.soon)
				}
				if data, _ := m.Get(t.Context(), name); c.soon && !bytes.Equal(data, []byte(name)) {
					t.Fatalf("object %q: got %q", name, data)
				}
			}
		})
	}
}

// TestFaultyIsDrawn: of calls one after the other the same seed fails the same ones.
func TestFaultyIsDrawn(t *testing.T) {
	outcomes := func() (s string) {
		f, _ := faulty(t, shiptest.Faults{LostRequests: 0.2, LostReplies: 0.2})
		for i := range 100 {
			if f.Create(t.Context(), fmt.Sprint(i), nil) == nil {
				s += "+"
			} else {
				s += "-"
			}
		}
		return s
	}
	if a, b := outcomes(), outcomes(); a != b {
		t.Errorf("two runs with one seed: got %s and %s", a, b)
	}
}

func TestFaultyLatency(t *testing.T) {
	f, _ := faulty(t, shiptest.Faults{Latency: 5 * time.Millisecond})
	start := time.Now()
	for i := range 20 {
		if err := f.Create(t.Context(), fmt.Sprint(i), nil); err != nil {
			t.Fatal(err)
		}
	}
	if d := time.Since(start); d < 40*time.Millisecond {
		t.Errorf("20 calls of 5 ms on average took %v", d)
	}
}

// TestFaultyStalls: calls wait, and go on when the stall ends. Some have done their work.
func TestFaultyStalls(t *testing.T) {
	f, m := faulty(t, shiptest.Faults{})
	f.Stall()
	f.Stall()
	done := make(chan error, 40)
	for i := range cap(done) {
		go func() { done <- f.Create(t.Context(), fmt.Sprint(i), nil) }()
	}
	select {
	case err := <-done:
		t.Fatalf("a call ended in a stall: %v", err)
	case <-time.After(30 * time.Millisecond):
	}
	there := 0
	for i := range cap(done) {
		if has(t, m, fmt.Sprint(i)) {
			there++
		}
	}
	if there == 0 || there == cap(done) {
		t.Errorf("%d of %d calls in a stall had done their work, want some", there, cap(done))
	}
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Millisecond)
	defer cancel()
	if _, err := f.Get(ctx, "0"); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("Get in a stall: got %v, want the context's error", err)
	}
	f.Resume()
	for range cap(done) {
		if err := <-done; err != nil {
			t.Errorf("a call after a stall: %v", err)
		}
	}
}

// TestFaultyCuts: all calls fail, those that wait too, and none of them later.
func TestFaultyCuts(t *testing.T) {
	f, m := faulty(t, shiptest.Faults{})
	if err := m.Create(t.Context(), "old", nil); err != nil {
		t.Fatal(err)
	}
	f.Stall()
	waiting := make(chan error)
	go func() {
		_, err := f.Get(t.Context(), "old")
		waiting <- err
	}()
	time.Sleep(5 * time.Millisecond)
	f.Cut()
	f.Cut()
	if err := <-waiting; !errors.Is(err, store.ErrUnavailable) {
		t.Errorf("a call that waits when the cut comes: got %v, want store.ErrUnavailable", err)
	}
	f.Resume()
	_, err := f.Get(t.Context(), "old")
	for what, err := range map[string]error{"Create": f.Create(t.Context(), "new", nil), "Get": err,
		"Delete": f.Delete(t.Context(), "old")} {
		if !errors.Is(err, store.ErrUnavailable) {
			t.Errorf("%s in a cut: got %v, want store.ErrUnavailable", what, err)
		}
	}
	for _, err := range f.List(t.Context(), "", "") {
		if !errors.Is(err, store.ErrUnavailable) {
			t.Errorf("List in a cut: got %v, want store.ErrUnavailable", err)
		}
	}
	if has(t, m, "new") || !has(t, m, "old") {
		t.Error("a call in a cut did its work")
	}
	f.Heal()
	if err := f.Create(t.Context(), "new", nil); err != nil {
		t.Errorf("Create after a cut: %v", err)
	}
}

// TestFaultyListLag: lists come to show a name after a while, Get at once.
func TestFaultyListLag(t *testing.T) {
	const lag = 60 * time.Millisecond
	f, m := faulty(t, shiptest.Faults{})
	list := func() (names string) {
		for name, err := range f.List(t.Context(), "", "") {
			if err != nil {
				t.Fatal(err)
			}
			names += name
		}
		return names
	}
	f.Set(shiptest.Faults{ListLag: lag})
	start := time.Now()
	if err := errors.Join(f.Create(t.Context(), "a", nil), m.Create(t.Context(), "b", nil)); err != nil {
		t.Fatal(err)
	}
	got := list()
	if time.Since(start) < lag && got != "" {
		t.Errorf("List at once: got %q, want nothing", got)
	}
	if !has(t, f, "a") || !has(t, f, "b") {
		t.Error("Get misses an object")
	}
	time.Sleep(lag)
	if got := list(); got != "ab" {
		t.Errorf("List after %v: got %q, want ab", lag, got)
	}
}

// TestLying: each lie is told at about its share, and not when there is none.
func TestLying(t *testing.T) {
	const calls = 400
	lies := func(l shiptest.Lies) (twice, lost, hidden, unlisted int) {
		e := shiptest.NewLying(new(shiptest.Memory), 34, l)
		for i := range calls {
			name := fmt.Sprint(i)
			if err := e.Create(t.Context(), name, nil); err != nil {
				t.Fatal(err)
			}
			if e.Create(t.Context(), name, nil) == nil {
				twice++
			}
			if !has(t, e.Engine, name) {
				lost++
			} else if !has(t, e, name) {
				hidden++
			}
		}
		unlisted = calls - lost
		for range e.List(t.Context(), "", "") {
			unlisted--
		}
		return twice, lost, hidden, unlisted
	}
	about := func(what string, got int, want float64) {
		t.Helper()
		if share := float64(got) / calls; share < want/2 || share > want*2 {
			t.Errorf("%s: got %d of %d, want a share of %v", what, got, calls, want)
		}
	}
	if a, b, c, d := lies(shiptest.Lies{}); a+b+c+d != 0 {
		t.Errorf("without lies: got %d, %d, %d and %d", a, b, c, d)
	}
	twice, _, _, _ := lies(shiptest.Lies{TwoWinners: 0.2})
	about("two winners", twice, 0.2)
	_, _, hidden, _ := lies(shiptest.Lies{Hidden: 0.2})
	about("hidden", hidden, 0.2)
	_, _, _, unlisted := lies(shiptest.Lies{Unlisted: 0.2})
	about("unlisted", unlisted, 0.2)
	_, lost, _, _ := lies(shiptest.Lies{Lost: 0.4})
	about("lost twice", lost, 0.16)
}

func Example() {
	// Two nodes have an engine in common, each over a network of its own.
	shared := new(shiptest.Memory)
	one := shiptest.NewFaulty(shared, 1, shiptest.Faults{LostReplies: 0.05})
	two := shiptest.NewFaulty(shared, 2, shiptest.Faults{Latency: time.Millisecond})
	one.Cut()
	fmt.Println(errors.Is(one.Create(context.Background(), "log/1", nil), store.ErrUnavailable))
	fmt.Println(two.Create(context.Background(), "log/1", nil))
	// Output:
	// true
	// <nil>
}
