// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package server_test

import (
	"strings"
	"testing"

	"github.com/uproar-db/uproar/server"
)

// Profiles are there when they are wanted, and for nobody who may not see everything.
func TestProfiles(t *testing.T) {
	plain := newSite(t, nil)
	if resp, _ := plain.do("GET", "/debug/pprof/heap", ""); resp.StatusCode != 404 {
		t.Errorf("by default: got %d, want 404", resp.StatusCode)
	}
	s := newSite(t, &server.Options{Profiles: true})
	for path, want := range map[string]string{
		"/debug/pprof/heap": "\x1f\x8b", "/debug/pprof/allocs?gc=true": "\x1f\x8b", "/debug/pprof/mutex": "\x1f\x8b",
		"/debug/pprof/block": "\x1f\x8b", "/debug/pprof/threadcreate": "\x1f\x8b",
		"/debug/pprof/goroutine?debug=2": "goroutine ", "/debug/pprof/profile?seconds=1": "\x1f\x8b",
		"/debug/pprof/trace?seconds=1": "go 1.",
	} {
		if testing.Short() && strings.Contains(path, "seconds") {
			continue
		}
		if resp, body := s.do("GET", path, ""); resp.StatusCode != 200 || !strings.HasPrefix(body, want) {
			t.Errorf("%s: got %d %.40q, want a profile", path, resp.StatusCode, body)
		}
	}
	for _, path := range []string{"/debug/pprof/heap?debug=3", "/debug/pprof/heap?seconds=1",
		"/debug/pprof/profile?seconds=0", "/debug/pprof/profile?seconds=61", "/debug/pprof/trace?seconds=x"} {
		if resp, body := s.do("GET", path, ""); resp.StatusCode != 400 {
			t.Errorf("%s: got %d %s, want 400", path, resp.StatusCode, body)
		}
	}
	if resp, _ := s.do("GET", "/debug/pprof/heap", "", "X-Forwarded-For", "192.0.2.1"); resp.StatusCode != 403 {
		t.Errorf("through a proxy: got %d, want 403", resp.StatusCode)
	}
	locked := newSite(t, &server.Options{Profiles: true, Tokens: tokens(t)})
	for header, status := range map[string]int{"Bearer x": 401, "Bearer " + reads: 403, "Bearer " + writes: 200} {
		if resp, _ := locked.do("GET", "/debug/pprof/heap", "", "Authorization", header, "X-Forwarded-For",
			"192.0.2.1"); resp.StatusCode != status {
			t.Errorf("with %s: got %d, want %d", header, resp.StatusCode, status)
		}
	}
}
