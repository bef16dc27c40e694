// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package server_test

import (
	"bytes"
	"errors"
	"fmt"
	"log/slog"
	"net/http/httptest"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/uproar-db/uproar"
	"github.com/uproar-db/uproar/api"
	"github.com/uproar-db/uproar/apps/graph"
	"github.com/uproar-db/uproar/client"
	"github.com/uproar-db/uproar/server"
	"github.com/uproar-db/uproar/store"
	"github.com/uproar-db/uproar/store/memstore"
	"github.com/uproar-db/uproar/store/storetest"
)

// lockedBuffer is a log that may be read while it is written.
type lockedBuffer struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (l *lockedBuffer) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.Write(p)
}

func (l *lockedBuffer) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.String()
}

// newFaultySite is newSite on a store that can be made to fail.
func newFaultySite(t *testing.T) (*site, *storetest.Faulty, *lockedBuffer) {
	t.Helper()
	disk, log := storetest.NewFaulty(memstore.New()), new(lockedBuffer)
	db, err := uproar.Open(t.Context(), disk, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = db.Close() }) // which a failed disk fails
	g, err := graph.Open(t.Context(), db)
	if err != nil {
		t.Fatal(err)
	}
	return newSiteOf(t, &server.Options{Logger: slog.New(slog.NewTextHandler(log, nil))}, db, g), disk, log
}

// diskWrites are calls that need the disk, each in its own way.
var diskWrites = []struct{ path, body string }{
	{"/v1/graph/follow", `{"account":"a","target":"c"}`},
	{"/v1/fields", `{"index":"accounts","add":[{"name":"%s","type":"set"}]}`},
	{"/v1/save", `{"index":"accounts","name":"s","q":"all"}`},
	{"/v1/audience/save", `{"index":"accounts","name":"f","q":"all","follows":true}`},
}

// TestFailingDisk: while the disk takes no writes they are 503 with the reason, /readyz says so,
// and reading goes on.
func TestFailingDisk(t *testing.T) {
	for _, c := range []struct {
		name    string
		err     error
		reason  string
		sticky  bool // until the database is opened again
		message string
	}{
		{"full", fmt.Errorf("%w: 3 MB free", store.ErrFull), "full", false, "the disk of the server is full"},
		{"files", fmt.Errorf("%w: %w", store.ErrFull, syscall.ENFILE), "full", false, "too many files open"},
		{"failed", syscall.EIO, "failed", true, "failed a write"},
	} {
		t.Run(c.name, func(t *testing.T) {
			s, disk, log := newFaultySite(t)
			s.follow("a>b")
			s.check("GET", "/readyz", "", 200, `{"status":"ok"}`)
			disk.Inject(storetest.Fault{Call: storetest.Apply, Nth: 1, Err: c.err})
			for round := range 3 {
				for i, w := range diskWrites {
					body := w.body
					if strings.Contains(body, "%s") {
						body = fmt.Sprintf(body, fmt.Sprintf("f%d", round))
					}
					resp, text := s.do("POST", w.path, body)
					if resp.StatusCode != 503 || !strings.Contains(text, `"reason":"`+c.reason+`"`) ||
						resp.Header.Get("Retry-After") == "" || !strings.Contains(text, c.message) {
						t.Errorf("write %d: POST %s: got %d %s", i, w.path, resp.StatusCode, text)
					}
				}
				s.check("GET", "/v1/graph/follows?account=a&target=b", "", 200, `{"follows":true}`)
				s.check("GET", "/healthz", "", 200, `{"status":"ok"}`)
				if resp, text := s.do("GET", "/readyz", ""); resp.StatusCode != 503 ||
					!strings.Contains(text, c.reason) {
					t.Errorf("/readyz: got %d %s, want 503 and %q", resp.StatusCode, text, c.reason)
				}
			}
			if _, text := s.do("GET", "/metrics", ""); !strings.Contains(text,
				`uproar_disk_errors_total{reason="`+c.reason+`"} 12`) ||
				!strings.Contains(text, "\nuproar_writable 0\n") {
				t.Errorf("metrics do not tell of it:\n%s", strings.Join(grep(text, "uproar_disk|uproar_writable"),
					"\n"))
			}
			if n := strings.Count(log.String(), "the disk takes no writes"); n != 1 {
				t.Errorf("got %d lines in the log, want 1:\n%s", n, log.String())
			}
			cl, err := client.New(s.url, &client.Options{Retries: -1})
			if err != nil {
				t.Fatal(err)
			}
			defer cl.Close()
			want := client.ErrFull
			if c.sticky {
				want = client.ErrFailed
			}
			if _, err := cl.Graph().Follow(t.Context(), api.Follow{Account: "a", Target: "d"}); !errors.Is(err, want) {
				t.Errorf("the client got %v, want %v", err, want)
			}
			disk.Heal()
			if c.sticky { // what is on the disk is unknown
				if resp, _ := s.do("GET", "/readyz", ""); resp.StatusCode != 503 {
					t.Errorf("/readyz: got %d, want 503 until the database is opened again", resp.StatusCode)
				}
				return
			}
			for until := time.Now().Add(10 * time.Second); ; time.Sleep(50 * time.Millisecond) {
				resp, text := s.do("GET", "/readyz", "")
				if resp.StatusCode == 200 {
					break
				}
				if time.Now().After(until) {
					t.Fatalf("/readyz: got %d %s after there was room again", resp.StatusCode, text)
				}
			}
			s.do("POST", "/v1/graph/follow", `{"account":"a","target":"c"}`)
			s.check("GET", "/v1/graph/follows?account=a&target=c", "", 200, `{"follows":true}`)
			if !strings.Contains(log.String(), "the disk takes writes again") {
				t.Errorf("the log does not say that it is over:\n%s", log.String())
			}
		})
	}
}

// grep returns the lines that have one of some words.
func grep(text, words string) (lines []string) {
	for line := range strings.Lines(text) {
		for word := range strings.SplitSeq(words, "|") {
			if strings.Contains(line, word) {
				lines = append(lines, line)
			}
		}
	}
	return lines
}

// TestAlsoReady: a server beside that takes no writes makes /readyz 503 with its text, and nothing
// else.
func TestAlsoReady(t *testing.T) {
	db, err := uproar.Open(t.Context(), memstore.New(), nil)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	log := new(lockedBuffer)
	s, err := server.New(db, &server.Options{Logger: slog.New(slog.NewTextHandler(log, nil)),
		Hosts: []string{"example.com"}})
	if err != nil {
		t.Fatal(err)
	}
	var beside error
	s.AlsoReady = func() error { return beside }
	get := func(path string) (int, string) {
		w := httptest.NewRecorder()
		s.ServeHTTP(w, httptest.NewRequest("GET", path, nil))
		return w.Code, w.Body.String()
	}
	if code, body := get("/readyz"); code != 200 {
		t.Errorf("/readyz: got %d, %s, want 200", code, body)
	}
	beside = errors.New("no sets are written")
	if code, body := get("/readyz"); code != 503 || !strings.Contains(body, `"failed"`) ||
		!strings.Contains(body, beside.Error()) {
		t.Errorf("/readyz: got %d, %s, want 503 with the reason", code, body)
	}
	if code, body := get("/healthz"); code != 200 {
		t.Errorf("/healthz: got %d, %s, want 200", code, body)
	}
	if text := log.String(); strings.Contains(text, "the disk takes no writes") {
		t.Errorf("got a log that blames the disk:\n%s", text)
	}
}
