// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package keyspace

import (
	"fmt"
	"runtime/debug"
)

// Fault is a panic of a goroutine of a Space. What the goroutine knew of the index may be wrong by
// then: no job is run any more, and what is on the disk is read.
type Fault struct {
	Value any
	Stack []byte
}

// Error says what the panic was about, and what helps.
func (f *Fault) Error() string {
	return fmt.Sprintf("sets can be read and not be written, after a fault of the server (%v): its log says more, and a "+
		"restart ends this. What was under way may have been written", f.Value)
}

// begin runs a function in a goroutine, guarded.
func (s *Space) begin(fn func()) { s.stopped.Go(func() { s.guard(fn) }) }

// guard runs a function, whose panic ends the writing and not the process.
func (s *Space) guard(fn func()) {
	defer func() {
		if value := recover(); value != nil {
			fault := &Fault{value, debug.Stack()}
			if s.fault.CompareAndSwap(nil, fault) && s.failed != nil {
				s.failed(fault)
			}
		}
	}()
	fn()
}

// locked runs a function under the lock, also up to a panic.
func (s *Space) locked(fn func()) {
	s.mu.Lock()
	defer s.mu.Unlock()
	fn()
}
