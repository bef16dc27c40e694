// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package server_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/uproar-db/uproar"
	"github.com/uproar-db/uproar/apps/graph"
	"github.com/uproar-db/uproar/internal/posting/format"
	"github.com/uproar-db/uproar/server"
	"github.com/uproar-db/uproar/store"
	"github.com/uproar-db/uproar/store/memstore"
)

const backupPath = "/v1/backup"

// restored opens what backups say.
func restored(t *testing.T, backups ...string) *graph.Graph {
	t.Helper()
	var readers []io.Reader
	for _, b := range backups {
		readers = append(readers, strings.NewReader(b))
	}
	s := memstore.New()
	if _, err := uproar.Restore(t.Context(), s, readers...); err != nil {
		t.Fatal(err)
	}
	db, err := uproar.Open(t.Context(), s, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = db.Close() })
	g, err := graph.Open(t.Context(), db)
	if err != nil {
		t.Fatal(err)
	}
	return g
}

// headOf returns the beginning of a backup.
func headOf(t *testing.T, backup string) string {
	t.Helper()
	info, err := uproar.ReadBackup(strings.NewReader(backup))
	if err != nil {
		t.Fatal(err)
	}
	var head bytes.Buffer
	if err := info.WriteHead(&head); err != nil {
		t.Fatal(err)
	}
	return head.String()
}

// TestBackupsInARow asks for the next backup as soon as one has come.
func TestBackupsInARow(t *testing.T) {
	s := newSite(t, nil)
	s.follow("a>b")
	for i := range 300 {
		if resp, body := s.do("GET", backupPath, ""); resp.StatusCode != 200 {
			t.Fatalf("backup %d: got %d %s", i, resp.StatusCode, body)
		}
	}
}

// TestBackupBesideWriters takes a full backup and increments while pairs of follows are written:
// each that is restored has both of a pair or none.
func TestBackupBesideWriters(t *testing.T) {
	s := newSite(t, nil)
	s.follow("a0>left a0>right")
	ctx, stop := context.WithCancel(t.Context())
	var writer sync.WaitGroup
	writer.Go(func() {
		for i := 1; ctx.Err() == nil; i++ {
			account := fmt.Sprint("a", i)
			if _, err := s.graph.Follow(t.Context(), graph.Follow{Account: account, Target: "left"},
				graph.Follow{Account: account, Target: "right"}); err != nil {
				t.Error(err)
				return
			}
			if i%50 == 0 {
				if err := s.graph.Index().Flush(t.Context()); err != nil {
					t.Error(err)
					return
				}
			}
		}
	})
	var chain []string
	before := uint64(0)
	for i := range 4 {
		method, body := "GET", ""
		if i > 0 {
			method, body = "POST", headOf(t, chain[i-1])
		}
		resp, backup := s.do(method, backupPath, body, "Content-Type", "application/octet-stream")
		if resp.StatusCode != 200 || resp.Header.Get("Content-Type") != "application/octet-stream" {
			t.Fatalf("backup %d: got %d %q %.200q", i, resp.StatusCode, resp.Header.Get("Content-Type"), backup)
		}
		chain = append(chain, backup)
		g := restored(t, chain...)
		left, err := g.Followers("left").Count(t.Context())
		right, err2 := g.Followers("right").Count(t.Context())
		if err != nil || err2 != nil || left != right || left < before || left == 0 {
			t.Errorf("backup %d: got %d and %d followers, %v, %v, want as many of both, and at least %d", i, left,
				right, err, err2, before)
		}
		before = left
	}
	stop()
	writer.Wait()
}

func TestBackupRefused(t *testing.T) {
	s := newSite(t, nil)
	s.follow("alice>bob")
	_, backup := s.do("GET", backupPath, "")
	octets := []string{"Content-Type", "application/octet-stream"}
	other := newSite(t, nil)
	other.follow("alice>bob")
	for _, c := range []struct {
		what, method, path, body string
		header                   []string
		status                   int
		want                     string
	}{
		{"through a proxy", "GET", backupPath, "", []string{"X-Forwarded-For", "192.0.2.1"}, 403,
			`{"error":{"code":"forbidden"`},
		{"through another", "GET", backupPath, "", []string{"Via", "1.1 proxy"}, 403, `"forbidden"`},
		{"from a page", "GET", backupPath, "", []string{"Origin", "http://localhost"}, 403, `"forbidden"`},
		{"parameters", "GET", backupPath + "?since=1", "", nil, 400, `"invalid_request"`},
		{"JSON", "POST", backupPath, "{}", nil, 415, `"unsupported_media_type"`},
		{"no head", "POST", backupPath, "{}", octets, 400, `"invalid_request"`},
		{"half a head", "POST", backupPath, backup[:40], octets, 400, `cut short`},
		{"more than a head", "POST", backupPath, backup, octets, 400, `after the head`},
		{"another method", "DELETE", backupPath, "", nil, 405, `"method_not_allowed"`},
	} {
		resp, got := s.do(c.method, c.path, c.body, c.header...)
		if resp.StatusCode != c.status || !strings.Contains(got, c.want) {
			t.Errorf("%s: got %d %.300q, want %d %s", c.what, resp.StatusCode, got, c.status, c.want)
		}
	}
	if resp, got := other.do("POST", backupPath, headOf(t, backup), octets...); resp.StatusCode != 409 ||
		!strings.Contains(got, `"backup_base"`) {
		t.Errorf("a base of another database: got %d %s, want 409", resp.StatusCode, got)
	}
	if resp, got := s.do("HEAD", backupPath, ""); resp.StatusCode != 200 || got != "" {
		t.Errorf("HEAD: got %d %q, want 200", resp.StatusCode, got)
	}
	for remote, want := range map[string]int{"127.0.0.1:99": 200, "[::1]:99": 200, "192.0.2.7:99": 403,
		"[2001:db8::1]:99": 403, "@": 403} {
		for host, known := range map[string]bool{"localhost:7070": true, "127.0.0.1": true, "[::1]:7070": true,
			"rebound.example:7070": false} {
			r := httptest.NewRequest("GET", "http://"+host+backupPath, nil)
			r.RemoteAddr = remote
			w := httptest.NewRecorder()
			s.server.ServeHTTP(w, r)
			expected := want
			if !known {
				expected = 403
			}
			if w.Code != expected {
				t.Errorf("from %s to %s: got %d, want %d", remote, host, w.Code, expected)
			}
		}
	}
	open := newSite(t, &server.Options{RemoteBackups: true, Logger: slog.New(slog.DiscardHandler)})
	if resp, _ := open.do("GET", backupPath, "", "X-Forwarded-For", "192.0.2.1"); resp.StatusCode != 200 {
		t.Errorf("with RemoteBackups, through a proxy: got %d, want 200", resp.StatusCode)
	}
}

// slowPages is a store whose pages can be made to wait.
type slowPages struct {
	store.Store
	mu   sync.Mutex
	held chan struct{} // nil: nobody waits
	fail atomic.Bool   // whoever reads a page gets an error
}

func (s *slowPages) Get(key []byte, fn func([]byte) error) error {
	s.mu.Lock()
	held := s.held
	s.mu.Unlock()
	if page := len(key) > 0 && key[0] == format.KindPage; page {
		if held != nil {
			<-held
		}
		if s.fail.Load() {
			return errors.New("the disk is gone")
		}
	}
	return s.Store.Get(key, fn)
}

// hold makes readers of pages wait until release.
func (s *slowPages) hold() (release func()) {
	s.mu.Lock()
	defer s.mu.Unlock()
	held := make(chan struct{})
	s.held = held
	return sync.OnceFunc(func() {
		s.mu.Lock()
		s.held = nil
		s.mu.Unlock()
		close(held)
	})
}

// newSlowSite returns a site whose backups can be held up in their midst.
func newSlowSite(t *testing.T) (*site, *slowPages) {
	t.Helper()
	pages := &slowPages{Store: memstore.New()}
	db, err := uproar.Open(t.Context(), pages, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = db.Close() })
	g, err := graph.Open(t.Context(), db)
	if err != nil {
		t.Fatal(err)
	}
	s, err := server.New(db, &server.Options{Timeout: time.Minute, Logger: slog.New(slog.DiscardHandler)})
	if err != nil {
		t.Fatal(err)
	}
	out := &site{t: t, graph: g, db: db, server: s}
	out.follow(seed)
	if err := g.Index().Flush(t.Context()); err != nil {
		t.Fatal(err)
	}
	addr, stop, done := serve(t, out)
	out.url = "http://" + addr
	t.Cleanup(func() { stop(); <-done })
	return out, pages
}

// beginBackup asks for a backup, and returns when its beginning has come.
func beginBackup(t *testing.T, ctx context.Context, url string) *http.Response {
	t.Helper()
	req, err := http.NewRequestWithContext(ctx, "GET", url+backupPath, nil)
	if err != nil {
		t.Fatal(err)
	}
	resp, err := http.DefaultTransport.RoundTrip(req)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = resp.Body.Close() })
	if _, err := io.ReadFull(resp.Body, make([]byte, 8)); err != nil || resp.StatusCode != 200 {
		t.Fatalf("got %d, %v, want the beginning of a backup", resp.StatusCode, err)
	}
	return resp
}

// TestBackupCutByClient: the server goes on, and makes another backup for who comes next.
func TestBackupCutByClient(t *testing.T) {
	s, pages := newSlowSite(t)
	release := pages.hold()
	defer release()
	ctx, cut := context.WithCancel(t.Context())
	defer cut()
	beginBackup(t, ctx, s.url)
	if resp, body := s.do("GET", backupPath, ""); resp.StatusCode != 503 || !strings.Contains(body, "another backup") ||
		resp.Header.Get("Retry-After") == "" {
		t.Errorf("beside another: got %d %s, want 503", resp.StatusCode, body)
	}
	cut()
	release()
	for wait := time.Now().Add(time.Minute); ; time.Sleep(5 * time.Millisecond) {
		resp, backup := s.do("GET", backupPath, "")
		if resp.StatusCode == 200 {
			restored(t, backup)
			break
		}
		if time.Now().After(wait) {
			t.Fatalf("got %d %s a minute after the one before was cut, want a backup", resp.StatusCode, backup)
		}
	}
	stats, err := s.db.Stats()
	if err != nil || stats.Memory.Backups != 0 {
		t.Errorf("got %d bytes of memory for backups, %v, want 0", stats.Memory.Backups, err)
	}
}

// TestBackupCutByServer: whoever gets the first part of a backup sees that there is no more.
func TestBackupCutByServer(t *testing.T) {
	t.Run("stopped", func(t *testing.T) {
		s, pages := newSlowSite(t)
		addr, stop, done := serve(t, s)
		release := pages.hold()
		defer release()
		resp := beginBackup(t, t.Context(), "http://"+addr)
		stop()
		// until connections are refused, before which the backup was ended
		for wait := time.Now().Add(time.Minute); time.Now().Before(wait); time.Sleep(time.Millisecond) {
			c, err := net.Dial("tcp", addr)
			if err != nil {
				break
			}
			_ = c.Close()
		}
		release()
		if rest, err := io.ReadAll(resp.Body); err == nil {
			t.Errorf("got %d more bytes and an end in good order, want a connection that breaks off", len(rest))
		}
		if err := <-done; err != nil {
			t.Errorf("Serve returned %v, want nil", err)
		}
	})
	t.Run("page cannot be read", func(t *testing.T) {
		s, pages := newSlowSite(t)
		release := pages.hold()
		defer release()
		resp := beginBackup(t, t.Context(), s.url)
		pages.fail.Store(true)
		release()
		if rest, err := io.ReadAll(resp.Body); err == nil {
			t.Errorf("got %d more bytes and an end in good order, want a connection that breaks off", len(rest))
		}
	})
}
