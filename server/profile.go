// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package server

import (
	"bytes"
	"context"
	"runtime"
	"runtime/pprof"
	"runtime/trace"
	"strconv"
	"time"

	"github.com/uproar-db/uproar/api"
	"github.com/uproar-db/uproar/server/call"
)

const profilePath = "/debug/pprof/"

// longestProfile is how long a profile of the processor, or a trace, may take.
const longestProfile = 60 * time.Second

// profileEndpoints lists the calls of go tool pprof, under the paths of net/http/pprof.
func (s *Server) profileEndpoints() []call.Endpoint {
	list := []call.Endpoint{
		{Method: "GET", Path: profilePath + "profile", Name: "pprof", Handle: s.recorded(30*time.Second,
			func(b *bytes.Buffer) (func(), error) {
				return pprof.StopCPUProfile, pprof.StartCPUProfile(b)
			})},
		{Method: "GET", Path: profilePath + "trace", Name: "pprof", Handle: s.recorded(time.Second,
			func(b *bytes.Buffer) (func(), error) {
				return trace.Stop, trace.Start(b)
			})},
	}
	for _, name := range []string{"allocs", "block", "goroutine", "heap", "mutex", "threadcreate"} {
		list = append(list, call.Get(profilePath+name, "pprof", s.snapshotProfile(name)))
	}
	return list
}

// mayProfile refuses who may not see what the process does: without tokens, all but programs of
// this machine.
func (s *Server) mayProfile(c *call.Request) error {
	if s.opts.Tokens != nil {
		return nil
	}
	return mustBeLocal(c, "a profile shows what the process does, and there are no tokens")
}

// snapshotProfile answers a profile of the present.
func (s *Server) snapshotProfile(name string) call.Handler {
	return func(_ context.Context, c call.Request) (call.Reply, error) {
		p := call.ParseParams(c.Query)
		level := 0
		if text, ok := p.Optional("debug"); ok {
			n, err := strconv.Atoi(text)
			if err != nil || n < 0 || n > 2 {
				p.Fail(call.Invalid("parameter \"debug\" is %s, want 0, 1 or 2", call.Quote(text)))
			}
			level = n
		}
		if p.Flag("gc") {
			runtime.GC()
		}
		if err := p.Finish(); err != nil {
			return nil, err
		}
		if err := s.mayProfile(&c); err != nil {
			return nil, err
		}
		var b bytes.Buffer
		if err := pprof.Lookup(name).WriteTo(&b, level); err != nil {
			return nil, err
		}
		if level > 0 {
			return call.Text{ContentType: "text/plain; charset=utf-8", Body: b.Bytes()}, nil
		}
		return call.Text{ContentType: "application/octet-stream", Body: b.Bytes()}, nil
	}
}

// recorded answers what begin records, until its time is over or the server is stopped. The limit
// of time of other requests does not apply.
func (s *Server) recorded(long time.Duration, begin func(*bytes.Buffer) (end func(), err error)) call.Handler {
	return func(ctx context.Context, c call.Request) (call.Reply, error) {
		p, wait := call.ParseParams(c.Query), long
		if seconds, ok := p.Optional("seconds"); ok {
			n, err := strconv.Atoi(seconds)
			if wait = time.Duration(n) * time.Second; err != nil || n < 1 || n > int(longestProfile/time.Second) {
				p.Fail(call.Invalid("parameter \"seconds\" is %s, want 1 to %d", call.Quote(seconds),
					longestProfile/time.Second))
			}
		}
		if err := p.Finish(); err != nil {
			return nil, err
		}
		if err := s.mayProfile(&c); err != nil {
			return nil, err
		}
		var b bytes.Buffer
		end, err := begin(&b)
		if err != nil {
			return nil, &api.Error{Code: api.CodeUnavailable,
				Message: "another profile is being recorded; try again later"}
		}
		var stopped <-chan struct{}
		if stopping, ok := ctx.Value(call.StoppingKey{}).(context.Context); ok {
			stopped = stopping.Done()
		}
		select {
		case <-time.After(wait):
		case <-stopped:
		}
		end()
		return call.Text{ContentType: "application/octet-stream", Body: b.Bytes()}, nil
	}
}
