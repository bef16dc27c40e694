// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package transport

import "fmt"

// Error says why a request was refused. The connection ends after its answer:
// nobody knows where the next request would begin.
type Error struct {
	Status int    // of HTTP
	Text   string // what is wrong, for the client

	// Method and Target are those of a request whose head is good, but whose body is too large.
	Method, Target string
}

// Error returns what is wrong.
func (e *Error) Error() string { return "transport: " + e.Text }

func bad(format string, args ...any) *Error { return refuse(400, format, args...) }

func refuse(status int, format string, args ...any) *Error {
	return &Error{Status: status, Text: fmt.Sprintf(format, args...)}
}

// TooLarge is the error of a request whose body is longer than it may be.
func TooLarge(limit int64) *Error { return refuse(413, "body has more than %d bytes", limit) }

// clip bounds a text of the client that is repeated to it.
func clip[T string | []byte](text T) T { return text[:min(len(text), 80)] }
