// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package ship_test

import (
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/uproar-db/uproar/store"
	"github.com/uproar-db/uproar/store/memstore"
	"github.com/uproar-db/uproar/store/ship"
	"github.com/uproar-db/uproar/store/ship/shiptest"
)

// namesOf returns the names with a prefix.
func namesOf(t testing.TB, e ship.Engine, prefix string) (found []string) {
	t.Helper()
	for name, err := range e.List(t.Context(), prefix, "") {
		if err != nil {
			t.Fatal(err)
		}
		found = append(found, name)
	}
	return found
}

// TestCheckpoint has nodes begin from checkpoints that were made while others wrote. Each has the
// state of the others, and the objects before are needed no more.
func TestCheckpoint(t *testing.T) {
	engine := new(shiptest.Memory)
	w := node(t, engine, quick(ship.Writer, "w"))
	rng := rand.New(rand.NewPCG(1, 2))
	for i := range 300 {
		b := put(fmt.Sprint(rng.IntN(500)), fmt.Sprint(i))
		b.Put(fmt.Appendf(nil, "page%06d", i), make([]byte, rng.IntN(100<<10)))
		if i%3 == 0 {
			b.Delete(fmt.Appendf(nil, "page%06d", rng.IntN(i+1)))
		}
		if err := w.Apply(b, true); err != nil {
			t.Fatal(err)
		}
		if i%100 == 50 {
			done := make(chan error, 1)
			go func() { done <- w.Checkpoint(t.Context()) }()
			if err := w.Apply(put("beside", fmt.Sprint(i)), true); err != nil {
				t.Fatal(err)
			}
			if err := <-done; err != nil {
				t.Fatal(err)
			}
		}
	}
	if err := w.Checkpoint(t.Context()); err != nil {
		t.Fatal(err)
	}
	o, err := ship.Look(t.Context(), engine)
	if err != nil || len(o.Checkpoints) != 4 {
		t.Fatalf("Look: got %+v and %v, want four checkpoints", o, err)
	}
	newest := o.Checkpoints[3]
	blocks := len(namesOf(t, engine, "blocks/"))
	if want := newest.Bytes / (4 << 20); blocks < int(want) {
		t.Errorf("got %d blocks for %d bytes", blocks, newest.Bytes)
	}
	for _, name := range namesOf(t, engine, "log/") {
		if name <= fmt.Sprintf("log/%020d", newest.Object) {
			if err := engine.Delete(t.Context(), name); err != nil {
				t.Fatal(err)
			}
		}
	}
	begun := node(t, engine, quick(ship.Reader, "begun"))
	if !maps.Equal(content(t, begun), content(t, w)) {
		t.Error("a node that began from the newest checkpoint has another state than the writer")
	}
}

// TestCheckpointShares writes the blocks only that have changed since the checkpoint before.
func TestCheckpointShares(t *testing.T) {
	engine := new(shiptest.Memory)
	w := node(t, engine, quick(ship.Writer, "w"))
	rng := rand.New(rand.NewPCG(3, 4))
	for i := range 1000 {
		page := make([]byte, 32<<10)
		for j := range page {
			page[j] = byte(rng.Uint32())
		}
		b := new(store.Batch)
		b.Put(fmt.Appendf(nil, "page%06d", i), page)
		if err := w.Apply(b, false); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Checkpoint(t.Context()); err != nil {
		t.Fatal(err)
	}
	before := len(namesOf(t, engine, "blocks/"))
	if err := w.Apply(put("x", "y"), true); err != nil { // before all pages
		t.Fatal(err)
	}
	if err := w.Checkpoint(t.Context()); err != nil {
		t.Fatal(err)
	}
	if fresh := len(namesOf(t, engine, "blocks/")) - before; before < 5 || fresh > 2 {
		t.Errorf("got %d blocks, and %d more after a small change; want many, and one or two", before, fresh)
	}
}

// TestRestoreTo restores the state as of any object that is kept.
func TestRestoreTo(t *testing.T) {
	engine := new(shiptest.Memory)
	w := node(t, engine, quick(ship.Writer, "w"))
	states := make(map[uint64]map[string]string)
	for i := range 60 {
		if err := w.Apply(put(fmt.Sprint(i%7), fmt.Sprint(i)), true); err != nil {
			t.Fatal(err)
		}
		states[w.Status().Object] = content(t, w)
		if i%20 == 10 {
			if err := w.Checkpoint(t.Context()); err != nil {
				t.Fatal(err)
			}
		}
	}
	for object, want := range states {
		local := memstore.New()
		if err := ship.RestoreTo(t.Context(), local, engine, object, nil); err != nil {
			t.Fatalf("object %d: %v", object, err)
		}
		if got := content(t, local); !maps.Equal(got, want) {
			t.Errorf("object %d: got %v, want %v", object, got, want)
		}
		if err := ship.RestoreTo(t.Context(), local, engine, object, nil); !errors.Is(err, ship.ErrNotEmpty) {
			t.Errorf("into a store with entries: got %v, want ErrNotEmpty", err)
		}
	}
	if err := ship.RestoreTo(t.Context(), memstore.New(), engine, 1<<40, nil); !errors.Is(err, ship.ErrNotReached) {
		t.Errorf("an object that is yet to come: got %v, want ErrNotReached", err)
	}
}

// TestBegin makes a store with a database of its own the beginning of a log, and refuses it beside
// a log that has begun.
func TestBegin(t *testing.T) {
	engine := new(shiptest.Memory)
	local := memstore.New()
	for i := range 5000 {
		if err := local.Apply(put(fmt.Sprint(i), "old"), false); err != nil {
			t.Fatal(err)
		}
	}
	other := memstore.New()
	if err := other.Apply(put("mine", "x"), false); err != nil {
		t.Fatal(err)
	}
	if _, err := ship.Open(t.Context(), other, engine, quick(ship.Reader, "r")); !errors.Is(err, ship.ErrNotEmpty) {
		t.Errorf("a reader with entries of its own: got %v, want ErrNotEmpty", err)
	}
	w := open(t, local, engine, quick(ship.Auto, "w"))
	defer w.Close()
	if err := w.Apply(put("new", "x"), true); err != nil {
		t.Fatal(err)
	}
	if _, err := ship.Open(t.Context(), other, engine, quick(ship.Auto, "o")); !errors.Is(err, ship.ErrNotEmpty) {
		t.Errorf("a second database: got %v, want ErrNotEmpty", err)
	}
	if got := len(awaitEqual(t, w, node(t, engine, quick(ship.Reader, "r")))); got != 10002 {
		t.Errorf("got %d entries, want 10002", got)
	}
	another := new(shiptest.Memory)
	moved := memstore.New()
	if err := open(t, moved, another, quick(ship.Auto, "w")).Apply(put("x", "y"), true); err != nil {
		t.Fatal(err)
	}
	if _, err := ship.Open(t.Context(), moved, engine, quick(ship.Auto, "w")); !errors.Is(err, ship.ErrOtherLog) {
		t.Errorf("a folder of another log: got %v, want ErrOtherLog", err)
	}
}

// TestTrimmed has a node sleep until the objects that it needs are gone. It says so, and begins
// anew from a checkpoint when it is opened again.
func TestTrimmed(t *testing.T) {
	engine := new(shiptest.Memory)
	opts := quick(ship.Auto, "w")
	opts.Keep, opts.CheckpointEvery = 300*time.Millisecond, 30*time.Millisecond
	w := node(t, engine, opts)
	local := memstore.New()
	line := shiptest.NewFaulty(engine, 1, shiptest.Faults{})
	opts = quick(ship.Reader, "r")
	opts.Keep = 300 * time.Millisecond
	r := open(t, local, line, opts)
	r.Watch(follower{})
	line.Cut()
	at := r.Status().Object
	await(t, "the objects after the sleeper's last are gone", func() bool {
		if err := w.Apply(put(fmt.Sprint(time.Now()), "x"), true); err != nil {
			t.Fatal(err)
		}
		first := namesOf(t, engine, "log/")[0]
		return first > fmt.Sprintf("log/%020d", at+2)
	})
	line.Heal()
	await(t, "the node says that objects are gone", func() bool {
		return errors.Is(r.Status().Failure, ship.ErrTrimmed)
	})
	again := open(t, keepOpen{local}, engine, opts)
	again.Watch(follower{})
	defer again.Close()
	awaitEqual(t, w, again)
}

// keepOpen is a store that outlives Close.
type keepOpen struct{ store.Store }

func (keepOpen) Close() error { return nil }

// TestDamage flips bits of objects: a node that meets one stops and names it. None shows a state
// that never was.
func TestDamage(t *testing.T) {
	engine := new(shiptest.Memory)
	w := node(t, engine, quick(ship.Writer, "w"))
	states := []map[string]string{{}}
	for i := range 30 {
		if err := w.Apply(put(fmt.Sprint(i%5), fmt.Sprint(i)), true); err != nil {
			t.Fatal(err)
		}
		states = append(states, content(t, w))
	}
	rng := rand.New(rand.NewPCG(5, 6))
	objects := namesOf(t, engine, "log/")
	for range 200 {
		name := objects[rng.IntN(len(objects))]
		copied := new(shiptest.Memory)
		for _, n := range append(namesOf(t, engine, "log"), ship.Checked) {
			data, err := engine.Get(t.Context(), n)
			if errors.Is(err, store.ErrNotFound) {
				continue
			}
			if err != nil {
				t.Fatal(err)
			}
			if n == name {
				data[rng.IntN(len(data))] ^= 1 << rng.IntN(8)
			}
			if err := copied.Create(t.Context(), n, data); err != nil {
				t.Fatal(err)
			}
		}
		local := memstore.New()
		_, err := ship.Open(t.Context(), local, copied, quick(ship.Reader, "r"))
		damaged, ok := errors.AsType[*ship.DamagedError](err)
		if !ok || !strings.Contains(damaged.Error(), name) || !errors.Is(err, store.ErrCorrupt) {
			t.Fatalf("a flipped bit of %s: got %v, want a DamagedError that names it", name, err)
		}
		got := content(t, local)
		maps.DeleteFunc(got, func(key, _ string) bool { return key[0] == 0xff })
		known := false
		for _, s := range states {
			known = known || maps.Equal(s, got)
		}
		if !known {
			t.Fatalf("a flipped bit of %s: got the state %v, which never was", name, got)
		}
	}
}

// TestCheckpointAfterMuchLog writes much within the time for which no checkpoint is due: the node
// that follows makes one all the same, and no more than the log is worth.
func TestCheckpointAfterMuchLog(t *testing.T) {
	engine := new(shiptest.Memory)
	w := node(t, engine, quick(ship.Writer, "w"))
	node(t, engine, quick(ship.Reader, "r"))
	write := func(bytes int) {
		for n := range bytes / (3 << 20) {
			if err := w.Apply(pages(n%2), true); err != nil {
				t.Fatal(err)
			}
		}
	}
	write(48 << 20)
	time.Sleep(1200 * time.Millisecond) // more than it takes to look
	if found := namesOf(t, engine, "checkpoint/"); len(found) > 0 {
		t.Errorf("after 48 MB of log: got %v, want no checkpoint yet", found)
	}
	write(24 << 20)
	await(t, "a checkpoint", func() bool { return len(namesOf(t, engine, "checkpoint/")) == 1 })
	time.Sleep(2200 * time.Millisecond)
	if found := namesOf(t, engine, "checkpoint/"); len(found) != 1 {
		t.Errorf("got %v, want one checkpoint", found)
	}
}
