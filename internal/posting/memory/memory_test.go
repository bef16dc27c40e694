// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package memory

import (
	"errors"
	"testing"

	"github.com/uproar-db/uproar/internal/posting/model"
)

// index counts what the bound asks of it.
type index struct{ flushes, wakes int }

func (x *index) RequestFlush() { x.flushes++ }
func (x *index) Wake()         { x.wakes++ }

// TestWaiters: indexes that share a bound are asked to flush and to look again until they leave.
// The cache is gathered while there are any.
func TestWaiters(t *testing.T) {
	m, err := New(Min)
	if err != nil {
		t.Fatal(err)
	}
	var a, b index
	m.Join(&a)
	m.Join(&b)
	m.RequestFlushes()
	m.WakeWriters()
	if m.Leave(&a); m.gatherer == nil {
		t.Error("got no gatherer beside an index, want one")
	}
	m.RequestFlushes()
	if m.Leave(&b); m.gatherer != nil {
		t.Error("got a gatherer without an index, want none")
	}
	if a != (index{1, 1}) || b.flushes != 2 || b.wakes < 2 {
		t.Errorf("got %+v and %+v, want one flush and one wake, and one more flush of the second", a, b)
	}
}

// TestBound: what is taken makes the cache give way, what does not fit is refused, and an account
// gives back what it held.
func TestBound(t *testing.T) {
	m, err := New(64 << 20)
	if err != nil {
		t.Fatal(err)
	}
	if err := m.Take(Queries, 32<<20); err != nil {
		t.Fatal(err)
	}
	var full *Error
	if err := m.Take(Loads, 32<<20); !errors.As(err, &full) || !errors.Is(err, model.ErrMemory) {
		t.Errorf("got %v, want an error that matches ErrMemory", err)
	}
	a := m.Account(Merges)
	a.Set(8 << 20)
	if u := m.Usage(); u.Queries != 32<<20 || u.Merges != 8<<20 || u.Loads != 0 {
		t.Errorf("got %+v, want 32 MiB for queries and 8 MiB for merges", u)
	}
	a.Set(0)
	m.Change(Queries, -32<<20)
	if u := m.Usage(); u != (Usage{Limit: 64 << 20}) {
		t.Errorf("got %+v, want nothing taken", u)
	}
	if _, err := New(Min - 1); !errors.Is(err, model.ErrInvalid) {
		t.Errorf("got %v for less than there may be, want ErrInvalid", err)
	}
}
