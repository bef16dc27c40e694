// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package server

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/uproar-db/uproar/api"
	"github.com/uproar-db/uproar/apps/standing"
	"github.com/uproar-db/uproar/server/call"
	"github.com/uproar-db/uproar/store/ship"
)

// Replica is one of several copies of a database, as a *ship.Store is.
type Replica interface {
	Status() ship.Status
	Wait(ctx context.Context, position uint64) error
	HandOver(ctx context.Context) error
}

// Fields of requests and answers about copies.
const (
	headerPosition = "Uproar-Position" // how far this copy had come when it answered
	headerAge      = "Uproar-Age"      // how long before, in milliseconds, that was known to be the end
	headerAtLeast  = "Uproar-At-Least" // the position that the copy must have reached
	headerMaxAge   = "Uproar-Max-Age"  // the greatest age that will do, in milliseconds
)

// answerable looks whether this copy may answer a call. It waits until the copy has come as far as the
// caller wants. handled is true when r is the answer: an error, or where the writer is.
func (s *Server) answerable(ctx *requestContext, e *bound, c *call.Request, dst []byte) (r response, handled bool) {
	st := s.opts.Replica.Status()
	if e.writes && !st.Leads {
		if st.Writer.URL == "" || st.Writer.ID == st.Node.ID {
			return s.fail(ctx, e, &api.Error{Code: api.CodeUnavailable, Reason: api.ReasonNoWriter,
				Message: "no copy takes writes now, or it has no address; try again later"}, dst), true
		}
		target := strings.TrimSuffix(st.Writer.URL, "/") + c.Path
		if c.Query != "" {
			target += "?" + c.Query
		}
		return response{status: 307, contentType: call.ContentJSON, location: target, body: append(dst, "{}\n"...)}, true
	}
	if c.Transport == nil || e.always {
		return r, false
	}
	if err := s.awaitCopy(ctx, c); err != nil {
		return s.fail(ctx, e, err, dst), true
	}
	return r, false
}

// awaitCopy waits until this copy is as new as a request wants it.
func (s *Server) awaitCopy(ctx context.Context, c *call.Request) error {
	if text := c.Transport.Header(headerAtLeast); text != "" {
		position, err := strconv.ParseUint(text, 10, 64)
		if err != nil {
			return &api.Error{Code: api.CodeInvalidRequest,
				Message: headerAtLeast + ": got " + call.Quote(text) + ", want a position, as " + headerPosition + " has it"}
		}
		if err := s.opts.Replica.Wait(ctx, position); err != nil {
			return &api.Error{Code: api.CodeUnavailable, Reason: api.ReasonBehind, Message: fmt.Sprintf(
				"this copy is at position %d, want %d; ask another, or try again", s.opts.Replica.Status().Object, position)}
		}
	}
	most := s.opts.MaxAge
	if text := c.Transport.Header(headerMaxAge); text != "" {
		ms, err := strconv.ParseUint(text, 10, 40)
		if err != nil {
			return &api.Error{Code: api.CodeInvalidRequest,
				Message: headerMaxAge + ": got " + call.Quote(text) + ", want milliseconds"}
		}
		most = time.Duration(ms) * time.Millisecond
	}
	if st := s.opts.Replica.Status(); most > 0 && st.Age > most {
		return &api.Error{Code: api.CodeUnavailable, Reason: api.ReasonBehind, Message: fmt.Sprintf(
			"this copy was last known to be up to date %v ago, want at most %v; ask another", st.Age.Round(time.Millisecond),
			most)}
	}
	return nil
}

// copyReply says how this copy is doing; nil for a database that is none.
func (s *Server) copyReply() *api.CopyReply {
	if s.opts.Replica == nil {
		return nil
	}
	st := s.opts.Replica.Status()
	return &api.CopyReply{Node: st.Node.ID, Leads: st.Leads, Writer: st.Writer.ID, WriterURL: st.Writer.URL,
		Epoch: st.Epoch, Position: st.Object, AgeMillis: st.Age.Milliseconds()}
}

// copyReady returns why this copy is not to be asked, nil if it is.
func (s *Server) copyReady() error {
	if s.opts.Replica == nil {
		return nil
	}
	st := s.opts.Replica.Status()
	if st.Failure != nil {
		return &api.Error{Code: api.CodeUnavailable, Reason: api.ReasonBehind,
			Message: "this copy goes on no more; start it again: " + st.Failure.Error()}
	}
	if s.opts.MaxAge > 0 && st.Age > s.opts.MaxAge {
		return &api.Error{Code: api.CodeUnavailable, Reason: api.ReasonBehind, Message: fmt.Sprintf(
			"this copy was last known to be up to date %v ago, want at most %v", st.Age.Round(time.Millisecond), s.opts.MaxAge)}
	}
	return nil
}

// handOver has another copy take the writes.
func (s *Server) handOver(ctx context.Context, _ call.NoParameters) (call.Reply, error) {
	if s.opts.Replica == nil {
		return nil, &api.Error{Code: api.CodeInvalidRequest, Message: "the database of this server has no other copies"}
	}
	if err := s.opts.Replica.HandOver(ctx); errors.Is(err, ship.ErrNotLeading) {
		return nil, &api.Error{Code: api.CodeInvalidRequest, Message: "this copy does not lead: ask the one that does"}
	} else if err != nil {
		return nil, err
	}
	return api.HealthReply{Status: "ok", Copy: s.copyReply()}, nil
}

// registerCopy adds the figures of a copy.
func (s *Server) registerCopy() {
	figure := func(name, help string, value func(st ship.Status) float64) prometheus.Collector {
		return newGauge("uproar_copy_"+name, help, func() float64 { return value(s.opts.Replica.Status()) })
	}
	s.metrics.registry.MustRegister(
		figure("leads", "1 while this copy takes the writes.", func(st ship.Status) float64 {
			if st.Leads {
				return 1
			}
			return 0
		}),
		figure("position", "Objects of the log that this copy has.",
			func(st ship.Status) float64 { return float64(st.Object) }),
		figure("epoch", "How often the writer has changed.", func(st ship.Status) float64 { return float64(st.Epoch) }),
		figure("age_seconds", "Since this copy was known to be up to date.",
			func(st ship.Status) float64 { return st.Age.Seconds() }),
		figure("objects_made", "Objects that this copy has made.",
			func(st ship.Status) float64 { return float64(st.Objects) }),
		figure("bytes_made", "Bytes of them.", func(st ship.Status) float64 { return float64(st.Bytes) }),
		figure("takeovers", "How often this copy has taken over.",
			func(st ship.Status) float64 { return float64(st.Takeovers) }),
		figure("fenced", "How often another has taken over from it.",
			func(st ship.Status) float64 { return float64(st.Fenced) }),
		figure("engine_failures", "Calls of the storage that failed.",
			func(st ship.Status) float64 { return float64(st.Unavailable) }))
}

// keepStanding keeps the standing queries of the database for as long as it takes writes, until ctx
// ends.
func (s *Server) keepStanding(ctx context.Context) {
	for ctx.Err() == nil {
		if s.db.ReadOnly() {
			select {
			case <-ctx.Done():
			case <-time.After(100 * time.Millisecond):
			}
			continue
		}
		keeping, stop := context.WithCancel(ctx)
		kept := make(chan struct{})
		go func() {
			defer close(kept)
			standing.Keep(keeping, s.db, s.opts.Logger)
		}()
		for ctx.Err() == nil && !s.db.ReadOnly() {
			select {
			case <-ctx.Done():
			case <-time.After(100 * time.Millisecond):
			}
		}
		stop()
		<-kept
	}
}
