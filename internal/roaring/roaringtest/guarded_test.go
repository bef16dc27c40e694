// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

//go:build linux || darwin

package roaringtest

import (
	"runtime/debug"
	"testing"
	"unsafe"
)

// TestGuarded reads one byte beyond each end, and writes one: each must fault, or the tests on
// guarded memory would find nothing.
func TestGuarded(t *testing.T) {
	g := NewGuarded(t, 100)
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
		b := g.Put([]byte("placed"), c.atEnd)
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
