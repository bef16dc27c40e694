// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package terminal

import "fmt"

// AdviceError is an error with something to be done about it.
type AdviceError struct {
	Err error
	Try string
}

// Error returns the error, and the advice on a line of its own.
func (e *AdviceError) Error() string { return e.Err.Error() + "\nTry: " + e.Try }

// Unwrap returns the error without the advice.
func (e *AdviceError) Unwrap() error { return e.Err }

// Advise returns an error with the text of format, and advice.
func Advise(try, format string, args ...any) error {
	return &AdviceError{Err: fmt.Errorf(format, args...), Try: try}
}

// UsageError is an error in the command line.
type UsageError struct{ Err error }

// Error returns the text of the error.
func (e *UsageError) Error() string { return e.Err.Error() }

// Unwrap returns the error.
func (e *UsageError) Unwrap() error { return e.Err }
