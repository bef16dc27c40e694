// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

//go:build linux

package hugepage

import (
	"errors"
	"os"
	"syscall"
	"testing"
	"unsafe"
)

// region returns fresh memory of n huge pages, and the address of its first byte.
func region(t *testing.T, n uintptr) (memory []byte, address uintptr) {
	t.Helper()
	size := Size()
	if size == 0 {
		t.Skip("the system is set up to have no huge pages")
	}
	all, err := syscall.Mmap(-1, 0, int((n+1)*size), syscall.PROT_READ|syscall.PROT_WRITE,
		syscall.MAP_ANON|syscall.MAP_PRIVATE)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = syscall.Munmap(all) })
	// MADV_NOHUGEPAGE: the first byte of each page gives memory to that page only
	if err := syscall.Madvise(all, 15); err != nil {
		t.Fatal(err)
	}
	first := uintptr(unsafe.Pointer(&all[0]))
	skip := -first & (size - 1)
	return all[skip : skip+n*size], first + skip
}

// What was never touched is missing; what was is not.
func TestMissing(t *testing.T) {
	memory, address := region(t, 1)
	size, small := Size(), uintptr(os.Getpagesize())
	for touched := uintptr(0); touched < 5; touched++ {
		if got, err := Missing(address); err != nil || got != size-touched*small {
			t.Errorf("%d pages touched: got %d bytes missing (%v), want %d", touched, got, err, size-touched*small)
		}
		memory[7*touched*small] = 1
	}
	for at := uintptr(0); at < size; at += small {
		memory[at] = 1
	}
	if got, err := Missing(address); err != nil || got != 0 {
		t.Errorf("all touched: got %d bytes missing (%v), want none", got, err)
	}
}

// Collapse changes nothing of what stands in memory, also where there was none, and leaves the
// neighbour alone.
func TestCollapse(t *testing.T) {
	memory, address := region(t, 2)
	size, small := int(Size()), os.Getpagesize()
	for at := 0; at < size; at += 3 * small {
		memory[at] = byte(at/small) | 1
	}
	if err := Collapse(address); !errors.Is(err, ErrRefused) {
		t.Errorf("memory that wants no huge pages: got %v, want %v", err, ErrRefused)
	}
	if err := syscall.Madvise(memory, 14); err != nil { // MADV_HUGEPAGE
		t.Fatal(err)
	}
	err := Collapse(address)
	if err != nil && !errors.Is(err, ErrRefused) {
		t.Fatalf("got %v, want %v or none", err, ErrRefused)
	}
	for at := range size {
		want := byte(0)
		if at%(3*small) == 0 {
			want = byte(at/small) | 1
		}
		if memory[at] != want {
			t.Fatalf("byte %d: got %d, want %d", at, memory[at], want)
		}
	}
	if err != nil {
		t.Skip(err) // the kernel is older, or has no huge page
	}
	if got, err := Missing(address); err != nil || got != 0 {
		t.Errorf("got %d bytes missing of a huge page (%v), want none", got, err)
	}
	if got, err := Missing(address + Size()); err != nil || got != Size() {
		t.Errorf("got %d bytes missing of the neighbour (%v), want all %d", got, err, size)
	}
	if err := Collapse(address); err != nil {
		t.Errorf("again: got %v, want none", err)
	}
}

// Addresses that are none of huge pages, or of no memory, are refused.
func TestRefused(t *testing.T) {
	memory, address := region(t, 2)
	_ = memory
	for _, at := range []uintptr{address + 1, address + uintptr(os.Getpagesize()), 0, -Size()} {
		if _, err := Missing(at); !errors.Is(err, ErrRefused) {
			t.Errorf("address %#x: got %v, want %v", at, err, ErrRefused)
		}
		if err := Collapse(at); !errors.Is(err, ErrRefused) {
			t.Errorf("address %#x: got %v, want %v", at, err, ErrRefused)
		}
	}
}
