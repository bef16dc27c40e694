// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package server

import (
	"context"
	"fmt"
	"log/slog"
	"math"
	"sync/atomic"
	"time"

	"github.com/uproar-db/uproar/api"
	"github.com/uproar-db/uproar/internal/descriptor"
	"github.com/uproar-db/uproar/server/call"
)

// limiter bounds how many calls are worked on at a time. Up to room more wait for their turn, each
// at most wait long: a client that waits longer would rather ask elsewhere. So an overloaded server
// is done with its queue within that time.
type limiter struct {
	working chan struct{} // has one for each that is worked on
	waiting atomic.Int64
	room    int64
	wait    time.Duration
}

func newLimiter(working, waiting int, wait time.Duration) *limiter {
	return &limiter{working: make(chan struct{}, working), room: int64(waiting), wait: wait}
}

// take waits for a turn. Who got one gives it back.
func (t *limiter) take(ctx context.Context) error {
	select {
	case t.working <- struct{}{}:
		return nil
	default:
	}
	if t.waiting.Add(1) > t.room {
		t.waiting.Add(-1)
		return overloaded("more requests are waiting than this server has room for; try again later")
	}
	defer t.waiting.Add(-1)
	timer := time.NewTimer(t.wait)
	defer timer.Stop()
	select {
	case t.working <- struct{}{}:
		return nil
	case <-timer.C:
		return overloaded(fmt.Sprintf("this request had no turn within %v; try again later", t.wait))
	case <-ctx.Done():
		return ctx.Err()
	}
}

func (t *limiter) give() { <-t.working }

func overloaded(message string) error {
	return &api.Error{Code: api.CodeOverloaded, Message: message}
}

// crowdedAnswer is what connections beyond the limit are told.
func crowdedAnswer() []byte {
	body := api.ErrorReply{Error: api.Error{Code: api.CodeOverloaded,
		Message: "this server has as many connections as it may have; try again later"}}.AppendJSON(nil)
	return fmt.Appendf(nil,
		"HTTP/1.1 503 Service Unavailable\r\nContent-Type: %s\r\nContent-Length: %d\r\nRetry-After: "+
			"1\r\nConnection: close\r\n\r\n%s\n",
		call.ContentJSON, len(body)+1, body)
}

const (
	// connectionShare bounds connections to one in connectionShare of the files that the process
	// can still open. The store needs the others: it takes no writes when it could open too few.
	connectionShare = 2

	// maxLeaving is how many refused connections may be taking their answer, unless there may be
	// fewer others, or few files.
	maxLeaving = 256

	// leavingShare bounds refused connections that still take their answer: they may be one in
	// leavingShare of that room.
	leavingShare = 4
)

// affordable returns how many of the wanted connections there may be, and how many refused ones
// beside them. files is how many more files the process can open.
func affordable(wanted, files int64) (most, leaving int64) {
	room := files / connectionShare
	leaving = max(0, min(maxLeaving, wanted, room/leavingShare))
	return max(1, min(wanted, room-leaving)), leaving
}

// mostConnections returns how many connections Serve has at a time, and how many refused ones
// beside them.
func (s *Server) mostConnections() (most, leaving int64) {
	wanted := int64(s.opts.MaxConnections)
	enough := min(wanted+maxLeaving, math.MaxInt32/connectionShare) * connectionShare
	files, err := descriptor.Free(int(enough))
	if err != nil {
		s.opts.Logger.Warn("how many files can be opened is not known", slog.Any("error", err))
		return wanted, min(maxLeaving, wanted)
	}
	most, leaving = affordable(wanted, int64(files))
	if most < wanted {
		s.opts.Logger.Warn("fewer connections than MaxConnections: with those that are refused, half of the files "+
			"that the process can still open. Try: a higher limit of open files (ulimit -n)",
			slog.Int64("connections", most), slog.Int64("wanted", wanted), slog.Int("files", files))
	}
	return most, leaving
}
