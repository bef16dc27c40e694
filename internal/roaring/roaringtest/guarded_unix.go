// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

//go:build linux || darwin

package roaringtest

import (
	"os"
	"syscall"
	"testing"
	"time"
)

// Guarded is memory between two pages that may not be touched: a read or write beyond either end of
// it faults.
type Guarded struct {
	t    testing.TB
	all  []byte
	page int
}

// NewGuarded returns memory for at least size bytes; it is given back at the end of the test.
func NewGuarded(t testing.TB, size int) *Guarded {
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
	g := &Guarded{t: t, all: all, page: page}
	g.protect(all[:page], syscall.PROT_NONE)
	g.protect(all[page+size:], syscall.PROT_NONE)
	return g
}

func (g *Guarded) protect(pages []byte, how int) {
	g.t.Helper()
	if len(pages) == 0 {
		return
	}
	if err := syscall.Mprotect(pages, how); err != nil {
		g.t.Fatal(err)
	}
}

// Put copies b to the very end of the memory, or to its very beginning, and returns the copy. The
// copy can only be read. The next Put replaces it.
func (g *Guarded) Put(b []byte, atEnd bool) []byte {
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

// ProcessorTime returns the time that the threads of this process have run.
func ProcessorTime() time.Duration {
	var u syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &u) != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
