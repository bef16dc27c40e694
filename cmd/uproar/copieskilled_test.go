// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"math/rand/v2"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"syscall"
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

// storageProcesses returns the processes of the storage of UPROAR_LOG that UPROAR_LOG_PIDS names:
// those of scripts/cassandra, say.
func storageProcesses(t *testing.T) (all []*os.Process) {
	t.Helper()
	for _, text := range strings.Fields(os.Getenv("UPROAR_LOG_PIDS")) {
		pid, err := strconv.Atoi(text)
		if err != nil {
			t.Fatalf("UPROAR_LOG_PIDS: got %q, want numbers of processes", text)
		}
		process, err := os.FindProcess(pid)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = process.Signal(syscall.SIGCONT) })
		all = append(all, process)
	}
	return all
}

// TestKilledCopies kills, stops and empties the processes of three copies at random, while
// whichever leads is written to and all are read; those of the storage sleep, one at a time. At the
// end every copy, and one made anew, has all that was acknowledged, once and whole.
func TestKilledCopies(t *testing.T) {
	heartbeat := 150 * time.Millisecond
	if os.Getenv("UPROAR_LOG") != "" {
		heartbeat = time.Second // the storage takes as long as it takes
	}
	copies, log := startCopies(t, "--heartbeat", heartbeat.String())
	l := newLedger(t, copies[0].url, copies[1].url, copies[2].url)
	l.watch(copies)
	usual := 12
	if testing.Short() {
		usual = 4
	}
	kills, long := killRounds(t, usual), chaosTime(t)
	m := &misfortune{copies: copies, rng: rand.New(rand.NewPCG(3, uint64(kills))), heartbeat: heartbeat}
	storage := storageProcesses(t)
	l.begin(2, 2)
	for begun := time.Now(); m.kills < kills || time.Since(begun) < long; {
		time.Sleep(time.Duration(200+m.rng.IntN(600)) * time.Millisecond)
		m.pauseStorage(t, storage)
		m.strike()
	}
	m.end(2 * time.Minute)
	time.Sleep(time.Second)
	l.end()
	judgeCopies(t, l, copies, log)
	t.Logf("%v; %v", m, l)
}

// pauseStorage has one of the processes of the storage sleep for up to two seconds, now and then,
// while no other of them sleeps.
func (m *misfortune) pauseStorage(t *testing.T, all []*os.Process) {
	t.Helper()
	if len(all) == 0 || m.rng.IntN(4) > 0 || time.Now().Before(m.storageBack) {
		return
	}
	process, nap := all[m.rng.IntN(len(all))], time.Duration(m.rng.Int64N(int64(2*time.Second)))
	m.storage, m.storageBack = m.storage+1, time.Now().Add(2*nap)
	if err := process.Signal(syscall.SIGSTOP); err != nil {
		t.Fatalf("UPROAR_LOG_PIDS: %v", err)
	}
	time.AfterFunc(nap, func() { _ = process.Signal(syscall.SIGCONT) })
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
