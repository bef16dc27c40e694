// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

// Package tracing sends what requests consist of to a collector of OpenTelemetry: traces over OTLP
// and HTTP, below those of their clients (traceparent). No other package knows the library.
package tracing

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/url"
	"sync"
	"time"

	"go.opentelemetry.io/otel"
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	"go.opentelemetry.io/otel/exporters/otlp/otlptrace/otlptracehttp"
	"go.opentelemetry.io/otel/propagation"
	"go.opentelemetry.io/otel/sdk/resource"
	sdk "go.opentelemetry.io/otel/sdk/trace"
	oteltrace "go.opentelemetry.io/otel/trace"

	"github.com/uproar-db/uproar"
	"github.com/uproar-db/uproar/internal/trace"
)

// Wanted reports whether traces are to be sent: to an endpoint that is given, or to one of
// OpenTelemetry's variables. OTEL_SDK_DISABLED and OTEL_TRACES_EXPORTER=none overrule both.
func Wanted(endpoint string, env func(string) string) bool {
	if env("OTEL_SDK_DISABLED") == "true" || env("OTEL_TRACES_EXPORTER") == "none" {
		return false
	}
	return endpoint != "" || env("OTEL_EXPORTER_OTLP_ENDPOINT") != "" || env("OTEL_EXPORTER_OTLP_TRACES_ENDPOINT") != ""
}

// Send has this process trace requests, and sends the traces to a collector. endpoint is its
// address, as http://127.0.0.1:4318; "": that of OpenTelemetry's variables, which say all else: the
// share of requests (OTEL_TRACES_SAMPLER), the name of the service, header and certificates. stop
// sends what is left, and ends it. There is one at a time in a process. A collector that cannot be
// reached is logged; no request waits for it.
func Send(ctx context.Context, endpoint string, log *slog.Logger) (stop func(context.Context) error, err error) {
	var options []otlptracehttp.Option
	if endpoint != "" {
		if options, err = address(endpoint); err != nil {
			return nil, err
		}
	}
	exporter, err := otlptracehttp.New(ctx, options...)
	if err != nil {
		return nil, fmt.Errorf("tracing: %w", err)
	}
	of, err := resource.New(ctx, resource.WithHost(), resource.WithTelemetrySDK(), resource.WithAttributes(
		attribute.String("service.name", "uproar"), attribute.String("service.version", uproar.Version)),
		resource.WithFromEnv()) // which may give another name
	if err != nil {
		log.Warn("traces say less of this machine", "error", err)
	}
	provider := sdk.NewTracerProvider(sdk.WithBatcher(exporter), sdk.WithResource(of))
	otel.SetErrorHandler(&complaints{log: log})
	trace.Install(&tracer{of: provider.Tracer("github.com/uproar-db/uproar")})
	return func(ctx context.Context) error {
		trace.Install(nil)
		if err := provider.Shutdown(ctx); err != nil {
			return fmt.Errorf("tracing: the last traces were not sent: %w", err)
		}
		return nil
	}, nil
}

// address returns what the library is to be told of the address of a collector.
func address(endpoint string) ([]otlptracehttp.Option, error) {
	u, err := url.Parse(endpoint)
	if err == nil && (u.Scheme != "http" && u.Scheme != "https" || u.Host == "" || u.RawQuery != "" || u.User != nil) {
		err = errors.New("want http or https, a host and a port, and nothing else but a path")
	}
	if err != nil {
		return nil, fmt.Errorf("tracing: got the endpoint %.200q: %w, as http://127.0.0.1:4318", endpoint, err)
	}
	return []otlptracehttp.Option{otlptracehttp.WithEndpointURL(u.JoinPath("v1", "traces").String())}, nil
}

// complaints logs what the library says of its own errors, once a minute.
type complaints struct {
	log  *slog.Logger
	mu   sync.Mutex
	last time.Time
}

// Handle implements otel.ErrorHandler.
func (c *complaints) Handle(err error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if time.Since(c.last) >= time.Minute {
		c.last = time.Now()
		c.log.Warn("traces are lost; requests go on", "error", err)
	}
}

// tracer keeps spans in the library.
type tracer struct{ of oteltrace.Tracer }

var w3c propagation.TraceContext

// Answer implements trace.Tracer.
func (t *tracer) Answer(ctx context.Context, name string, header func(name string) string) (context.Context,
	trace.Recorder) {
	ctx = w3c.Extract(ctx, carrier{get: header})
	return recorded(t.of.Start(ctx, name, oteltrace.WithSpanKind(oteltrace.SpanKindServer)))
}

// Begin implements trace.Tracer.
func (t *tracer) Begin(ctx context.Context, name string) (context.Context, trace.Recorder) {
	return recorded(t.of.Start(ctx, name))
}

// Forward implements trace.Tracer.
func (t *tracer) Forward(ctx context.Context, set func(name, value string)) {
	w3c.Inject(ctx, carrier{set: set})
}

func recorded(ctx context.Context, s oteltrace.Span) (context.Context, trace.Recorder) {
	if !s.IsRecording() {
		return ctx, nil
	}
	return ctx, recorder{s}
}

// recorder is a span of the library.
type recorder struct{ of oteltrace.Span }

// Int implements trace.Recorder.
func (r recorder) Int(name string, value int64) { r.of.SetAttributes(attribute.Int64(name, value)) }

// Text implements trace.Recorder.
func (r recorder) Text(name, value string) { r.of.SetAttributes(attribute.String(name, value)) }

// TraceID implements trace.Recorder.
func (r recorder) TraceID() string { return r.of.SpanContext().TraceID().String() }

// End implements trace.Recorder.
func (r recorder) End(err error) {
	if err != nil {
		r.of.SetStatus(codes.Error, err.Error())
	}
	r.of.End()
}

// carrier is the header of a request, as the library reads and writes it.
type carrier struct {
	get func(name string) string
	set func(name, value string)
}

// Get returns a field.
func (c carrier) Get(name string) string { return c.get(fieldNames[name]) }

// Set sets a field.
func (c carrier) Set(name, value string) { c.set(fieldNames[name], value) }

// Keys returns the names of all fields.
func (c carrier) Keys() []string { return w3c.Fields() }

// fieldNames are the canonical names of these fields.
var fieldNames = map[string]string{"traceparent": "Traceparent", "tracestate": "Tracestate"}
