// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package graph

import (
	"errors"
	"fmt"
)

// ChangeError says which change an error is about.
type ChangeError struct {
	Position int // in the list, from 0
	Err      error
}

// Error returns the position and the error.
func (e *ChangeError) Error() string {
	return fmt.Sprintf("%v (change %d, counted from 0)", e.Err, e.Position)
}

// Unwrap returns the error of the change itself.
func (e *ChangeError) Unwrap() error { return e.Err }

// ErrInvalidChange is matched by errors about changes that cannot be.
var ErrInvalidChange = errors.New("graph: invalid change")

// MaxKey is the largest length of a record's key, in bytes.
const MaxKey = 512

// CheckKey returns nil if a text can be a record's key, and otherwise an error that matches
// ErrInvalidChange.
func CheckKey(key string) error {
	if len(key) < 1 || len(key) > MaxKey {
		return fmt.Errorf("%w: key %s of %d bytes, want 1 to %d", ErrInvalidChange, shown(key), len(key), MaxKey)
	}
	return nil
}

// What asks for all keys.
const (
	noKey   = 1<<64 - 1 // above all
	allKeys = 1<<31 - 1
)
