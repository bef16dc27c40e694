// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package ship

import (
	"errors"
	"fmt"

	"github.com/uproar-db/uproar/store"
)

// Errors of opening and writing.
var (
	// ErrOtherLog is returned by Open for a local store that belongs to another log.
	ErrOtherLog = errors.New("ship: the folder belongs to another log")

	// ErrUnchecked is returned by Open for a writer on an engine that was not checked.
	ErrUnchecked = errors.New("ship: the storage was not checked: run uproar check-storage with its URL first")

	// ErrTrimmed means that objects which are needed are gone: the node slept for longer than they
	// are kept. Opening it again begins anew from a checkpoint.
	ErrTrimmed = errors.New("ship: the log no longer has the next object; open the node again, for the newest checkpoint")

	errReserved = errors.New("ship: the key is reserved")

	// ErrNotEmpty is returned by Open for a local store with entries of its own, where there can be
	// none.
	ErrNotEmpty = errors.New("ship: the folder is not empty")

	// ErrNotReached is returned by RestoreTo when the log ends before what was asked for.
	ErrNotReached = errors.New("ship: the log does not reach so far")

	// ErrNotLeading is returned by HandOver on a node that does not lead.
	ErrNotLeading = errors.New("ship: another node leads")

	// errReleased is what Apply returns after HandOver.
	errReleased = fmt.Errorf("%w, as this node was asked to let it", store.ErrFenced)
)

// claimError says that the engine did not let a node take over. It may be tried again.
type claimError struct{ error }

// Unwrap returns the error of the engine, or ErrUnchecked.
func (e *claimError) Unwrap() error { return e.error }
