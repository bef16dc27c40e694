// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package live

import (
	"context"
	"fmt"
)

// Source is where events come from.
type Source interface {
	// Name names the source, and the stream of its positions in the graph.
	Name() string

	// Connect opens a connection. It goes on with the event at position from, which comes again; if
	// resume is false, or the source has no positions, with what happens now. The errors are
	// *GapError, *FatalError, and such as another attempt may mend.
	Connect(ctx context.Context, from int64, resume bool) (Stream, error)
}

// Stream is one connection. Next is called by one goroutine, the other methods by another.
type Stream interface {
	// Next waits for the next event. Errors as of Connect; after one the stream is of no more use.
	Next(ctx context.Context) (Event, error)

	// Ack says that events are durable, in the order in which they came. A source with positions
	// is told nothing.
	Ack(ctx context.Context, ids []int64) error

	// Close ends the connection, and a Next that waits.
	Close()
}

// Refetcher is a Source that can fetch an account's repository anew. Its streams repeat events that
// are not acknowledged.
type Refetcher interface {
	Source

	// Host names the server that has an account's repository. "": it is not known.
	Host(ctx context.Context, account string) (string, error)

	// Refetch has the source forget an account, and fetch its records.
	Refetch(ctx context.Context, account string) error

	// Fetched says what the source has fetched of an account. The error is *FetchError if it gave
	// up.
	Fetched(ctx context.Context, account string) (Fetched, error)
}

// Fetched is what a source has of an account. Not all of it may have been sent yet.
type Fetched struct {
	Done    bool   // the repository was fetched
	Rev     string // of the repository now
	Records int    // in it now, of all collections that the source sends
}

// GapError says that a source cannot go on where the graph is: events are lost, deletions among
// them.
type GapError struct {
	Source string
	Want   int64
	Got    int64 // 0: nothing came
}

// Error says where the gap is.
func (e *GapError) Error() string {
	if e.Got == 0 {
		return fmt.Sprintf("live: %s no longer has position %d, where the graph is", e.Source, e.Want)
	}
	return fmt.Sprintf("live: %s went on at position %d, want %d, where the graph is", e.Source, e.Got, e.Want)
}

// FatalError is an error of a source that another attempt does not mend.
type FatalError struct{ Err error }

// Error returns the text of the error.
func (e *FatalError) Error() string { return e.Err.Error() }

// Unwrap returns the error.
func (e *FatalError) Unwrap() error { return e.Err }

// FetchError says that a source could not fetch the repository of an account.
type FetchError struct {
	Account string
	Reason  string
}

// Error names the account and the reason.
func (e *FetchError) Error() string {
	return fmt.Sprintf("live: the repository of %q was not fetched: %s", e.Account, e.Reason)
}
