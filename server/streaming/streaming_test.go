// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package streaming_test

import (
	"context"
	"errors"
	"io"
	"iter"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/uproar-db/uproar"
	"github.com/uproar-db/uproar/api"
	"github.com/uproar-db/uproar/internal/export"
	"github.com/uproar-db/uproar/query"
	"github.com/uproar-db/uproar/server/call"
	"github.com/uproar-db/uproar/server/streaming"
	"github.com/uproar-db/uproar/store/memstore"
)

// accepting is a request with a field Accept, and nothing else.
type accepting string

func (accepting) Read([]byte) (int, error) { return 0, io.EOF }
func (accepting) ReadUntil(time.Time)      {}
func (accepting) Remote() string           { return "" }
func (a accepting) Header(name string) string {
	return http.Header{"Accept": {string(a)}}.Get(name)
}
func (a accepting) Has(name string) bool { return a.Header(name) != "" }
func (accepting) Fields() iter.Seq2[string, string] {
	return func(func(string, string) bool) {}
}

// form returns the form that a field Accept asks for.
func form(accept string) streaming.Form {
	f, err := streaming.Accepted(&call.Request{Transport: accepting(accept)})
	if err != nil {
		panic(err)
	}
	return f
}

// TestAccepted: the form of the greatest weight counts, of equal ones the first; who has no wish
// gets JSON.
func TestAccepted(t *testing.T) {
	csv, lines, parquet := form("text/csv"), form("application/x-ndjson"), form("application/vnd.apache.parquet")
	for accept, want := range map[string]streaming.Form{
		"": {}, " ": {}, "*/*": {}, "application/*, text/csv": {}, "application/json, text/csv": {},
		"text/html,application/xhtml+xml,*/*;q=0.8": {}, "image/png, TEXT/CSV ;q=1": csv, "text/*": csv,
		"application/x-ndjson,*/*": lines, "text/csv;q=0, application/x-ndjson;q=0.5": lines,
		"text/csv;q=0.9, application/json;q=0.1": csv, "text/csv;q=0.1, application/json;q=0.9": {},
		"text/csv;q=0.1, */*;q=0.5": {}, "*/*;q=0.1, text/csv": csv, "application/json;q=0, application/*": lines,
		"*/*, application/json;q=0.5, text/*;q=0, application/x-ndjson;q=0.4": parquet,
		"text/*;q=0.3, text/csv;header=present;q=0":                           form("text/tab-separated-values"),
		"text/csv; charset=utf-8; Q=0.2, text/tab-separated-values;q=0.1":     csv,
	} {
		if got := form(accept); got != want {
			t.Errorf("Accept: %s: got %+v, want %+v", accept, got, want)
		}
	}
	for _, accept := range []string{"image/png", "text/csv; q=0.0", "*/*;q=0", "text/event-stream", "text", ";q=1"} {
		_, err := streaming.Accepted(&call.Request{Transport: accepting(accept)})
		if !errors.Is(err, &api.Error{Code: api.CodeNotAcceptable}) || !strings.Contains(err.Error(), "text/csv") {
			t.Errorf("Accept: %s: got %v, want it refused with what there is", accept, err)
		}
	}
	for _, media := range streaming.Media {
		if form(media).IsJSON() {
			t.Errorf("%s: got JSON", media)
		}
	}
	if f, err := streaming.Accepted(&call.Request{}); err != nil || !f.IsJSON() {
		t.Errorf("a call without a request: got %+v, %v, want JSON", f, err)
	}
}

// people returns an index of two records.
func people(t *testing.T) *uproar.Index {
	t.Helper()
	db, err := uproar.Open(t.Context(), memstore.New(), nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = db.Close() })
	index, err := db.CreateIndex(t.Context(), "people")
	if err != nil {
		t.Fatal(err)
	}
	var b uproar.Batch
	b.AddRecord("ann")
	b.AddRecord("bob")
	if _, err := index.Write(t.Context(), &b); err != nil {
		t.Fatal(err)
	}
	return index
}

// story is a list whose entries are as a test tells.
type story struct {
	steps []any // a text: an entry; an error: that; a value of another type: a panic
	ends  int
	late  bool
}

func (s *story) begin(context.Context, uproar.Snapshot, *uproar.Selection) (streaming.List, error) {
	return streaming.List{Columns: []export.Column{{Name: "key"}}, Late: s.late, End: func() { s.ends++ },
		Next: func(out *streaming.Out) (bool, error) {
			step := s.steps[0]
			s.steps = s.steps[1:]
			switch step := step.(type) {
			case string:
				return len(s.steps) > 0, out.Entry(map[string]string{"key": step}, export.Cell{Text: step})
			case error:
				return false, step
			}
			panic(step)
		}}, nil
}

// TestStreams tells what is sent, and how it ends.
func TestStreams(t *testing.T) {
	index, broken := people(t), errors.New("a broken page")
	for name, c := range map[string]struct {
		accept string
		story  story
		begins error // of the reply
		want   string
		ends   error // of reading
	}{
		"csv": {"text/csv", story{steps: []any{"ann", "b,b"}}, nil, "key\nann\n\"b,b\"\n", nil},
		"ndjson": {"application/x-ndjson", story{steps: []any{"<ann>", "bob"}}, nil,
			"{\"key\":\"<ann>\"}\n{\"key\":\"bob\"}\n", nil},
		"late":          {"text/csv", story{steps: []any{"ann"}, late: true}, nil, "key\nann\n", nil},
		"fails at once": {"application/x-ndjson", story{steps: []any{broken}}, broken, "", nil},
		"fails late":    {"application/x-ndjson", story{steps: []any{broken}, late: true}, nil, "", broken},
		"breaks off": {"application/x-ndjson", story{steps: []any{"ann", broken}}, nil,
			"{\"key\":\"ann\"}\n", broken},
		"panics": {"application/x-ndjson", story{steps: []any{"ann", 5}}, nil,
			"{\"key\":\"ann\"}\n", &call.Panicked{}},
		"is no text": {"application/vnd.apache.parquet", story{steps: []any{"a\xff"}},
			&api.Error{Code: api.CodeInvalidRequest}, "", nil},
	} {
		streams := streaming.New(1)
		reply, err := streams.Send(t.Context(), index, query.All{}, form(c.accept), c.story.begin)
		if !errors.Is(err, c.begins) || err == nil && c.begins != nil {
			t.Errorf("%s: got %v, want %v", name, err, c.begins)
		}
		if err == nil {
			r := reply.(call.Streamed)
			text, err := io.ReadAll(r.Stream)
			_, panicked := c.ends.(*call.Panicked)
			_, gotPanic := err.(*call.Panicked)
			if string(text) != c.want || gotPanic != panicked || !panicked && !errors.Is(err, c.ends) ||
				r.ContentType != c.accept {
				t.Errorf("%s: got %s, %q, %v, want %q, %v", name, r.ContentType, text, err, c.want, c.ends)
			}
			if err := errors.Join(r.Stream.Close(), r.Stream.Close()); err != nil {
				t.Errorf("%s: closed twice: %v", name, err)
			}
		}
		if c.story.ends != 1 {
			t.Errorf("%s: got %d ends, want 1", name, c.story.ends)
		}
		// Whatever happened, another one has its place.
		next := story{steps: []any{"ann"}}
		if reply, err = streams.Send(t.Context(), index, query.All{}, form("text/csv"), next.begin); err != nil {
			t.Errorf("%s: the next one: %v", name, err)
		} else {
			_ = reply.(call.Streamed).Stream.Close()
		}
	}
}

// TestStreamsAreBounded: no more are open than may be, and what refuses one says so.
func TestStreamsAreBounded(t *testing.T) {
	index, streams := people(t), streaming.New(2)
	var open []io.Closer
	for range 2 {
		of := story{steps: []any{"ann", "bob"}}
		reply, err := streams.Send(t.Context(), index, query.All{}, form("text/csv"), of.begin)
		if err != nil {
			t.Fatal(err)
		}
		open = append(open, reply.(call.Streamed).Stream)
	}
	for range 2 {
		of := story{steps: []any{"ann"}}
		_, err := streams.Send(t.Context(), index, query.All{}, form("text/csv"), of.begin)
		if !errors.Is(err, &api.Error{Code: api.CodeOverloaded}) || !strings.Contains(err.Error(), "2 streams") {
			t.Errorf("the third: got %v, want it refused", err)
		}
	}
	_ = open[0].Close()
	of := story{steps: []any{"ann"}}
	if _, err := streams.Send(t.Context(), index, query.All{}, form("text/csv"), of.begin); err != nil {
		t.Errorf("after one was closed: %v", err)
	}
}
