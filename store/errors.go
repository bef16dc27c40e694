// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package store

import (
	"errors"
	"fmt"
)

// Errors that opening returns. Back ends wrap them with the place and what to do about it.
var (
	// ErrLocked is returned when another process, or this one, has the store open.
	ErrLocked = errors.New("store: locked by another user")

	// ErrCopy is returned by a database for a store that is a copy, opened for writing without the
	// log that it is a copy of.
	ErrCopy = errors.New("store: the folder is a copy of a log: write to it through the log (uproar serve --log URL), " +
		"open it for reading only, or make a database of its own of it (uproar restore-log)")
)

// Errors that reading returns.
var (
	// ErrNotFound is returned by Get when there is no entry under the key.
	ErrNotFound = errors.New("store: key not found")

	// ErrStop is what the function given to Scan returns to end the scan without an error. No
	// method returns it.
	ErrStop = errors.New("store: stop the scan")
)

// Errors that writing returns; the batch has changed nothing.
var (
	// ErrReadOnly is returned by Apply on a store that was opened for reading only.
	ErrReadOnly = errors.New("store: opened for reading only")

	// ErrFull means that the disk has too little room, or the process can open too few files. Apply
	// returns it, and so do back ends when they are opened for writing. They may be called again
	// when there is more.
	ErrFull = errors.New("store: disk full")

	// ErrUnavailable means that a store on other machines could not be asked, or has not answered.
	// The call may be made again.
	ErrUnavailable = errors.New("store: unavailable")

	// ErrFenced means that another process writes the store now. It is final: the store takes no
	// more writes until it is opened again, or takes over.
	ErrFenced = errors.New("store: another writer has taken over")

	// ErrUnsorted is returned by Ingestion.Put for a key that is not greater than the one before.
	ErrUnsorted = errors.New("store: entries are not in the order of their keys")

	// ErrTooLarge is what a *TooLargeError matches: a key, value or batch beyond the limits.
	ErrTooLarge = errors.New("store: too large")
)

// Errors that reading, writing and opening return.
var (
	// ErrEmptyKey is returned by Get and Apply for a key without bytes.
	ErrEmptyKey = errors.New("store: empty key")

	// ErrClosed is returned by every method after Close.
	ErrClosed = errors.New("store: closed")

	// ErrCorrupt means that the engine finds that its bytes are not what it wrote. It is wrapped
	// with the engine's words.
	ErrCorrupt = errors.New("store: corrupt")
)

// TooLargeError says which limit a batch goes beyond. It matches ErrTooLarge.
type TooLargeError struct {
	What string // "key bytes", "value bytes", "batch operations" or "batch bytes"
	Got  int
	Max  int
}

// Error returns the text: what, got, want.
func (e *TooLargeError) Error() string {
	return fmt.Sprintf("store: too large: %s: got %d, want at most %d", e.What, e.Got, e.Max)
}

// Is reports whether target is ErrTooLarge.
func (e *TooLargeError) Is(target error) bool { return target == ErrTooLarge }
