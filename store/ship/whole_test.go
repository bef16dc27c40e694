// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package ship_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/uproar-db/uproar/store/memstore"
	"github.com/uproar-db/uproar/store/ship"
	"github.com/uproar-db/uproar/store/ship/shiptest"
)

// remove removes the objects with a prefix from a name on.
func remove(t *testing.T, e ship.Engine, prefix, from string) {
	t.Helper()
	for _, name := range namesOf(t, e, prefix) {
		if name >= from {
			if err := e.Delete(t.Context(), name); err != nil {
				t.Fatal(err)
			}
		}
	}
}

// TestLogIsGone removes the log under nodes that run, or has it be as it was before, or another.
// They notice, say what they miss, and acknowledge nothing more.
func TestLogIsGone(t *testing.T) {
	for _, c := range []struct {
		what   string
		change func(t *testing.T, e ship.Engine)
		want   string
	}{
		{"removed", func(t *testing.T, e ship.Engine) { remove(t, e, "", "") }, "log.json"},
		{"rolled back", func(t *testing.T, e ship.Engine) {
			remove(t, e, "log/", fmt.Sprintf("log/%020d", 10))
		}, "log/000000"},
		{"another", func(t *testing.T, e ship.Engine) {
			remove(t, e, "log.json", "")
			other := new(shiptest.Memory)
			node(t, other, quick(ship.Writer, "w"))
			id, err := other.Get(t.Context(), "log.json")
			if err == nil {
				err = e.Create(t.Context(), "log.json", id)
			}
			if err != nil {
				t.Fatal(err)
			}
		}, "got log"},
	} {
		t.Run(c.what, func(t *testing.T) {
			t.Parallel()
			engine := new(shiptest.Memory)
			w := node(t, engine, quick(ship.Writer, "w"))
			f := node(t, engine, quick(ship.Auto, "f"))
			for i := range 40 {
				if err := w.Apply(put(fmt.Sprint(i), "x"), true); err != nil {
					t.Fatal(err)
				}
			}
			awaitEqual(t, w, f)
			time.Sleep(300 * time.Millisecond) // they have looked at it
			c.change(t, engine)
			for _, s := range []*ship.Store{w, f} {
				await(t, "it stops", func() bool { return s.Status().Failure != nil })
				err := s.Status().Failure
				if _, ok := errors.AsType[*ship.DamagedError](err); !ok || !strings.Contains(err.Error(), c.want) {
					t.Errorf("got %v, want a DamagedError with %q", err, c.want)
				}
				if err := s.Apply(put("after", "x"), true); err == nil {
					t.Error("a node without its log takes a batch")
				}
				if got := content(t, s); got["a39"] != "x" {
					t.Error("what the node had is not read")
				}
			}
		})
	}
}

// TestFolderIsAhead opens a node whose folder has more than the log, which is again as it was
// before, and maybe has gone on since.
func TestFolderIsAhead(t *testing.T) {
	for _, on := range []bool{false, true} {
		engine, local := new(shiptest.Memory), memstore.New()
		for _, writes := range []int{10, 40} {
			w := open(t, keepOpen{local}, engine, quick(ship.Writer, "w"))
			for i := range writes {
				if err := w.Apply(put(fmt.Sprint(i), "x"), true); err != nil {
					t.Fatal(err)
				}
			}
			if err := w.Close(); err != nil {
				t.Fatal(err)
			}
		}
		remove(t, engine, "log/", fmt.Sprintf("log/%020d", 6))
		if on {
			other := node(t, engine, quick(ship.Writer, "other"))
			for i := range 100 {
				if err := other.Apply(put(fmt.Sprint(i), "y"), true); err != nil {
					t.Fatal(err)
				}
			}
		}
		_, err := ship.Open(t.Context(), local, engine, quick(ship.Auto, "w"))
		if _, ok := errors.AsType[*ship.DamagedError](err); !ok || !strings.Contains(err.Error(), "try") {
			t.Errorf("the log has gone on: %v; got %v, want a DamagedError that says what to try", on, err)
		}
	}
}

// TestNoFork has a node begin in a log that has lost its last objects, which another node has: it
// does not make others in their place.
func TestNoFork(t *testing.T) {
	engine := new(shiptest.Memory)
	line := shiptest.NewFaulty(engine, 1, shiptest.Faults{})
	w := node(t, line, quick(ship.Writer, "w"))
	for i := range 40 {
		if err := w.Apply(put(fmt.Sprint(i), "x"), true); err != nil {
			t.Fatal(err)
		}
	}
	node(t, engine, quick(ship.Reader, "r"))
	await(t, "the reader says how far it is", func() bool {
		o, err := ship.Look(t.Context(), engine)
		if err != nil {
			t.Fatal(err)
		}
		for _, n := range o.Nodes {
			if n.ID == "r" && n.Object > 40 {
				return true
			}
		}
		return false
	})
	line.Cut()
	remove(t, engine, "log/", fmt.Sprintf("log/%020d", 10))
	f := node(t, engine, quick(ship.Auto, "f"))
	await(t, "it stops", func() bool { return f.Status().Failure != nil })
	err := f.Status().Failure
	if _, ok := errors.AsType[*ship.DamagedError](err); !ok || !strings.Contains(err.Error(), "node r") {
		t.Errorf("got %v, want a DamagedError that names the node", err)
	}
	if names := namesOf(t, engine, "log/"); len(names) != 9 || f.Status().Takeovers != 0 {
		t.Errorf("got %d objects and %d takeovers, want the 9 that were left, and none", len(names), f.Status().Takeovers)
	}
	line.Heal()
}

// TestNoIdentity: where there are objects of a log without the one that says which, no node begins.
func TestNoIdentity(t *testing.T) {
	engine := new(shiptest.Memory)
	w := node(t, engine, quick(ship.Writer, "w"))
	if err := w.Apply(put("1", "x"), true); err != nil {
		t.Fatal(err)
	}
	remove(t, engine, "log.json", "")
	_, err := ship.Open(t.Context(), memstore.New(), engine, quick(ship.Auto, "f"))
	if _, ok := errors.AsType[*ship.DamagedError](err); !ok {
		t.Errorf("got %v, want a DamagedError", err)
	}
	if names := namesOf(t, engine, "log.json"); len(names) != 0 {
		t.Error("the node has given the log another identity")
	}
}
