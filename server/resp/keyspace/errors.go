// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package keyspace

import (
	"errors"
	"fmt"

	"github.com/uproar-db/uproar/server/resp/names"
)

// Errors of a State. The first two leave it as it was.
var (
	// ErrWrongType says that a key has a value that is no set.
	ErrWrongType = errors.New("keyspace: the key has a value of another type")

	// ErrLater asks for the command to be run again, after what was written before it is on the
	// disk: it needs a whole set that has been written to.
	ErrLater = errors.New("keyspace: after what is written")

	// ErrTooLong says that a key or member is longer than MaxKey or MaxMember. What it matches is a
	// *TooLongError.
	ErrTooLong = errors.New("keyspace: the key or member is too long")

	// ErrTransaction says that a result is too large for a transaction.
	ErrTransaction = errors.New("the set is too large to be stored in a transaction: send the command alone")

	// ErrUnfinished says that a set that is stored in steps was not stored to the end.
	ErrUnfinished = errors.New("the set was stored in part: its key may have members too many. Send the command again")
)

// unfinished matches ErrUnfinished, and what happened.
func unfinished(err error) error { return fmt.Errorf("%w (%w)", ErrUnfinished, err) }

// errDone ends a walk that has all that it wants.
var errDone = errors.New("keyspace: enough")

// TooLongError says what is too long. It matches ErrTooLong.
type TooLongError struct {
	What      string
	Got, Most int // bytes
}

// Error says both lengths.
func (e *TooLongError) Error() string {
	return fmt.Sprintf("%s: got %d bytes, want at most %d", e.What, e.Got, e.Most)
}

// Is reports whether target is ErrTooLong.
func (e *TooLongError) Is(target error) bool { return target == ErrTooLong }

// bothTimed is what a key and a member are that has a time.
const bothTimed = "a key with a member that has a time"

func tooLong(what string, got, most int) error { return &TooLongError{what, got, most} }

// CheckKey fails for a key that is too long. Errors: *TooLongError.
func CheckKey(key []byte) error {
	if len(key) > names.MaxKey {
		return tooLong("a key", len(key), names.MaxKey)
	}
	return nil
}
