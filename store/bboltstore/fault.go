// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package bboltstore

import (
	"errors"
	"fmt"
	"runtime/debug"

	"github.com/uproar-db/uproar/store"
)

// shield calls fn and returns, as store.ErrCorrupt, what bbolt makes of damaged pages: panics, and
// faults of the processor where a page points beyond the end of the file. The mapping reaches
// further than any page can point, so that a fault is all that can come of it.
//
// theirs says whether the caller's own function was running: its panics are passed on, unless it
// met a fault while it read a value.
func shield(theirs *bool, fn func() error) (err error) {
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
	defer func() {
		cause := recover()
		if cause == nil {
			return
		}
		if theirs != nil && *theirs && !isFault(cause) {
			panic(cause)
		}
		err = fmt.Errorf("%w: the engine stopped: %v", store.ErrCorrupt, cause)
	}()
	return fn()
}

// isFault reports whether a panic is of memory that cannot be read. That of a nil pointer is
// somebody's mistake and not meant.
func isFault(cause any) bool {
	err, ok := cause.(error)
	var fault interface{ Addr() uintptr }
	return ok && errors.As(err, &fault) && fault.Addr() >= 1<<16
}
