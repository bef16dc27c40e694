// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"
)

// copyServer is a server with one of several copies of a database, in a process of its own. It is
// for one goroutine.
type copyServer struct {
	t       *testing.T
	name    string
	dir     string // of the copy
	url     string
	said    string   // file with all that its processes have said
	command []string // starts it
	process *os.Process
	ended   chan error // how the process has ended; has room for that
	before  int64      // bytes that its processes had said when this one was started
	emptied bool       // and the copy is not whole again, as far as one knows

	ledger *ledger // is told what befalls the copy; nil: none is
	index  int     // of the copy in the ledger
	over   func()  // is called when the process that is gone has a next one; nil: none is
}

// befall says that something befalls the copy, until what it returns is called.
func (s *copyServer) befall() (over func()) {
	if s.ledger == nil {
		return func() {}
	}
	return s.ledger.befall(s.index)
}

// newCopyServer returns a server whose copy is below a folder. It is not started yet.
func newCopyServer(t *testing.T, below, name, log, addr string, flags ...string) *copyServer {
	t.Helper()
	s := &copyServer{t: t, name: name, dir: filepath.Join(below, name), url: "http://" + addr,
		said: filepath.Join(below, name+".log")}
	s.command = append([]string{"uproar", "serve", "--dir", s.dir, "--log", log, "--addr", addr, "--node", name,
		"--drain", "1s"}, flags...)
	t.Cleanup(s.kill)
	return s
}

// start starts the process, and does not wait until it serves.
func (s *copyServer) start() {
	s.t.Helper()
	said, err := os.OpenFile(s.said, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		s.t.Fatal(err)
	}
	defer said.Close()
	cmd := exec.Command(s.command[0], s.command[1:]...)
	cmd.Stdout, cmd.Stderr = said, said
	s.before = s.saidBytes()
	if err := cmd.Start(); err != nil {
		s.t.Fatal(err)
	}
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	s.process, s.ended = cmd.Process, ended
	if s.over != nil {
		s.over()
		s.over = nil
	}
}

// saidBytes returns how much its processes have said. What a process says first is that it serves.
func (s *copyServer) saidBytes() int64 {
	info, err := os.Stat(s.said)
	if err != nil {
		return 0
	}
	return info.Size()
}

// kill ends the process as kill -9 does, if there is one.
func (s *copyServer) kill() {
	if s.process == nil {
		return
	}
	s.over = s.befall()
	_ = s.process.Kill()
	<-s.ended
	s.process = nil
}

// empty kills the process and loses the copy.
func (s *copyServer) empty() {
	s.t.Helper()
	s.kill()
	if err := os.RemoveAll(s.dir); err != nil {
		s.t.Fatal(err)
	}
	s.emptied = true
}

// stop ends the process in order, unless it does not listen yet to what ends it so. Requests whose
// clients are cut off end with the process.
func (s *copyServer) stop() {
	s.t.Helper()
	s.over = s.befall()
	_ = s.process.Signal(syscall.SIGTERM)
	select {
	case err := <-s.ended:
		s.process = nil
		if err != nil && s.saidBytes() > s.before && !strings.Contains(s.last(), "requests cut off") {
			s.t.Errorf("%s was stopped in order: got %v, want no error; it said at last\n%s", s.name, err, s.last())
		}
	case <-time.After(time.Minute):
		s.t.Errorf("%s was stopped in order, and is there a minute later; it said at last\n%s", s.name, s.last())
		s.kill()
	}
}

// sleep stops the process as it is, for a while.
func (s *copyServer) sleep(long time.Duration) {
	process, over := s.process, s.befall()
	if process.Signal(syscall.SIGSTOP) != nil {
		over()
		return
	}
	time.AfterFunc(long, func() {
		_ = process.Signal(syscall.SIGCONT)
		over()
	})
}

// check fails the test if the process has ended by itself.
func (s *copyServer) check() {
	if s.process == nil {
		return
	}
	select {
	case err := <-s.ended:
		s.process = nil
		s.t.Errorf("%s ended by itself: %v; it said at last\n%s", s.name, err, s.last())
	default:
	}
}

// last returns the last lines that the processes have said.
func (s *copyServer) last() string {
	text, err := os.ReadFile(s.said)
	if err != nil {
		return err.Error()
	}
	lines := bytes.SplitAfter(text, []byte("\n"))
	return string(bytes.Join(lines[max(0, len(lines)-15):], nil))
}

// harmless are errors in the log that are none: another copy leads, or the process is to end.
var harmless = []string{"another writer has taken over", "the store is being closed"}

// checkSaid fails the test if a process has said that it panicked, raced or failed.
func (s *copyServer) checkSaid() {
	text, err := os.ReadFile(s.said)
	if err != nil {
		s.t.Error(err)
	}
	for line := range strings.Lines(string(text)) {
		for _, bad := range []string{"panic: ", "DATA RACE", "fatal error: ", "level=ERROR"} {
			if strings.Contains(line, bad) && !slices.ContainsFunc(harmless, func(text string) bool {
				return strings.Contains(line, text)
			}) {
				s.t.Errorf("%s said: %s", s.name, line)
			}
		}
	}
}

// await waits until the server is ready.
func (s *copyServer) await(patience time.Duration) {
	s.t.Helper()
	for end := time.Now().Add(patience); ; time.Sleep(10 * time.Millisecond) {
		s.check()
		err := errors.New("it has no process")
		if s.process != nil {
			err = ready(s.url)
		}
		if err == nil {
			return
		}
		if time.Now().After(end) || s.process == nil {
			s.t.Fatalf("%s is not ready after %v: %v; it said at last\n%s", s.name, patience, err, s.last())
		}
	}
}

// ready returns nil when a server says that it is.
func ready(url string) error {
	resp, err := (&http.Client{Timeout: time.Second}).Get(url + "/readyz")
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	if resp.StatusCode != http.StatusOK {
		return errors.New(resp.Status)
	}
	return nil
}

// misfortune is what befalls the processes of copies.
type misfortune struct {
	copies    []*copyServer
	rng       *rand.Rand
	heartbeat time.Duration

	kills, emptied, slept, stopped, handedOver int

	storage     int       // how often a process of the storage slept
	storageBack time.Time // the last one is awake
}

// strike draws what happens to one of the copies, but for one that was emptied and is not ready
// yet, beside which no other is emptied. Before that those begin anew, mostly, that were killed.
func (m *misfortune) strike() {
	var within []*copyServer // reach
	for _, s := range m.copies {
		if s.check(); s.process == nil && m.rng.IntN(4) > 0 {
			s.start()
		}
		if s.process != nil && (!s.emptied || ready(s.url) == nil) {
			s.emptied = false
			within = append(within, s)
		}
	}
	if len(within) == 0 {
		return
	}
	s := within[m.rng.IntN(len(within))]
	switch draw := m.rng.IntN(100); {
	case draw < 60:
		m.kills++
		s.kill()
	case draw < 66 && !slices.ContainsFunc(m.copies, func(s *copyServer) bool { return s.emptied }):
		m.kills++
		m.emptied++
		s.empty()
	case draw < 90:
		m.slept++
		s.sleep(time.Duration(m.rng.Int64N(int64(8 * m.heartbeat))))
	case draw < 94:
		m.stopped++
		s.stop()
	default:
		if slices.ContainsFunc(m.copies, func(s *copyServer) bool { return handOver(s.url) == nil }) {
			m.handedOver++
		}
	}
}

// end has all copies go on.
func (m *misfortune) end(patience time.Duration) {
	for _, s := range m.copies {
		if s.check(); s.process == nil {
			s.start()
		}
		_ = s.process.Signal(syscall.SIGCONT)
	}
	for _, s := range m.copies {
		s.await(patience)
	}
}

func (m *misfortune) String() string {
	return fmt.Sprintf("%d kills, %d of them with the folder emptied, %d processes slept, %d of the storage, %d were stopped "+
		"in order, %d handed over", m.kills, m.emptied, m.slept, m.storage, m.stopped, m.handedOver)
}

// handOver asks the copy at an address to have another lead.
func handOver(url string) error {
	resp, err := (&http.Client{Timeout: time.Second}).Post(url+"/v1/handover", "application/json",
		strings.NewReader("{}"))
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	if resp.StatusCode != http.StatusOK {
		return errors.New(resp.Status)
	}
	return nil
}

// checkStorage has the program check storage, without which no copy writes to it.
func checkStorage(t *testing.T, log string) {
	t.Helper()
	runProgram(t, "check-storage", "--processes", "2", "--names", "10", log)
}

// newLog returns the URL of a new log: in a folder, or below UPROAR_LOG.
func newLog(t *testing.T, dir string) string {
	t.Helper()
	at, err := url.Parse(os.Getenv("UPROAR_LOG"))
	switch {
	case err != nil:
		t.Fatalf("UPROAR_LOG: %v, want the URL of a log", err)
	case at.Scheme == "":
		return "file://" + filepath.Join(dir, "log")
	}
	at.Path += fmt.Sprintf("/copies%d", time.Now().UnixNano())
	return at.String()
}

// startCopies starts three servers on a new log, and waits until they are ready.
func startCopies(t *testing.T, flags ...string) (copies []*copyServer, log string) {
	t.Helper()
	dir := t.TempDir()
	log = newLog(t, dir)
	checkStorage(t, log)
	for _, name := range []string{"one", "two", "three"} {
		copies = append(copies, newCopyServer(t, dir, name, log, freeAddress(t), flags...))
	}
	for _, s := range copies {
		s.start()
	}
	for _, s := range copies {
		s.await(time.Minute)
	}
	return copies, log
}
