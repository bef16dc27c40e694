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

// guard runs a function, and tells failed of its panic.
func guard(fn func(), failed func(*Fault)) {
	defer func() {
		if value := recover(); value != nil {
			failed(&Fault{value, debug.Stack()})
		}
	}()
	fn()
}
