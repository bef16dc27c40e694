// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package tracing_test

import (
	"bytes"
	"context"
	"encoding/hex"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	collector "go.opentelemetry.io/proto/otlp/collector/trace/v1"
	otlp "go.opentelemetry.io/proto/otlp/trace/v1"
	"google.golang.org/protobuf/proto"

	"github.com/uproar-db/uproar"
	"github.com/uproar-db/uproar/apps/graph"
	"github.com/uproar-db/uproar/server"
	"github.com/uproar-db/uproar/server/tracing"
	"github.com/uproar-db/uproar/store/memstore"
)

// receiver is a collector that keeps what it gets.
type receiver struct {
	mu       sync.Mutex
	path     string
	resource map[string]string
	spans    []*otlp.Span
}

func (r *receiver) ServeHTTP(w http.ResponseWriter, req *http.Request) {
	body, err := io.ReadAll(req.Body)
	var got collector.ExportTraceServiceRequest
	if err == nil {
		err = proto.Unmarshal(body, &got)
	}
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.path = req.URL.Path
	for _, of := range got.ResourceSpans {
		r.resource = make(map[string]string)
		for _, a := range of.Resource.Attributes {
			r.resource[a.Key] = a.Value.GetStringValue()
		}
		for _, scope := range of.ScopeSpans {
			r.spans = append(r.spans, scope.Spans...)
		}
	}
}

// of returns the spans of a trace, by name.
func (r *receiver) of(trace string) map[string]*otlp.Span {
	r.mu.Lock()
	defer r.mu.Unlock()
	found := make(map[string]*otlp.Span)
	for _, s := range r.spans {
		if trace == "" || hex.EncodeToString(s.TraceId) == trace {
			found[s.Name] = s
		}
	}
	return found
}

func number(s *otlp.Span, name string) int64 {
	for _, a := range s.GetAttributes() {
		if a.Key == name {
			return a.Value.GetIntValue()
		}
	}
	return -1
}

func text(s *otlp.Span, name string) string {
	for _, a := range s.GetAttributes() {
		if a.Key == name {
			return a.Value.GetStringValue()
		}
	}
	return ""
}

// TestTraces: a request becomes a trace below the one of its client, down to the pages that were
// read; one that its client does not trace becomes none.
func TestTraces(t *testing.T) {
	got := new(receiver)
	endpoint := httptest.NewServer(got)
	defer endpoint.Close()
	var log bytes.Buffer
	logger := slog.New(slog.NewTextHandler(&log, nil))
	stop, err := tracing.Send(t.Context(), endpoint.URL, logger)
	if err != nil {
		t.Fatal(err)
	}
	db, err := uproar.Open(t.Context(), memstore.New(), nil)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	if _, err := graph.Open(t.Context(), db); err != nil {
		t.Fatal(err)
	}
	s, err := server.New(db, &server.Options{Logger: logger, Requests: server.RequestLog{Every: 1}})
	if err != nil {
		t.Fatal(err)
	}
	ask := func(method, path, body string, header ...string) *httptest.ResponseRecorder {
		t.Helper()
		r := httptest.NewRequest(method, path, strings.NewReader(body))
		r.Host = "localhost"
		if body != "" {
			r.Header.Set("Content-Type", "application/json")
		}
		for i := 0; i < len(header); i += 2 {
			r.Header.Set(header[i], header[i+1])
		}
		w := httptest.NewRecorder()
		s.ServeHTTP(w, r)
		if w.Code != 200 {
			t.Fatalf("%s %s: got %d %s", method, path, w.Code, w.Body)
		}
		return w
	}
	trace := func(n int) string { return fmt.Sprintf("%032x", 0xabc0+n) }
	parent := func(n int, flags string) string {
		return fmt.Sprintf("00-%s-%016x-%s", trace(n), 0xdef0+n, flags)
	}
	ask("POST", "/v1/graph/follow", `{"account":"a","target":"c"}`, "Traceparent", parent(1, "01"))
	ask("POST", "/v1/graph/follow", `{"account":"b","target":"c"}`)
	ix, err := db.Index(graph.IndexName)
	if err != nil {
		t.Fatal(err)
	}
	if err := ix.Flush(t.Context()); err != nil {
		t.Fatal(err)
	}
	const query = `{"index":"accounts","q":"follows(c)","answer":"count"}`
	ask("POST", "/v1/query", query, "Traceparent", parent(2, "01"), "X-Request-Id", "mine-7")
	ask("POST", "/v1/query", query, "Traceparent", parent(3, "00"))
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
	defer cancel()
	if err := stop(ctx); err != nil {
		t.Fatal(err)
	}
	ask("POST", "/v1/query", query, "Traceparent", parent(4, "01")) // nobody traces any more

	if got.path != "/v1/traces" || got.resource["service.name"] != "uproar" ||
		got.resource["service.version"] != uproar.Version {
		t.Errorf("got %s and the resource %v", got.path, got.resource)
	}
	written := got.of(trace(1))
	if commit, request := written["commit"], written["POST /v1/graph/follow"]; commit == nil || request == nil ||
		number(commit, "uproar.edits") < 1 || !bytes.Equal(commit.TraceId, request.TraceId) {
		t.Errorf("of a write: got %v", written)
	}
	asked := got.of(trace(2))
	request, parse, evaluate, plan := asked["POST /v1/query"], asked["parse"], asked["evaluate"], asked["plan"]
	if request == nil || parse == nil || evaluate == nil || plan == nil {
		t.Fatalf("of a query: got %v", asked)
	}
	if hex.EncodeToString(request.ParentSpanId) != fmt.Sprintf("%016x", 0xdef2) ||
		request.Kind != otlp.Span_SPAN_KIND_SERVER || text(request, "http.route") != "/v1/query" ||
		number(request, "http.response.status_code") != 200 || text(request, "uproar.request_id") != "mine-7" {
		t.Errorf("request: got %v", request)
	}
	if !bytes.Equal(parse.ParentSpanId, request.SpanId) || !bytes.Equal(evaluate.ParentSpanId, request.SpanId) ||
		!bytes.Equal(plan.ParentSpanId, evaluate.SpanId) {
		t.Errorf("the steps are not below the request: %v", asked)
	}
	if number(evaluate, "uproar.lists") < 1 || number(evaluate, "uproar.list_pages") < 1 ||
		number(evaluate, "uproar.pages_read") < 1 || number(evaluate, "uproar.pages_read_bytes") < 1 {
		t.Errorf("evaluate: got %v", evaluate)
	}
	if flush := got.of("")["flush"]; flush == nil || number(flush, "uproar.pages_written") < 1 {
		t.Errorf("flush: got %v", flush)
	}
	for _, n := range []int{3, 4} {
		if none := got.of(trace(n)); len(none) > 0 {
			t.Errorf("trace %d: got %v, want none", n, none)
		}
	}
	lines := strings.Split(log.String(), "\n")
	if !slices.ContainsFunc(lines, func(line string) bool {
		return strings.Contains(line, "trace_id="+trace(2)) && strings.Contains(line, "request_id=mine-7")
	}) {
		t.Errorf("the log does not name the trace and the request:\n%s", log.String())
	}
}

// TestTraceEndpoint: what is no address is refused; a collector that is not there is logged once,
// and requests go on.
func TestTraceEndpoint(t *testing.T) {
	for _, endpoint := range []string{"localhost:4318", "ftp://x", "http://", "http://a:b@c", "http://c?x=y",
		"http://a b"} {
		if _, err := tracing.Send(t.Context(), endpoint, slog.Default()); err == nil ||
			!strings.Contains(err.Error(), "got the endpoint") {
			t.Errorf("%s: got %v, want that it is none", endpoint, err)
		}
	}
	env := map[string]string{}
	wanted := func(endpoint string, want bool, vars ...string) {
		t.Helper()
		clear(env)
		for i := 0; i < len(vars); i += 2 {
			env[vars[i]] = vars[i+1]
		}
		if got := tracing.Wanted(endpoint, func(name string) string { return env[name] }); got != want {
			t.Errorf("%q, %v: got %v, want %v", endpoint, vars, got, want)
		}
	}
	wanted("", false)
	wanted("http://c:4318", true)
	wanted("", true, "OTEL_EXPORTER_OTLP_ENDPOINT", "http://c:4318")
	wanted("", true, "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT", "http://c:4318/v1/traces")
	wanted("http://c:4318", false, "OTEL_SDK_DISABLED", "true")
	wanted("http://c:4318", false, "OTEL_TRACES_EXPORTER", "none")
}
