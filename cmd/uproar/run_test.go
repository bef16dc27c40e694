// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/uproar-db/uproar"
	"github.com/uproar-db/uproar/cmd/uproar/database"
	"github.com/uproar-db/uproar/cmd/uproar/terminal"
	"github.com/uproar-db/uproar/store"
)

func noEnv(string) string { return "" }

// TestDemoServes starts the demo. It takes another port when its own is taken, and says so. Each of
// its curl lines asks what its answer answers: the test asks again the ones that only read, as a
// shell would have curl do it. Ctrl-C ends it in good order.
func TestDemoServes(t *testing.T) {
	out, stop, demo := "", context.CancelFunc(nil), (*runningDemo)(nil)
	ctx := t.Context()
	for taken := false; !taken; {
		ln, err := net.Listen("tcp", database.DefaultAddr)
		ctx, stop = context.WithCancel(t.Context())
		defer stop()
		demo, out = startDemo(t, ctx)
		taken = strings.Contains(out, "address  "+database.DefaultAddr+" is taken")
		if err == nil {
			defer ln.Close()
			if !taken {
				t.Fatalf("got\n%s\nwant a line that says that %s is taken", out, database.DefaultAddr)
			}
		} else if !taken { // somebody else had it, which is as good, but has given it up meanwhile
			stop()
			demo.wait()
		}
	}
	urls := regexp.MustCompile(`http://127\.0\.0\.1:\d+`).FindAllString(out, -1)
	for _, url := range urls {
		if url != urls[0] || strings.HasSuffix(url, ":7070") {
			t.Errorf("got address %s, want one and the same free port everywhere", url)
		}
	}
	lines := regexp.MustCompile(`(?m)^   curl '(http://[^']*)'\n   => (.*?)   \(`).FindAllStringSubmatch(out, -1)
	if len(lines) < 6 {
		t.Errorf("got %d lines to paste, want 6 or more:\n%s", len(lines), out)
	}
	for _, l := range lines {
		// The last question has taken back what the others of it saw, so that those answer
		// otherwise by now.
		answer, _, err := get(strings.TrimPrefix(l[1], "http://")).do(ctx, http.DefaultClient, "http://")
		if err != nil || answer != l[2] && !strings.Contains(l[2], "3036") && !strings.Contains(l[1], newcomer) {
			t.Errorf("%s: got %q, %v, want %q", l[1], answer, err, l[2])
		}
	}
	stop()
	if code := demo.wait(); code != exitOK {
		t.Errorf("got exit code %d after Ctrl-C, want 0", code)
	}
}

// runningDemo is a demo that serves.
type runningDemo struct {
	out  io.Reader
	code chan int
}

// startDemo starts a demo, and returns what it has said when it serves.
func startDemo(t *testing.T, ctx context.Context) (*runningDemo, string) {
	t.Helper()
	read, write := io.Pipe()
	d := &runningDemo{out: read, code: make(chan int, 1)}
	go func() {
		defer write.Close()
		d.code <- run(ctx, []string{"demo"}, strings.NewReader(""), write, io.Discard, noEnv)
	}()
	var said strings.Builder
	for b := make([]byte, 1<<12); !strings.Contains(said.String(), "until Ctrl-C"); {
		n, err := read.Read(b)
		said.Write(b[:n])
		if err != nil {
			t.Fatalf("the demo ended: %v\n%s", err, said.String())
		}
	}
	return d, said.String()
}

// wait waits for the end of a demo that was told to stop, and returns its exit code.
func (d *runningDemo) wait() int {
	_, _ = io.Copy(io.Discard, d.out)
	return <-d.code
}

// A command that is interrupted before it begins does nothing and says so.
func TestInterrupted(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	t.Setenv("TMPDIR", t.TempDir())
	var errOut bytes.Buffer
	if code := run(ctx, []string{"demo", "--once"}, strings.NewReader(""), io.Discard, &errOut,
		noEnv); code != exitFailure || errOut.String() != "uproar: interrupted\n" {
		t.Errorf("got exit code %d and %q", code, errOut.String())
	}
	if left, err := filepath.Glob(os.TempDir() + "/uproar-demo-*"); err != nil || len(left) > 0 {
		t.Errorf("left behind: %v, %v", left, err)
	}
}

// A server that is told to stop before it serves has not failed.
func TestServeInterrupted(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	var errOut bytes.Buffer
	args := []string{"serve", "--dir", filepath.Join(t.TempDir(), "db"), "--addr", "127.0.0.1:0"}
	if code := run(ctx, args, strings.NewReader(""), io.Discard, &errOut, noEnv); code != exitOK ||
		strings.Contains(errOut.String(), "uproar:") {
		t.Errorf("got exit code %d and %q, want 0", code, errOut.String())
	}
}

// Nobody reads to the end what the demo prints: it ends all the same, and leaves nothing behind.
func TestBrokenPipe(t *testing.T) {
	temp := t.TempDir()
	cmd := exec.Command("uproar", "demo", "--once")
	cmd.Env = append(os.Environ(), "TMPDIR="+temp, "TMP="+temp)
	out, err := cmd.StdoutPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err == nil {
		_, err = out.Read(make([]byte, 8))
	}
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(out.Close(), cmd.Wait()); err != nil {
		t.Error(err)
	}
	if left, err := os.ReadDir(temp); err != nil || len(left) > 0 {
		t.Errorf("left behind: %v, %v", left, err)
	}
}

func TestFail(t *testing.T) {
	for _, tc := range []struct {
		err  error
		code int
		want string
	}{
		{nil, exitOK, ""},
		{fmt.Errorf("x: %w", syscall.EPIPE), exitFailure, ""},
		{errors.New("it failed"), exitFailure, "uproar: it failed\n"},
		{fmt.Errorf("x: %w", context.Canceled), exitFailure, "uproar: interrupted\n"},
		{fmt.Errorf("x: %w", store.ErrFull), exitFailure, "uproar: x: store: disk full\nTry: make room on that disk\n"},
		{fmt.Errorf("x: %w. Try: make room", store.ErrFull), exitFailure,
			"uproar: x: store: disk full. Try: make room\n"},
		{fmt.Errorf("x: %w", store.ErrCorrupt), exitFailure, "uproar: x: " + store.ErrCorrupt.Error() +
			"\nTry: a backup, or uproar salvage, which copies what is whole of a folder\n"},
		{fmt.Errorf("x: %w", uproar.ErrVersion), exitFailure, "uproar: x: " + uproar.ErrVersion.Error() +
			"\nTry: a newer release of uproar; this database was written by one\n"},
		{&uproar.UnknownError{What: "index", Name: "x"}, exitFailure, "uproar: unknown index \"x\"\n"},
		{usage(errors.New("no such flag")), exitUsage, "uproar: no such flag\nTry: uproar help\n"},
	} {
		var errOut bytes.Buffer
		con := terminal.New(nil, io.Discard, &errOut, noEnv)
		if code := fail(con, tc.err); code != tc.code || errOut.String() != tc.want {
			t.Errorf("%v: got exit code %d and %q, want %d and %q", tc.err, code, errOut.String(), tc.code, tc.want)
		}
	}
}

// TestProgress checks that progress on a terminal fits on a line of 80 characters and leaves
// nothing. Elsewhere it is lines.
func TestProgress(t *testing.T) {
	var b bytes.Buffer
	con := &terminal.Console{Err: &b, Terminal: true}
	p := con.Progress("reading", 1000)
	p.Last = time.Now().Add(-terminal.BarEvery)
	p.Update(500, 1000, "508 837 000 follows, 1 024 749/s")
	p.Line("something else")
	p.Last = time.Now().Add(-terminal.BarEvery)
	p.Update(2000, 1000, "508 837 000 follows, 1 024 749/s")
	p.Finish()
	if !strings.Contains(b.String(), "508 837 000 follows") || !strings.Contains(b.String(), "█") ||
		!strings.Contains(b.String(), "\rsomething else\n") {
		t.Errorf("got %q, want a bar with what was said, and a line", b.String())
	}
	for drawn := range strings.SplitSeq(b.String(), "\r") {
		if n := utf8.RuneCountInString(drawn); n > 80 {
			t.Errorf("got a line of %d characters: %q", n, drawn)
		}
	}
	b.Reset()
	p = con.Progress("reading", 0) // of unknown length
	p.Update(500, 0, "1 follow")
	p.Finish()

	b.Reset()
	con = terminal.New(nil, nil, &b, noEnv)
	p = con.Progress("reading", 1000)
	p.Update(100, 1000, "too soon")
	p.Start, p.Last = time.Now().Add(-5*time.Second), time.Now().Add(-terminal.LineEvery)
	p.Update(500, 1000, "1 follow")
	p.Finish()
	if want := "reading\nreading: 50%, 5.0 s left, 1 follow\n"; b.String() != want {
		t.Errorf("got %q, want %q", b.String(), want)
	}
}
