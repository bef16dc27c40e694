// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

//go:build linux || darwin

package roaring

import (
	"os"
	"runtime/debug"
	"syscall"
	"testing"
	"time"
	"unsafe"
)

// guarded is memory between two pages that may not be touched: a read or write beyond either end of
// it faults.
type guarded struct {
	t    testing.TB
	all  []byte
	page int
}

// newGuarded returns memory for at least size bytes; it is given back at the end of the test.
func newGuarded(t testing.TB, size int) *guarded {
	t.Helper()
	page := os.Getpagesize()
	size = (size + page - 1) / page * page
	all, err := syscall.Mmap(-1, 0, size+2*page, syscall.PROT_READ|syscall.PROT_WRITE,
		syscall.MAP_ANON|syscall.MAP_PRIVATE)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := syscall.Munmap(all); err != nil {
			t.Error(err)
		}
	})
	g := &guarded{t: t, all: all, page: page}
	g.protect(all[:page], syscall.PROT_NONE)
	g.protect(all[page+size:], syscall.PROT_NONE)
	return g
}

func (g *guarded) protect(pages []byte, how int) {
	g.t.Helper()
	if len(pages) == 0 {
		return
	}
	if err := syscall.Mprotect(pages, how); err != nil {
		g.t.Fatal(err)
	}
}

// place copies b to the very end of the memory, or to its very beginning, and returns the copy,
// which can only be read. It takes the place of the copy before.
func (g *guarded) place(b []byte, atEnd bool) []byte {
	g.t.Helper()
	room := g.all[g.page : len(g.all)-g.page]
	g.protect(room, syscall.PROT_READ|syscall.PROT_WRITE)
	at := 0
	if atEnd {
		at = len(room) - len(b)
	}
	clear(room)
	copy(room[at:], b)
	g.protect(room, syscall.PROT_READ)
	return room[at : at+len(b) : at+len(b)]
}

// TestGuarded reads one byte beyond each end, and writes one: each must fault, or the tests on
// guarded memory would find nothing.
func TestGuarded(t *testing.T) {
	g := newGuarded(t, 100)
	var sink byte
	at := func(b []byte, i int) *byte { return (*byte)(unsafe.Add(unsafe.Pointer(&b[0]), i)) }
	for _, c := range []struct {
		name  string
		atEnd bool
		touch func(b []byte)
	}{
		{"a read beyond the end", true, func(b []byte) { sink = *at(b, len(b)) }},
		{"a read before the beginning", false, func(b []byte) { sink = *at(b, -1) }},
		{"a write", true, func(b []byte) { b[0] = sink }},
	} {
		b := g.place([]byte("placed"), c.atEnd)
		if string(b) != "placed" {
			t.Fatalf("got %q", b)
		}
		func() {
			defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
			defer func() {
				if recover() == nil {
					t.Errorf("%s does not fault", c.name)
				}
			}()
			c.touch(b)
		}()
	}
}

// processorTime returns the time that the threads of this process have run.
func processorTime() time.Duration {
	var u syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &u) != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
