// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

// Package trace lets every layer say which steps a request consists of, to whoever traces requests.
// Layers know this package and no library of traces. While nobody traces, a step costs one load.
package trace

import (
	"context"
	"sync/atomic"
	"time"
)

// Tracer keeps steps. Safe for concurrent use.
type Tracer interface {
	// Answer begins the step of a request, below the one that its header names, if any. The
	// recorder is nil if the request is not to be traced.
	Answer(ctx context.Context, name string, header func(name string) string) (context.Context, Recorder)
	// Begin begins a step below that of ctx, or a root.
	Begin(ctx context.Context, name string) (context.Context, Recorder)
	// Forward says to the next server, in the header of a request, which step ctx is in.
	Forward(ctx context.Context, set func(name, value string))
}

// Recorder is one step of a tracer.
type Recorder interface {
	// Int notes a number.
	Int(name string, value int64)
	// Text notes a text.
	Text(name, value string)
	// End ends the step; err is what went wrong.
	End(err error)
	// TraceID returns what the tracer calls the request.
	TraceID() string
}

var installed atomic.Pointer[Tracer]

// Install has a tracer keep the steps of this process from now on. nil: nobody does.
func Install(t Tracer) {
	if t == nil {
		installed.Store(nil)
		return
	}
	installed.Store(&t)
}

// Step is a piece of work that a tracer is told of. A nil one is of nobody, and all methods do
// nothing. It belongs to one goroutine, but pages may be counted by several.
type Step struct {
	recorder  Recorder
	pages     atomic.Int64 // read from the store
	bytes     atomic.Int64 // of these
	readNanos atomic.Int64
}

type key struct{}

// On reports whether somebody traces.
func On() bool { return installed.Load() != nil }

// Answer begins the step of a request with some header.
func Answer(ctx context.Context, name string, header func(name string) string) (context.Context, *Step) {
	t := installed.Load()
	if t == nil {
		return ctx, nil
	}
	return enter((*t).Answer(ctx, name, header))
}

// Root begins a step that is of no request.
func Root(ctx context.Context, name string) (context.Context, *Step) {
	t := installed.Load()
	if t == nil {
		return ctx, nil
	}
	return enter((*t).Begin(ctx, name))
}

// Begin begins a step below that of ctx. There is none if ctx is in no step: work of the background
// is not traced step by step.
func Begin(ctx context.Context, name string) (context.Context, *Step) {
	if Of(ctx) == nil {
		return ctx, nil
	}
	return Root(ctx, name)
}

// Forward says to the next server, in the header of a request, which step ctx is in.
func Forward(ctx context.Context, set func(name, value string)) {
	if t := installed.Load(); t != nil {
		(*t).Forward(ctx, set)
	}
}

func enter(ctx context.Context, r Recorder) (context.Context, *Step) {
	if r == nil {
		return ctx, nil
	}
	s := &Step{recorder: r}
	return context.WithValue(ctx, key{}, s), s
}

// Of returns the step that ctx is in; nil if it is in none.
func Of(ctx context.Context) *Step {
	if !On() || ctx == nil {
		return nil
	}
	s, _ := ctx.Value(key{}).(*Step)
	return s
}

// Int notes a number.
func (s *Step) Int(name string, value int64) {
	if s != nil {
		s.recorder.Int(name, value)
	}
}

// Text notes a text.
func (s *Step) Text(name, value string) {
	if s != nil {
		s.recorder.Text(name, value)
	}
}

// TraceID returns the ID under which the tracer keeps the step and its relatives; "" of nil.
func (s *Step) TraceID() string {
	if s == nil {
		return ""
	}
	return s.recorder.TraceID()
}

// Reading begins to read a page of some bytes from the store, for the step that ctx is in. What it
// returns is called when that is done.
func Reading(ctx context.Context, bytes uint32) (done func()) {
	s := Of(ctx)
	if s == nil {
		return func() {}
	}
	start := time.Now()
	return func() {
		s.pages.Add(1)
		s.bytes.Add(int64(bytes))
		s.readNanos.Add(time.Since(start).Nanoseconds())
	}
}

// EndWith ends the step of a function, with the error that it returns.
func (s *Step) EndWith(err *error) { s.End(*err) }

// End ends the step. err is what went wrong, if anything.
func (s *Step) End(err error) {
	if s == nil {
		return
	}
	if pages := s.pages.Load(); pages > 0 {
		s.recorder.Int("uproar.pages_read", pages)
		s.recorder.Int("uproar.pages_read_bytes", s.bytes.Load())
		s.recorder.Int("uproar.pages_read_us", s.readNanos.Load()/1000)
	}
	s.recorder.End(err)
}
