// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package trace_test

import (
	"context"
	"errors"
	"slices"
	"testing"

	"github.com/uproar-db/uproar/internal/trace"
)

// tracer notes what it is told, unless it samples nothing.
type tracer struct {
	told   []string
	sample bool
}

func (t *tracer) Answer(ctx context.Context, name string, header func(string) string) (context.Context,
	trace.Recorder) {
	return t.Begin(ctx, name+" below "+header("Traceparent"))
}

func (t *tracer) Begin(ctx context.Context, name string) (context.Context, trace.Recorder) {
	if !t.sample {
		return ctx, nil
	}
	t.told = append(t.told, "begin "+name)
	return ctx, recorder{t, name}
}

func (t *tracer) Forward(_ context.Context, set func(name, value string)) { set("Traceparent", "p") }

type recorder struct {
	of   *tracer
	name string
}

func (r recorder) Int(name string, _ int64) { r.of.told = append(r.of.told, r.name+" "+name) }
func (r recorder) Text(name, value string)  { r.of.told = append(r.of.told, r.name+" "+name+"="+value) }
func (r recorder) TraceID() string          { return "t" }
func (r recorder) End(err error)            { r.of.told = append(r.of.told, "end "+r.name+": "+text(err)) }

func text(err error) string {
	if err == nil {
		return "ok"
	}
	return err.Error()
}

// steps does what the layers do.
func steps(ctx context.Context) (id string, err error) {
	ctx, request := trace.Answer(ctx, "request", func(string) string { return "x" })
	defer request.EndWith(&err)
	_, inner := trace.Begin(ctx, "inner")
	inner.Int("n", 1)
	inner.End(nil)
	trace.Reading(ctx, 7)()
	request.Text("a", "b")
	return request.TraceID(), errors.New("broken")
}

// TestSteps: whoever traces is told of each step once, and nobody else.
func TestSteps(t *testing.T) {
	defer trace.Install(nil)
	for _, c := range []struct {
		name   string
		tracer *tracer
		want   []string
	}{
		{"traced", &tracer{sample: true}, []string{"begin request below x", "begin inner", "inner n", "end inner: ok",
			"request below x a=b", "request below x uproar.pages_read", "request below x uproar.pages_read_bytes",
			"request below x uproar.pages_read_us", "end request below x: broken"}},
		{"not sampled", &tracer{}, nil},
	} {
		trace.Install(c.tracer)
		_, _ = steps(t.Context())
		if _, s := trace.Begin(t.Context(), "of the background"); s != nil {
			t.Errorf("%s: got a step below none", c.name)
		}
		if !slices.Equal(c.tracer.told, c.want) {
			t.Errorf("%s: got %q, want %q", c.name, c.tracer.told, c.want)
		}
	}
	trace.Install(nil)
	if id, err := steps(t.Context()); id != "" || err == nil || trace.On() || trace.Of(t.Context()) != nil {
		t.Errorf("nobody traces: got the ID %q and %v", id, err)
	}
	trace.Forward(t.Context(), func(name, _ string) { t.Errorf("nobody traces: got %s", name) })
}

// TestOff: while nobody traces, a step allocates nothing.
func TestOff(t *testing.T) {
	ctx := t.Context()
	if n := testing.AllocsPerRun(100, func() { off(ctx) }); n != 0 {
		t.Errorf("got %v allocations, want none", n)
	}
}

func off(ctx context.Context) {
	ctx, step := trace.Begin(ctx, "step")
	step.Int("n", 1)
	trace.Reading(ctx, 1)()
	step.End(nil)
}

// BenchmarkOff is what the steps of a query cost while nobody traces.
func BenchmarkOff(b *testing.B) {
	ctx := b.Context()
	for b.Loop() {
		off(ctx)
	}
}
