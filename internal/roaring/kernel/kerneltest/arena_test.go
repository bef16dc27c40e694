// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package kerneltest

import (
	"runtime/debug"
	"testing"
	"unsafe"

	"github.com/uproar-db/uproar/internal/roaring/cpu"
)

// TestArena touches bytes beside a slice: what the tests of kernels rest on must find it.
func TestArena(t *testing.T) {
	a := NewArena(t, 4096)
	a.Put(10, 100, nil)
	if !a.Intact() {
		t.Fatal("not intact without a write")
	}
	a.memory[110]++
	if a.Intact() {
		t.Fatal("a write behind the slice was not found")
	}
	a.memory[110]--
	if cpu.Best() == cpu.Generic {
		return // memory need not be protected where all is checked by index
	}
	for _, c := range []struct{ where, off int }{{AtEnd, 10}, {AtBegin, -1}} {
		b := a.Put(10, c.where, nil)
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
