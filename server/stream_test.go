// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package server

import (
	"context"
	"errors"
	"io"
	"log/slog"
	"net/http"
	"strings"
	"testing"
	"testing/iotest"
	"time"

	"github.com/uproar-db/uproar/server/call"
)

// TestStreamBrokenOff: what goes wrong in a stream breaks the connection off, and is in the log
// with the request's ID, and in the figures. A stream that ends well is not.
func TestStreamBrokenOff(t *testing.T) {
	log := new(lines)
	streams := func(path string, tail io.Reader) call.Endpoint {
		return call.Endpoint{Method: "GET", Path: path, Name: path[1:], Handle: func(context.Context,
			call.Request) (call.Reply, error) {
			all := io.MultiReader(strings.NewReader("begun"), tail)
			return call.Streamed{ContentType: "text/plain", Stream: io.NopCloser(all)}, nil
		}}
	}
	_, url := newServer(t, &Options{Logger: slog.New(slog.NewTextHandler(log, nil))},
		streams("/broken", iotest.ErrReader(errors.New("page 7 is damaged"))),
		streams("/whole", strings.NewReader(".")))
	for path, want := range map[string]string{"/broken": "begun", "/whole": "begun."} {
		r, err := http.NewRequestWithContext(t.Context(), "GET", url+path, nil)
		if err != nil {
			t.Fatal(err)
		}
		r.Header.Set("X-Request-Id", "mine-"+path[1:])
		r.Header.Set("Accept-Encoding", "identity") // bytes are counted as they are sent
		resp, err := http.DefaultClient.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		got, err := io.ReadAll(resp.Body)
		resp.Body.Close()
		if (err != nil) != (path == "/broken") || string(got) != want || resp.Header.Get("X-Request-Id") == "" {
			t.Errorf("%s: got %q, %v, want %q", path, got, err, want)
		}
	}
	figure := `uproar_http_errors_total{code="internal",endpoint="broken"} 1`
	for end := time.Now().Add(10 * time.Second); ; time.Sleep(5 * time.Millisecond) {
		resp, err := http.Get(url + "/metrics")
		if err != nil {
			t.Fatal(err)
		}
		figures, err := io.ReadAll(resp.Body)
		resp.Body.Close()
		if err != nil {
			t.Fatal(err)
		}
		said := log.String()
		if strings.Contains(string(figures), figure) && strings.Contains(said, `msg="stream broken off"`) {
			for _, want := range []string{"level=ERROR", "request_id=mine-broken", "endpoint=broken", "bytes=5",
				"page 7 is damaged"} {
				if !strings.Contains(said, want) {
					t.Errorf("the log has no %s:\n%s", want, said)
				}
			}
			if !strings.Contains(string(figures), `uproar_http_response_bytes_total{endpoint="whole"} 6`) ||
				strings.Contains(said, "mine-whole") {
				t.Errorf("of the stream that ended well, the log and the figures have\n%s\n%s", said, figures)
			}
			return
		}
		if time.Now().After(end) {
			t.Fatalf("there is no %s in\n%s\nand the log has\n%s", figure, figures, said)
		}
	}
}
