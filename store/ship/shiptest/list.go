// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package shiptest

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/uproar-db/uproar/store"
	"github.com/uproar-db/uproar/store/ship"
)

// manyNames have all letters that a name may have, many parts, and parts that are sorted otherwise
// by part than by byte.
var manyNames = func() []string {
	names := []string{"a-b", "a-b-/c", "a.b/c", "a/b", "a/b.c", "a/b0", "a/c/d/e/f/g/h/i", "a0", "a_/b", "a_b", "Q/b",
		"B", "Z9-_.", "_", "0", "00", "log/00000000000000000009", "log/00000000000000000010", "log/1/2", "log2/1",
		"log.d/1", "log-", "z", strings.Repeat("d/", 40) + "deep", strings.Repeat("n", 200)}
	slices.Sort(names)
	return names
}()

func testNames(_ *testing.T, e *engine) {
	for i := len(manyNames) - 1; i >= 0; i-- {
		e.create(manyNames[i], []byte(manyNames[i]))
	}
	for _, name := range manyNames {
		e.expect(name, []byte(name))
	}
	e.expectNames("", "", manyNames)
}

// model is the plain map that an engine is compared with.
type model map[string]string

func (m model) list(prefix, after string) (names []string) {
	for _, name := range slices.Sorted(maps.Keys(m)) {
		if strings.HasPrefix(name, prefix) && name > after {
			names = append(names, name)
		}
	}
	return names
}

func (m model) check(e *engine) {
	e.t.Helper()
	e.expectNames("", "", m.list("", ""))
	for name, data := range m {
		e.expect(name, []byte(data))
	}
}

// testList: every prefix, be it of parts or not, after names that are there and others.
func testList(_ *testing.T, e *engine) {
	e.expectNames("", "", nil)
	e.expectNames("log/", "log/1", nil)
	m := make(model)
	for _, name := range manyNames {
		m[name] = ""
		e.create(name, nil)
	}
	prefixes := []string{"", "a", "a/", "a/b", "a.", "log", "log/", "log/0", "log/00000000000000000009", "log2", "q",
		"d/d/", "nnn", "Z", "a/b/", "zz"}
	afters := []string{"", "0", "a", "a/", "a/b", "a/b.", "a/c/d/e", "log", "log/", "log/00000000000000000009",
		"log/00000000000000000009x", "log/2", "d/d/d", "zz", "Zebra", "m"}
	for _, prefix := range prefixes {
		for _, after := range afters {
			e.expectNames(prefix, after, m.list(prefix, after))
		}
	}
}

// testListPages: more names than engines give at a time.
func testListPages(t *testing.T, e *engine) {
	const creators = 8
	names := 2100
	if testing.Short() {
		names = 1100
	}
	m := make(model)
	for n := range names {
		m[fmt.Sprintf("log/%020d", n*7)] = ""
	}
	m["lof"], m["loh/1"] = "", ""
	list := m.list("", "")
	var wg sync.WaitGroup
	for c := range creators {
		wg.Go(func() {
			for i := c; i < len(list); i += creators {
				if err := e.created(list[i], nil); err != nil {
					t.Errorf("Create(%q): %v", list[i], err)
					return
				}
			}
		})
	}
	wg.Wait()
	e.expectNames("log/", "", m.list("log/", ""))
	e.expectNames("", "", list)
	e.expectNames("log/", list[90], m.list("log/", list[90]))
	e.expectNames("log/", list[999]+"a", m.list("log/", list[999]+"a"))
}

// testListStop: who has seen enough stops, and may go on behind it. Names that are created and
// deleted meanwhile do not matter to the others.
func testListStop(t *testing.T, e *engine) {
	m := make(model)
	for n := range 30 {
		name := fmt.Sprintf("n/%02d", n)
		m[name] = ""
		e.create(name, nil)
	}
	var got []string
	for at := ""; ; {
		n := len(got)
		for name, err := range e.List(t.Context(), "n/", at) {
			if errors.Is(err, store.ErrUnavailable) {
				got = append(got, "")[:n] // once more
				break
			}
			if err != nil {
				t.Fatalf("List(n/, %q): %v", at, err)
			}
			if got = append(got, name); len(got) == n+7 {
				break
			}
		}
		if len(got) == len(m) || len(got) > n+7 {
			break
		}
		if len(got) > n {
			at = got[len(got)-1]
		}
	}
	if want := m.list("", ""); !slices.Equal(got, want) {
		t.Fatalf("List, seven names at a time: got %q, want %q", got, want)
	}
	seen := 0
	for name, err := range e.List(t.Context(), "n/", "") {
		if errors.Is(err, store.ErrUnavailable) {
			return
		}
		if err != nil {
			t.Fatalf("List: %v after %d names", err, seen)
		}
		if seen == 0 {
			e.create("n/00a", nil)
			e.remove("n/20")
		}
		if name != "n/00a" && name != "n/20" {
			seen++
		}
	}
	if want := len(m) - 1; seen != want {
		t.Errorf("List while names come and go: got %d of those that stay, want %d", seen, want)
	}
}

// testHistory draws calls, and compares with a map.
func testHistory(t *testing.T, e *engine) {
	rng := newRand(t)
	m := make(model)
	name := func() string { return fmt.Sprintf("h/%d/%d", rng.IntN(3), rng.IntN(8)) }
	for step := range 300 {
		switch name := name(); rng.IntN(6) {
		case 0, 1, 2:
			data := bytesOf(rng.IntN(300), uint64(step))
			if _, there := m[name]; there {
				err := again(func() error { return e.Create(t.Context(), name, data) })
				if !errors.Is(err, ship.ErrExists) {
					t.Fatalf("step %d: Create(%q) where there is an object: got %v", step, name, err)
				}
				continue
			}
			if err := e.created(name, data); err != nil {
				t.Fatalf("step %d: Create(%q): %v", step, name, err)
			}
			m[name] = string(data)
		case 3:
			e.remove(name)
			delete(m, name)
		case 4:
			if data, there := m[name]; there {
				e.expect(name, []byte(data))
			} else {
				e.expectMissing(name)
			}
		default:
			prefix := "h/1"[:rng.IntN(4)]
			e.expectNames(prefix, name, m.list(prefix, name))
		}
	}
	m.check(e)
}

// testConcurrent: goroutines with names of their own do not disturb each other.
func testConcurrent(t *testing.T, e *engine) {
	const workers, each = 8, 12
	var wg sync.WaitGroup
	fail := func(w int, call string, err error) { t.Errorf("worker %d: %s: %v", w, call, err) }
	for w := range workers {
		wg.Go(func() {
			for i := range each {
				name, data := fmt.Sprintf("w/%d/%03d", w, i), bytesOf(i*100, uint64(w))
				if err := e.created(name, data); err != nil {
					fail(w, "Create "+name, err)
					return
				}
				got, err := e.object(name)
				if err != nil || string(got) != string(data) {
					fail(w, "Get "+name, fmt.Errorf("%d bytes, %w", len(got), err))
					return
				}
				if i%3 == 2 {
					if err := again(func() error { return e.Delete(t.Context(), name) }); err != nil {
						fail(w, "Delete "+name, err)
					}
				}
			}
		})
	}
	wg.Wait()
	m := make(model)
	for w := range workers {
		for i := range each {
			if i%3 != 2 {
				m[fmt.Sprintf("w/%d/%03d", w, i)] = string(bytesOf(i*100, uint64(w)))
			}
		}
	}
	m.check(e)
}
