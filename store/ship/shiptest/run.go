// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

// Package shiptest holds what every engine of objects must pass, and engines for tests.
//
// [RunEngine] is the conformance suite: each sentence of the contract of [ship.Engine] has a test
// there. [Memory] is the plainest engine that passes it. [Faulty] is the network between a node and
// an engine: slow, with lost requests and replies, stalls and cuts. [Lying] breaks the contract,
// for the tests of what must find that out.
package shiptest

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/uproar-db/uproar/store"
	"github.com/uproar-db/uproar/store/ship"
)

// RunEngine runs the conformance suite. Open returns an engine without objects; it fails the test
// when it cannot. The suite closes every engine that it opens. It calls again what fails with
// store.ErrUnavailable. With -short the largest objects are left out.
func RunEngine(t *testing.T, open func(t *testing.T) ship.Engine) {
	for _, c := range []struct {
		name string
		test func(t *testing.T, e *engine)
	}{
		{"create/once", testCreateOnce},
		{"create/exists", testCreateExists},
		{"create/again", testCreateAgain},
		{"create/refused", testCreateRefuses},
		{"data", testData},
		{"data/ownership", testOwnership},
		{"names", testNames},
		{"get/missing", testGetMissing},
		{"list", testList},
		{"list/pages", testListPages},
		{"list/stop", testListStop},
		{"delete", testDelete},
		{"history", testHistory},
		{"concurrent", testConcurrent},
		{"context", testContext},
	} {
		t.Run(c.name, func(t *testing.T) {
			e := &engine{Engine: open(t), t: t}
			t.Cleanup(func() {
				if err := e.Close(); err != nil {
					t.Errorf("Close: %v", err)
				}
			})
			c.test(t, e)
		})
	}
}

// attempts is how often a call is made that fails with store.ErrUnavailable.
const attempts = 100

// engine is the engine under test. Its methods make calls again that may be made again.
type engine struct {
	ship.Engine
	t *testing.T
}

// again makes a call until it returns something else than store.ErrUnavailable.
func again(call func() error) (err error) {
	for i := range attempts {
		if err = call(); !errors.Is(err, store.ErrUnavailable) {
			return err
		}
		time.Sleep(time.Duration(min(i, 20)) * time.Millisecond)
	}
	return fmt.Errorf("%d times in turn: %w", attempts, err)
}

// create creates an object that nobody else does.
func (e *engine) create(name string, data []byte) {
	e.t.Helper()
	if err := e.created(name, data); err != nil {
		e.t.Fatalf("Create(%q, %d bytes): %v", name, len(data), err)
	}
}

// created does the same, and may be called from any goroutine. An object that exists after a call
// whose outcome was unknown must be the one that was to be created.
func (e *engine) created(name string, data []byte) error {
	unknown := false
	err := again(func() error {
		err := e.Create(e.t.Context(), name, data)
		unknown = unknown || errors.Is(err, store.ErrUnavailable)
		return err
	})
	if !unknown || !errors.Is(err, ship.ErrExists) {
		return err
	}
	got, err := e.object(name)
	if err == nil && !bytes.Equal(got, data) {
		err = errors.New("exists with other bytes")
	}
	return err
}

// object returns an object.
func (e *engine) object(name string) (data []byte, err error) {
	err = again(func() error {
		data, err = e.Get(e.t.Context(), name)
		return err
	})
	return data, err
}

// expect fails the test when an object is not there with the given bytes.
func (e *engine) expect(name string, want []byte) {
	e.t.Helper()
	got, err := e.object(name)
	if err != nil || !bytes.Equal(got, want) {
		e.t.Fatalf("Get(%q): got %d bytes %.40q, %v; want %d bytes %.40q", name, len(got), got, err, len(want), want)
	}
}

// expectMissing fails the test when an object is there.
func (e *engine) expectMissing(name string) {
	e.t.Helper()
	if got, err := e.object(name); !errors.Is(err, store.ErrNotFound) || got != nil {
		e.t.Fatalf("Get(%q): got %.40q, %v; want store.ErrNotFound", name, got, err)
	}
}

// names returns what List shows. A List that fails goes on behind the last name that it gave, and
// may then fail as often again: the more names there are, the likelier is a fault among them.
func (e *engine) names(prefix, after string) (names []string) {
	e.t.Helper()
	at := after
	for {
		seen := len(names)
		err := again(func() error {
			for name, err := range e.List(e.t.Context(), prefix, at) {
				if errors.Is(err, store.ErrUnavailable) && len(names) > seen {
					return errProgress
				}
				if err != nil {
					return err
				}
				names, at = append(names, name), name
			}
			return nil
		})
		if err == nil {
			return names
		}
		if !errors.Is(err, errProgress) {
			e.t.Fatalf("List(%q, %q): %v after %d names", prefix, after, err, len(names))
		}
	}
}

// errProgress ends attempts: a failed List gave names before.
var errProgress = errors.New("names were given")

// expectNames fails the test when List does not show just the given names, in their order.
func (e *engine) expectNames(prefix, after string, want []string) {
	e.t.Helper()
	got := e.names(prefix, after)
	for i := range max(len(got), len(want)) {
		switch {
		case i >= len(got):
			e.t.Fatalf("List(%q, %q): got %d names, want %d: no %q", prefix, after, len(got), len(want), want[i])
		case i >= len(want) || got[i] != want[i]:
			e.t.Fatalf("List(%q, %q): name %d: got %q, want that of %q", prefix, after, i, got[i],
				append(slices.Clone(want[min(i, len(want)):min(i+1, len(want))]), "the end")[0])
		}
	}
}

func (e *engine) remove(name string) {
	e.t.Helper()
	if err := again(func() error { return e.Delete(e.t.Context(), name) }); err != nil {
		e.t.Fatalf("Delete(%q): %v", name, err)
	}
}

// bytesOf returns n bytes that are the same for each call with the seed.
func bytesOf(n int, seed uint64) []byte {
	data := make([]byte, n)
	_, _ = rand.NewChaCha8([32]byte{byte(seed), byte(seed >> 8), byte(seed >> 16), 1}).Read(data)
	return data
}

// newRand returns a generator whose seed is logged, so that a failure can be had again.
func newRand(t *testing.T) *rand.Rand {
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	return rand.New(rand.NewPCG(seed, 1))
}
