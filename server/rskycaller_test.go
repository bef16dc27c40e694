// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package server_test

import (
	"context"
	"encoding/json"
	"io"
	"maps"
	"net"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/uproar-db/uproar"
	"github.com/uproar-db/uproar/store/memstore"
)

// appView asks for known followers as AppViews ask rsky-graph. Anything but an answer in time, with
// a status of 2xx and JSON, is no answer, and it goes to its SQL.
type appView struct {
	timeout time.Duration
	sent    *url.URL // of the last request
}

// ask returns the lists by target. ok is false if there is no answer.
func (a *appView) ask(base, viewer string, targets ...string) (known map[string][]string, ok bool) {
	ctx, cancel := context.WithTimeout(context.Background(), a.timeout)
	defer cancel()
	query := "viewer=" + url.QueryEscape(viewer) + "&targets=" + url.QueryEscape(strings.Join(targets, ","))
	req, err := http.NewRequestWithContext(ctx, "GET", base+"/v1/follows-following?"+query, nil)
	if err != nil {
		return nil, false
	}
	req.Header.Set("Accept-Encoding", "gzip, deflate") // Node's fetch says so by itself
	a.sent = req.URL
	resp, err := http.DefaultTransport.RoundTrip(req)
	if err != nil {
		return nil, false
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(resp.Body)
	if err != nil || resp.StatusCode < 200 || resp.StatusCode > 299 {
		return nil, false
	}
	var answer struct {
		Results []struct {
			TargetDid string
			Dids      []string
		}
	}
	if json.Unmarshal(body, &answer) != nil {
		return nil, false
	}
	known = make(map[string][]string)
	for _, r := range answer.Results {
		known[r.TargetDid] = r.Dids // nil if the entry has none
	}
	return known, true
}

// TestRskyCaller has the table of tests of the caller's client, against the server. What it expects
// of an answer is that of its own test: the lists in the order sent, or none at all and no error.
func TestRskyCaller(t *testing.T) {
	s := newRsky(t)
	s.follow("did:plc:viewer>did:plc:m1 did:plc:viewer>did:plc:m2 did:plc:viewer>did:plc:m3 did:plc:m1>did:plc:a " +
		"did:plc:m2>did:plc:b did:plc:m3>did:plc:b")
	caller := &appView{timeout: 10 * time.Second}
	want := map[string][]string{"did:plc:a": {"did:plc:m1"}, "did:plc:b": {"did:plc:m2", "did:plc:m3"}}

	t.Run("two targets", func(t *testing.T) {
		got, ok := caller.ask(s.url, "did:plc:viewer", "did:plc:a", "did:plc:b")
		if !ok || !maps.EqualFunc(got, want, slices.Equal) {
			t.Errorf("got %v, %t, want %v", got, ok, want)
		}
		if sent := caller.sent.RequestURI(); sent !=
			"/v1/follows-following?viewer=did%3Aplc%3Aviewer&targets=did%3Aplc%3Aa%2Cdid%3Aplc%3Ab" {
			t.Errorf("sent %s", sent)
		}
	})
	t.Run("not loaded", func(t *testing.T) { // the caller's test: 503 with a text
		db, err := uproar.Open(t.Context(), memstore.New(), nil)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = db.Close() })
		empty := newSiteOf(t, rskyOptions(), db, nil)
		if got, ok := caller.ask(empty.url, "did:plc:viewer", "did:plc:a"); ok {
			t.Errorf("got %v, want no answer", got)
		}
	})
	t.Run("too late", func(t *testing.T) { // 50 ms, the answer comes after 200
		hasty := &appView{timeout: 50 * time.Millisecond}
		if got, ok := hasty.ask(delayed(t, s.url, 200*time.Millisecond), "did:plc:viewer", "did:plc:a"); ok {
			t.Errorf("got %v, want no answer", got)
		}
		if got, ok := caller.ask(s.url, "did:plc:viewer", "did:plc:a"); !ok || !slices.Equal(got["did:plc:a"],
			want["did:plc:a"]) {
			t.Errorf("after a caller that gave up: got %v, %t", got, ok)
		}
	})
	t.Run("no JSON", func(t *testing.T) { // the console answers under "/": it is no answer to this call
		if got, ok := caller.ask(s.url+"/console.js?", "did:plc:viewer", "did:plc:a"); ok {
			t.Errorf("got %v, want no answer", got)
		}
	})
	t.Run("refused", func(t *testing.T) {
		ln, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			t.Fatal(err)
		}
		ln.Close()
		if got, ok := caller.ask("http://"+ln.Addr().String(), "did:plc:viewer", "did:plc:a"); ok {
			t.Errorf("got %v, want no answer", got)
		}
	})
	t.Run("closed database", func(t *testing.T) {
		closed := newRsky(t)
		closed.follow("did:plc:viewer>did:plc:m1 did:plc:m1>did:plc:a")
		if err := closed.db.Close(); err != nil {
			t.Fatal(err)
		}
		if got, ok := caller.ask(closed.url, "did:plc:viewer", "did:plc:a"); ok {
			t.Errorf("got %v, want no answer", got)
		}
	})
	t.Run("every target has an entry with a list", func(t *testing.T) {
		for _, viewer := range []string{"did:plc:viewer", "did:plc:nobody", "no did"} {
			got, ok := caller.ask(s.url, viewer, "did:plc:m1", "did:plc:nobody", "did:plc:viewer")
			if !ok || len(got) != 3 {
				t.Fatalf("%s: got %v, %t, want three targets", viewer, got, ok)
			}
			for target, list := range got {
				if list == nil || len(list) > 0 {
					t.Errorf("%s, %s: got %v, want []", viewer, target, list)
				}
			}
		}
	})
	t.Run("profiles", func(t *testing.T) { // 25 targets at a time
		var targets []string
		for i := range 25 {
			targets = append(targets, did(string(rune('a'+i))))
			s.follow("did:plc:m2>" + targets[i])
		}
		got, ok := caller.ask(s.url, "did:plc:viewer", targets...)
		if !ok || len(got) != 25 {
			t.Fatalf("got %d targets, %t", len(got), ok)
		}
		for target, list := range got {
			if !slices.Equal(list, []string{"did:plc:m2"}) {
				t.Errorf("%s: got %v", target, list)
			}
		}
	})
}

// delayed returns the address of a proxy that waits before it passes a request on.
func delayed(t *testing.T, to string, by time.Duration) string {
	t.Helper()
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { ln.Close() })
	go func() {
		for {
			in, err := ln.Accept()
			if err != nil {
				return
			}
			go func() {
				defer in.Close()
				time.Sleep(by)
				out, err := net.Dial("tcp", strings.TrimPrefix(to, "http://"))
				if err != nil {
					return
				}
				defer out.Close()
				go func() { _, _ = io.Copy(out, in) }()
				_, _ = io.Copy(in, out)
			}()
		}
	}()
	return "http://" + ln.Addr().String()
}
