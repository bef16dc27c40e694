// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"syscall"
	"testing"
	"time"

	"github.com/uproar-db/uproar/api"
)

// How long nobody takes writes, at most, by what has become of the one that did.
const (
	unplanned = 10 * time.Second
	planned   = 3 * time.Second
)

// copy returns what the server says of its copy; nothing, if it does not answer.
func (s *copyServer) copy() (c api.CopyReply) {
	resp, err := (&http.Client{Timeout: time.Second}).Get(s.url + "/healthz")
	if err != nil {
		return c
	}
	defer resp.Body.Close()
	var reply api.HealthReply
	if err := json.NewDecoder(resp.Body).Decode(&reply); err == nil && reply.Copy != nil {
		c = *reply.Copy
	}
	return c
}

// leaderOf returns the copy that leads.
func leaderOf(t *testing.T, copies []*copyServer) *copyServer {
	t.Helper()
	for end := time.Now().Add(time.Minute); time.Now().Before(end); time.Sleep(10 * time.Millisecond) {
		for _, s := range copies {
			if c := s.copy(); c.Leads {
				return s
			}
		}
	}
	t.Fatal("no copy leads after a minute")
	return nil
}

// awaitWrite returns how long after a moment a write was acknowledged that began after it.
func (l *ledger) awaitWrite(t *testing.T, since time.Time) time.Duration {
	t.Helper()
	for end := time.Now().Add(time.Minute); time.Now().Before(end); time.Sleep(time.Millisecond) {
		l.mu.Lock()
		begun := l.lastBegun
		l.mu.Unlock()
		if begun.After(since) {
			return time.Since(since)
		}
	}
	t.Fatal("no write was acknowledged in a minute")
	return 0
}

// awaitWrites waits until n more writes are acknowledged.
func (l *ledger) awaitWrites(t *testing.T, n int) {
	t.Helper()
	acknowledged := func() int {
		l.mu.Lock()
		defer l.mu.Unlock()
		return l.acknowledged
	}
	wanted := acknowledged() + n
	for end := time.Now().Add(time.Minute); acknowledged() < wanted; time.Sleep(time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("got %d writes acknowledged in a minute, want %d", n-(wanted-acknowledged()), n)
		}
	}
}

// TestCopiesTakeOver measures how long nobody takes writes when the copy that does is killed,
// sleeps, is stopped in order, or hands over. Its longer form has the heartbeats that a server has
// if nobody says otherwise.
func TestCopiesTakeOver(t *testing.T) {
	flags, rounds := []string{"--heartbeat", "200ms"}, 1
	nap := 2 * time.Second
	if os.Getenv("UPROAR_KILLS") != "" || os.Getenv("UPROAR_LONG") == "1" || chaosTime(t) > 0 {
		flags, rounds, nap = nil, 3, 15*time.Second
	}
	copies, log := startCopies(t, flags...)
	l := newLedger(t, copies[0].url, copies[1].url, copies[2].url)
	l.watch(copies)
	l.asker.Timeout = time.Second // so long a writer waits for a copy that is asleep
	l.begin(4, 2)
	took := ""
	for range rounds {
		for _, way := range []struct {
			name string
			most time.Duration
			end  func(*copyServer)
		}{
			{"killed", unplanned, (*copyServer).kill},
			{"asleep", unplanned, func(s *copyServer) { s.sleep(nap) }},
			{"stopped", planned, (*copyServer).stop},
			{"handing over", planned, func(s *copyServer) {
				if out, err := exec.Command("uproar", "cluster", "--hand-over", s.url).CombinedOutput(); err != nil {
					t.Errorf("handing over: %v\n%s", err, out)
				}
			}},
		} {
			l.awaitWrite(t, time.Now())
			leader := leaderOf(t, copies)
			begun := time.Now()
			way.end(leader)
			ended := time.Now()
			if way.most == unplanned { // nothing that the process did on its way counts
				begun = ended
			}
			d := l.awaitWrite(t, begun)
			if took += fmt.Sprintf(" %s %v;", way.name, d.Round(time.Millisecond)); d > way.most {
				t.Errorf("%s, which led, was %s: writes went on after %v, want at most %v", leader.name, way.name, d, way.most)
			}
			if leader.process == nil {
				leader.start()
			}
			if way.name == "asleep" {
				time.Sleep(time.Until(ended.Add(nap)))
				_ = leader.process.Signal(syscall.SIGCONT)
			}
			leader.await(time.Minute)
		}
	}
	l.end()
	judgeCopies(t, l, copies, log)
	t.Logf("writes went on after:%s %v", took, l)
}
