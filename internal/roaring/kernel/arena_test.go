// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package kernel

import (
	"bytes"
	"runtime/debug"
	"testing"
	"unsafe"

	"github.com/uproar-db/uproar/internal/roaring/cpu"
)

// arena is memory for one slice at a time, which stands at its very end, at its very beginning or
// at any place between. The pages around must not be touched, and what a kernel writes beside the
// slice is found by intact.
type arena struct {
	memory []byte
	at, n  int
}

func newArena(t testing.TB, size int) *arena {
	a := &arena{memory: newMemory(t, size)}
	copy(a.memory, canary)
	return a
}

// canary is what stands in memory where there is no slice.
var canary = func() []byte {
	b := make([]byte, 1<<19)
	for i := range b {
		b[i] = byte(i*37 + 11)
	}
	return b
}()

// atEnd and atBegin are places for a slice; another place is the distance from the beginning.
const (
	atEnd   = -1
	atBegin = 0
)

// place returns a slice of n bytes without capacity to spare. Its bytes are those of from as far as
// these go, and arbitrary behind.
func (a *arena) place(n, where int, from []byte) []byte {
	copy(a.memory[a.at:a.at+a.n], canary[a.at:])
	a.at, a.n = where, n
	if where == atEnd {
		a.at = len(a.memory) - n
	}
	b := a.memory[a.at : a.at+n : a.at+n]
	copy(b, from)
	return b
}

// intact reports whether nothing was written near the slice but in it.
func (a *arena) intact() bool {
	from, behind, to := max(a.at-256, 0), a.at+a.n, min(a.at+a.n+256, len(a.memory))
	return bytes.Equal(a.memory[from:a.at], canary[from:a.at]) && bytes.Equal(a.memory[behind:to], canary[behind:to])
}

// TestArena touches bytes beside a slice: what the tests of kernels rest on must find it.
func TestArena(t *testing.T) {
	a := newArena(t, 4096)
	a.place(10, 100, nil)
	if !a.intact() {
		t.Fatal("not intact without a write")
	}
	a.memory[110]++
	if a.intact() {
		t.Fatal("a write behind the slice was not found")
	}
	a.memory[110]--
	if cpu.Best() == cpu.Generic {
		return // memory need not be protected where all is checked by index
	}
	for _, c := range []struct{ where, off int }{{atEnd, 10}, {atBegin, -1}} {
		b := a.place(10, c.where, nil)
		func() {
			defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
			defer func() {
				if recover() == nil {
					t.Errorf("a write at %d of a slice at %d does not fault", c.off, c.where)
				}
			}()
			*(*byte)(unsafe.Add(unsafe.Pointer(&b[0]), c.off)) = 1
		}()
	}
}
