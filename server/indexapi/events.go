// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package indexapi

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"

	"github.com/uproar-db/uproar"
	"github.com/uproar-db/uproar/api"
	"github.com/uproar-db/uproar/server/call"
)

const (
	// keepAlive is how often a stream without events sends a comment, which finds out that nobody
	// reads it.
	keepAlive = 15 * time.Second

	// maxStreams is how many streams of events a server sends at a time.
	maxStreams = 1_024
)

// watch answers the commits of an index as they come, as server-sent events, if that is asked for.
// An event has the number of its commit as its ID, so a client that comes again goes on behind the
// last one that it has seen.
func (h *Handlers) watch(ctx context.Context, c call.Request) (call.Reply, error) {
	req, err := decodeChanges(c)
	if err != nil {
		return nil, err
	}
	if c.Transport == nil || c.Method != "GET" || !strings.Contains(c.Transport.Header("Accept"), call.ContentEvents) {
		return h.changes(ctx, req)
	}
	if last := c.Transport.Header("Last-Event-ID"); last != "" {
		if req.After, err = strconv.ParseUint(last, 10, 64); err != nil {
			return nil, call.Invalid("Last-Event-ID is %s, want the number of a commit", call.Quote(last))
		}
	}
	index, err := h.db.Index(req.Index)
	if err != nil {
		return nil, err
	}
	first, err := commits(ctx, index, req)
	if err != nil {
		return nil, err
	}
	if h.streams.Add(1) > maxStreams {
		h.streams.Add(-1)
		return nil, &api.Error{Code: api.CodeOverloaded, Message: "as many streams of events as this server sends are " +
			"being read, try again later or ask with \"wait\""}
	}
	s := &events{index: index, req: req, ended: func() { h.streams.Add(-1) }}
	// The time of the request is that of its beginning; the stream ends with the server.
	s.ctx, s.cancel = context.WithCancel(context.Background())
	if stopping, ok := ctx.Value(call.StoppingKey{}).(context.Context); ok {
		context.AfterFunc(stopping, s.cancel)
	}
	s.unread = s.append([]byte("retry: 1000\n\n"), first)
	return call.Streamed{ContentType: call.ContentEvents, Stream: s}, nil
}

// events is a stream of the commits of an index. For one reader.
type events struct {
	ctx    context.Context
	cancel context.CancelFunc
	index  *uproar.Index
	req    api.ChangesRequest // with the last commit that was read
	unread []byte
	failed bool
	ended  func()
}

// Read reads what is there, and waits while nothing is.
func (s *events) Read(p []byte) (int, error) {
	if len(s.unread) == 0 {
		if s.failed || s.ctx.Err() != nil {
			return 0, io.EOF
		}
		var err error
		if s.unread, err = s.next(); err != nil {
			if s.ctx.Err() != nil || errors.Is(err, uproar.ErrClosed) {
				return 0, io.EOF
			}
			s.failed = true
			failure := api.ErrorReply{Error: *call.Failure(err)}
			s.unread = append(failure.AppendJSON([]byte("event: error\ndata: ")), "\n\n"...)
		}
	}
	n := copy(p, s.unread)
	s.unread = s.unread[n:]
	return n, nil
}

// next returns the events of the commits that come next, or a comment when none comes.
func (s *events) next() ([]byte, error) {
	waiting, cancel := context.WithTimeout(s.ctx, keepAlive)
	defer cancel()
	err := s.index.Wait(waiting, s.req.After)
	if waiting.Err() != nil && s.ctx.Err() == nil {
		return []byte(": nothing yet\n\n"), nil
	}
	if err != nil {
		return nil, err
	}
	r, err := commits(s.ctx, s.index, s.req)
	return s.append(nil, r), err
}

// append appends an event for each commit.
func (s *events) append(dst []byte, r api.ChangesReply) []byte {
	for i := range r.Commits {
		dst = fmt.Appendf(dst, "id: %d\nevent: commit\ndata: ", r.Commits[i].Sequence)
		dst = append(r.Commits[i].AppendJSON(dst), "\n\n"...)
	}
	s.req.After = r.Last
	return dst
}

// Close ends the stream.
func (s *events) Close() error {
	s.cancel()
	s.ended()
	return nil
}
