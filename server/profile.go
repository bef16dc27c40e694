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
)

const profilePath = "/debug/pprof/"

// longestProfile is how long a profile of the processor, or a trace, may take.
const longestProfile = 60 * time.Second

// profileEndpoints lists the calls of go tool pprof, under the paths of net/http/pprof.
func (s *Server) profileEndpoints() []endpoint {
	list := []endpoint{
		{"GET", profilePath + "profile", "pprof", s.recorded(30*time.Second, func(b *bytes.Buffer) (func(), error) {
			return pprof.StopCPUProfile, pprof.StartCPUProfile(b)
		})},
		{"GET", profilePath + "trace", "pprof", s.recorded(time.Second, func(b *bytes.Buffer) (func(), error) {
			return trace.Stop, trace.Start(b)
		})},
	}
	for _, name := range []string{"allocs", "block", "goroutine", "heap", "mutex", "threadcreate"} {
		list = append(list, endpoint{"GET", profilePath + name, "pprof", s.snapshotProfile(name)})
	}
	return list
}

// mayProfile refuses who may not see what the process does: without tokens, all but programs of
// this machine.
func (s *Server) mayProfile(c *call) error {
	if s.opts.Tokens != nil {
		return nil
	}
	return mustBeLocal(c, "a profile shows what the process does, and there are no tokens")
}

// snapshotProfile answers a profile of the present.
func (s *Server) snapshotProfile(name string) handler {
	return func(_ context.Context, c call) (reply, error) {
		p := parseParams(c.query)
		level := 0
		if text, ok := p.optional("debug"); ok {
			n, err := strconv.Atoi(text)
			if err != nil || n < 0 || n > 2 {
				p.fail(invalid("parameter \"debug\" is %s, want 0, 1 or 2", quote(text)))
			}
			level = n
		}
		if p.flag("gc") {
			runtime.GC()
		}
		if err := p.finish(); err != nil {
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
			return text{"text/plain; charset=utf-8", b.Bytes()}, nil
		}
		return text{"application/octet-stream", b.Bytes()}, nil
	}
}

// recorded answers what begin records, until its time is over or the server is stopped. The limit
// of time of other requests does not apply.
func (s *Server) recorded(long time.Duration, begin func(*bytes.Buffer) (end func(), err error)) handler {
	return func(ctx context.Context, c call) (reply, error) {
		p, wait := parseParams(c.query), long
		if seconds, ok := p.optional("seconds"); ok {
			n, err := strconv.Atoi(seconds)
			if wait = time.Duration(n) * time.Second; err != nil || n < 1 || n > int(longestProfile/time.Second) {
				p.fail(invalid("parameter \"seconds\" is %s, want 1 to %d", quote(seconds), longestProfile/time.Second))
			}
		}
		if err := p.finish(); err != nil {
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
		if stopping, ok := ctx.Value(stoppingKey{}).(context.Context); ok {
			stopped = stopping.Done()
		}
		select {
		case <-time.After(wait):
		case <-stopped:
		}
		end()
		return text{"application/octet-stream", b.Bytes()}, nil
	}
}
