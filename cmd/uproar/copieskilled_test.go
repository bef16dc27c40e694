// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"math/rand/v2"
	"os"
	"os/exec"
	"testing"
	"time"
)

// chaosTime returns how long what UPROAR_CHAOS says is, 0 if it says nothing.
func chaosTime(t *testing.T) time.Duration {
	t.Helper()
	text := os.Getenv("UPROAR_CHAOS")
	if text == "" {
		return 0
	}
	d, err := time.ParseDuration(text)
	if err != nil || d <= 0 {
		t.Fatalf("UPROAR_CHAOS: got %q, want a time such as 30m", text)
	}
	return d
}

// TestKilledCopies kills, stops and empties the processes of three copies at random, while
// whichever leads is written to and all are read. At the end every copy, and one made anew, has all
// that was acknowledged, once and whole.
func TestKilledCopies(t *testing.T) {
	const heartbeat = 150 * time.Millisecond
	copies, log := startCopies(t, "--heartbeat", heartbeat.String())
	l := newLedger(t, copies[0].url, copies[1].url, copies[2].url)
	usual := 12
	if testing.Short() {
		usual = 4
	}
	kills, long := killRounds(t, usual), chaosTime(t)
	m := &misfortune{copies: copies, rng: rand.New(rand.NewPCG(3, uint64(kills))), heartbeat: heartbeat}
	l.begin(2, 2)
	for begun := time.Now(); m.kills < kills || time.Since(begun) < long; {
		time.Sleep(time.Duration(200+m.rng.IntN(600)) * time.Millisecond)
		m.strike()
	}
	m.end(2 * time.Minute)
	time.Sleep(time.Second)
	l.end()
	judgeCopies(t, l, copies, log)
	t.Logf("%v; %v", m, l)
}

// judgeCopies judges copies and one made anew of their log, verifies the folder of each, and looks
// at what the processes have said.
func judgeCopies(t *testing.T, l *ledger, copies []*copyServer, log string) {
	t.Helper()
	if l.acknowledged < 20 {
		t.Errorf("got %d writes acknowledged, want 20 to show anything; %v", l.acknowledged, l)
	}
	fresh := newCopyServer(t, t.TempDir(), "fresh", log, freeAddress(t), "--role", "reader")
	fresh.start()
	fresh.await(5 * time.Minute)
	urls := []string{fresh.url}
	for _, s := range copies {
		urls = append(urls, s.url)
	}
	l.takeovers = fresh.copy().Epoch - 1
	l.judge(urls...)
	for _, s := range append(copies, fresh) {
		s.stop()
		s.checkSaid()
		if out, err := exec.Command("uproar", "verify", "--dir", s.dir).CombinedOutput(); err != nil {
			t.Errorf("verifying %s: %v\n%s", s.name, err, out)
		}
	}
}
