// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

// Package sentinel has the errors that a program meets in the embedded database and, of a server,
// in its client: the same values, so that errors.Is finds them in both, though the client must not
// bring the database along. The packages that return them give them their names: uproar.ErrClosed
// is ErrClosed.
package sentinel

import "errors"

// What is not there.
var (
	ErrUnknownIndex  = errors.New("uproar: unknown index")
	ErrUnknownField  = errors.New("uproar: unknown field")
	ErrUnknownRecord = errors.New("uproar: unknown record")
	ErrUnknownSet    = errors.New("uproar: unknown saved set")
)

// What cannot be.
var (
	ErrIndexExists = errors.New("uproar: index exists")
	ErrInvalid     = errors.New("uproar: invalid")
	ErrBackupBase  = errors.New("uproar: the backup does not fit its base")
	ErrTooLarge    = errors.New("posting: too large")
	ErrLimit       = errors.New("eval: query too large")
	ErrTrimmed     = errors.New("posting: the log was trimmed")
)

// What cannot be now.
var (
	ErrClosed  = errors.New("posting: closed")
	ErrLoading = errors.New("posting: a load is under way")
	ErrMemory  = errors.New("posting: out of memory")
	ErrFailed  = errors.New("posting: writing stopped after an error of the store")
)
