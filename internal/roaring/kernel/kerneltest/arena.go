// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package kerneltest

import (
	"bytes"
	"testing"
	"unsafe"
)

// Arena is memory for one slice at a time. The slice stands at the very end, at the very beginning
// or at any place between. The pages around must not be touched. Intact finds what a kernel writes
// beside the slice.
type Arena struct {
	memory []byte
	at, n  int
}

// NewArena returns an arena of size bytes, rounded up to pages where memory is protected.
func NewArena(t testing.TB, size int) *Arena {
	a := &Arena{memory: NewMemory(t, size)}
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

// AtEnd and AtBegin are places for a slice; another place is the distance from the beginning.
const (
	AtEnd   = -1
	AtBegin = 0
)

// Put returns a slice of n bytes without capacity to spare. Its bytes are those of from as far as
// these go, and arbitrary behind.
func (a *Arena) Put(n, where int, from []byte) []byte {
	copy(a.memory[a.at:a.at+a.n], canary[a.at:])
	a.at, a.n = where, n
	if where == AtEnd {
		a.at = len(a.memory) - n
	}
	b := a.memory[a.at : a.at+n : a.at+n]
	copy(b, from)
	return b
}

// Size returns the number of bytes that there are for a slice.
func (a *Arena) Size() int { return len(a.memory) }

// Intact reports whether nothing was written near the slice but in it.
func (a *Arena) Intact() bool {
	from, behind, to := max(a.at-256, 0), a.at+a.n, min(a.at+a.n+256, len(a.memory))
	return bytes.Equal(a.memory[from:a.at], canary[from:a.at]) && bytes.Equal(a.memory[behind:to], canary[behind:to])
}

// Places are those at which an operand stands: at both ends of memory, and at all alignments of the
// widest vectors and beyond.
func Places() (list []int) {
	list = append(list, AtEnd)
	for at := range 67 {
		list = append(list, at)
	}
	return list
}

// PutValues puts a list into an arena.
func PutValues(at *Arena, where int, list []uint64) []uint64 {
	b := at.Put(8*len(list), where, nil)
	placed := unsafe.Slice((*uint64)(unsafe.Pointer(unsafe.SliceData(b))), len(list))
	copy(placed, list)
	return placed
}

// PutOffsets puts a list into an arena.
func PutOffsets(at *Arena, where int, list []uint32) []uint32 {
	b := at.Put(4*len(list), where, nil)
	placed := unsafe.Slice((*uint32)(unsafe.Pointer(unsafe.SliceData(b))), len(list))
	copy(placed, list)
	return placed
}
