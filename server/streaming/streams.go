// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package streaming

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"runtime/debug"
	"sync/atomic"

	"github.com/uproar-db/uproar"
	"github.com/uproar-db/uproar/api"
	"github.com/uproar-db/uproar/internal/export"
	"github.com/uproar-db/uproar/query"
	"github.com/uproar-db/uproar/server/call"
)

// Streams bounds how many answers are sent at a time: each holds a snapshot, whose space is not
// reclaimed meanwhile. Safe for concurrent use.
type Streams struct {
	most int64
	open atomic.Int64
}

// New returns the streams of a server, which sends at most that many at a time.
func New(most int) *Streams { return &Streams{most: int64(most)} }

// List is an answer, of which one entry comes after the other.
type List struct {
	Columns []export.Column

	// Next writes the next entries, and reports whether there are more.
	Next func(out *Out) (more bool, err error)

	// Late says that the first entries may take longer than a request may. Otherwise what is wrong
	// with them is told as an error, and later by the connection, which breaks off.
	Late bool

	// End lets go of what the list has beside the snapshot; nil: of nothing.
	End func()
}

// Begin begins the list of what is answered about records. ctx ends with the stream.
type Begin func(ctx context.Context, s uproar.Snapshot, of *uproar.Selection) (List, error)

// Send finds the records of a query, and returns the reply that sends what begin answers about
// them, all in one snapshot. ctx, with its limit of time, is for finding them: the rest takes as
// long as the client takes it. Errors: api.CodeOverloaded, those of the query, and those of begin.
func (s *Streams) Send(ctx context.Context, ix *uproar.Index, expr query.Expr, form Form, begin Begin) (call.Reply,
	error) {
	if s.open.Add(1) > s.most {
		s.open.Add(-1)
		return nil, &api.Error{Code: api.CodeOverloaded, Message: fmt.Sprintf("%d streams of answers are being read, "+
			"which is as many as this server sends; try again later, or ask for pages of JSON", s.most)}
	}
	r := &stream{of: s, snapshot: ix.Snapshot()}
	r.ctx, r.cancel = context.WithCancel(context.Background())
	begun := false
	defer func() {
		if !begun { // also after a panic
			_ = r.Close()
		}
	}()
	if err := r.begin(ctx, expr, form, begin); err != nil {
		return nil, err
	}
	begun = true
	return call.Streamed{ContentType: form.media, Stream: r}, nil
}

// stream is an answer that is being sent. For one reader.
type stream struct {
	ctx      context.Context // until it is closed
	cancel   context.CancelFunc
	of       *Streams
	snapshot uproar.Snapshot
	list     List
	out      Out
	done     bool
	closed   bool
}

// begin selects the records, and writes what comes first.
func (r *stream) begin(ctx context.Context, expr query.Expr, form Form, begin Begin) error {
	of, err := r.snapshot.Select(ctx, expr)
	if err != nil {
		return err
	}
	if r.list, err = begin(r.ctx, r.snapshot, of); err != nil {
		return err
	}
	r.out.lines = json.NewEncoder(&r.out.text)
	r.out.lines.SetEscapeHTML(false)
	if form.table != "" {
		if r.out.table, err = export.NewWriter(&r.out.text, form.table, r.list.Columns); err != nil {
			return call.Invalid("%s", err)
		}
	}
	if r.list.Late {
		return nil
	}
	return r.next()
}

// next writes the next entries, and the end of a table behind the last ones.
func (r *stream) next() error {
	more, err := r.list.Next(&r.out)
	if err != nil || more {
		return err
	}
	r.done = true
	if r.out.table != nil {
		return r.out.table.Close()
	}
	return nil
}

// Read reads the bytes of the next entries. An error comes in the place of the end.
func (r *stream) Read(b []byte) (n int, err error) {
	defer func() {
		if value := recover(); value != nil { // nobody above stops it
			err = &call.Panicked{Value: value, Stack: debug.Stack()}
		}
	}()
	for r.out.text.Len() == 0 {
		if r.done {
			return 0, io.EOF
		}
		if err := r.next(); err != nil {
			return 0, err
		}
	}
	return r.out.text.Read(b)
}

// Close ends the stream, be it read to its end or not.
func (r *stream) Close() error {
	if r.closed {
		return nil
	}
	r.closed = true
	r.cancel()
	if r.list.End != nil {
		r.list.End()
	}
	r.snapshot.Close()
	r.of.open.Add(-1)
	return nil
}
