// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package shiptest

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"

	"github.com/uproar-db/uproar/store"
	"github.com/uproar-db/uproar/store/ship"
)

// testCreateOnce: of the calls for one name at most one returns nil. It is exactly one when every
// call has an answer. The object is then that of the call.
func testCreateOnce(t *testing.T, e *engine) {
	const creators, names = 8, 60
	var outcomes [names][creators]error
	var wg sync.WaitGroup
	for c := range creators {
		wg.Go(func() {
			for n := range names {
				outcomes[n][c] = e.Create(t.Context(), fmt.Sprintf("race/%06d", n), fmt.Appendf(nil, "of %d", c))
			}
		})
	}
	wg.Wait()
	for n := range names {
		name := fmt.Sprintf("race/%06d", n)
		winners, unknown := []string(nil), []string(nil)
		for c, err := range outcomes[n] {
			switch data := fmt.Sprintf("of %d", c); {
			case err == nil:
				winners = append(winners, data)
			case errors.Is(err, store.ErrUnavailable):
				unknown = append(unknown, data)
			case !errors.Is(err, ship.ErrExists):
				t.Fatalf("Create(%q) %s: got %v, want nil, ship.ErrExists or store.ErrUnavailable", name, data, err)
			}
		}
		got, err := e.object(name)
		switch {
		case len(winners) > 1:
			t.Fatalf("Create(%q): %d calls of %d returned nil (%s), want one", name, len(winners), creators, winners)
		case len(winners) == 1 && (err != nil || string(got) != winners[0]):
			t.Fatalf("Get(%q): got %q, %v; want %q, whose Create returned nil", name, got, err, winners[0])
		case len(winners) == 0 && len(unknown) == 0:
			t.Fatalf("Create(%q): none of %d calls returned nil: %v", name, creators, outcomes[n])
		case len(winners) == 0 && len(unknown) < creators && err != nil:
			t.Fatalf("Get(%q): %v; want an object, as calls returned ship.ErrExists: %v", name, err, outcomes[n])
		}
	}
}

func testCreateExists(t *testing.T, e *engine) {
	e.create("log/1", []byte("first"))
	for _, data := range []string{"second", "first", ""} {
		err := again(func() error { return e.Create(t.Context(), "log/1", []byte(data)) })
		if !errors.Is(err, ship.ErrExists) {
			t.Fatalf("Create of %q where there is an object: got %v, want ship.ErrExists", data, err)
		}
	}
	e.expect("log/1", []byte("first"))
	e.expectNames("", "", []string{"log/1"})
}

// testCreateAgain: when the object is deleted, the name is free.
func testCreateAgain(_ *testing.T, e *engine) {
	for _, data := range []string{"one", "two", "three"} {
		e.create("again", []byte(data))
		e.expect("again", []byte(data))
		e.remove("again")
		e.expectMissing("again")
	}
}

// testCreateRefuses: other names and larger objects are errors for ever, and leave nothing.
func testCreateRefuses(t *testing.T, e *engine) {
	refused := func(what, name string, call func() error) {
		t.Helper()
		if err := again(call); err == nil || errors.Is(err, store.ErrUnavailable) ||
			errors.Is(err, store.ErrNotFound) || errors.Is(err, ship.ErrExists) {
			t.Errorf("%s(%.40q): got %v, want an error about the name", what, name, err)
		}
	}
	for _, name := range []string{"", "/", "/a", "a/", "a//b", "..", "../a", "a/../b", ".a", "a b", `a\b`,
		"a\x00b", "é", "a?b", strings.Repeat("n", ship.MaxName+1)} {
		refused("Create", name, func() error { return e.Create(t.Context(), name, []byte("x")) })
		refused("Get", name, func() error {
			_, err := e.Get(t.Context(), name)
			return err
		})
		refused("Delete", name, func() error { return e.Delete(t.Context(), name) })
	}
	large := make([]byte, ship.MaxObject+1)
	err := again(func() error { return e.Create(t.Context(), "large", large) })
	if !errors.Is(err, store.ErrTooLarge) {
		t.Errorf("Create of %d bytes: got %v, want store.ErrTooLarge", len(large), err)
	}
	e.expectMissing("large")
	e.expectNames("", "", nil)
}

// testData: objects of all sizes come back as they were, also those of zeros only.
func testData(t *testing.T, e *engine) {
	sizes := []int{0, 1, 2, 255, 4095, 4096, 4097, 32 << 10, 1<<20 - 1, 1 << 20, 1<<20 + 1, 5<<20 + 1}
	if !testing.Short() {
		sizes = append(sizes, 16<<20+1, ship.MaxObject-1, ship.MaxObject)
	}
	for _, n := range sizes {
		name := fmt.Sprintf("data/%d", n)
		data := bytesOf(n, uint64(n))
		e.create(name, data)
		e.expect(name, data)
		e.remove(name)
	}
	e.create("zeros", make([]byte, 3<<20))
	e.expect("zeros", make([]byte, 3<<20))
}

func testOwnership(_ *testing.T, e *engine) {
	data := bytesOf(5000, 1)
	want := bytes.Clone(data)
	e.create("a", data)
	if !bytes.Equal(data, want) {
		e.t.Fatal("Create changed the data")
	}
	clear(data)
	e.expect("a", want)
	got, err := e.object("a")
	if err != nil {
		e.t.Fatal(err)
	}
	clear(got)
	_ = append(got, "more"...)
	e.expect("a", want)
}

func testGetMissing(_ *testing.T, e *engine) {
	e.expectMissing("log/1")
	e.create("log/10/a", []byte("x"))
	for _, name := range []string{"log", "log/1", "log/10", "log/10/A", "log/10/aa", "log/10/b", "log/100"} {
		e.expectMissing(name)
	}
}

func testDelete(_ *testing.T, e *engine) {
	e.remove("absent")
	e.remove("absent/a/b")
	for _, name := range []string{"a/1", "a/2", "a/3/x", "b"} {
		e.create(name, []byte(name))
	}
	e.remove("a")   // a folder of some is no object
	e.remove("a/2") // and again
	e.remove("a/2")
	e.remove("a/2/x") // below an object that was there
	e.remove("a/3/x")
	e.expectMissing("a/2")
	e.expectNames("", "", []string{"a/1", "b"})
	e.create("a/3", []byte("a folder until now"))
	e.expectNames("", "", []string{"a/1", "a/3", "b"})
	e.expect("a/1", []byte("a/1"))
	e.expect("b", []byte("b"))
}

// testContext: a call ends with its context. It has done nothing when that ended before.
func testContext(t *testing.T, e *engine) {
	e.create("there", []byte("x"))
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	ends := func(call string, err error) {
		t.Helper()
		if !errors.Is(err, context.Canceled) {
			t.Errorf("%s with a context that has ended: got %v, want context.Canceled", call, err)
		}
	}
	ends("Create", e.Create(ended, "new", []byte("x")))
	_, err := e.Get(ended, "there")
	ends("Get", err)
	ends("Delete", e.Delete(ended, "there"))
	n := 0
	for _, err := range e.List(ended, "", "") {
		n++
		ends("List", err)
	}
	if n != 1 {
		t.Errorf("List with a context that has ended: got %d pairs, want one with the error", n)
	}
	e.expectNames("", "", []string{"there"})
}
