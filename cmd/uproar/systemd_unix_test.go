// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

//go:build unix

package main

import (
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"
)

// TestSystemd starts a server with a socket that it is given, as systemd does, and starts it again
// while clients ask: none is refused. The server tells when it is ready, and when it stops.
func TestSystemd(t *testing.T) {
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer ln.Close()
	socket, err := ln.(*net.TCPListener).File()
	if err != nil {
		t.Fatal(err)
	}
	defer socket.Close()
	dir := t.TempDir()
	told := notified(t, filepath.Join(dir, "notify"))
	start := func() *exec.Cmd {
		cmd := exec.Command("sh", "-c", `LISTEN_FDS=1 LISTEN_PID=$$ exec uproar "$@"`, "sh", "serve", "--dir",
			filepath.Join(dir, "db"), "--log-format", "json")
		cmd.ExtraFiles = []*os.File{socket}
		cmd.Env = append(os.Environ(), "NOTIFY_SOCKET="+filepath.Join(dir, "notify"))
		if url, want := served(t, cmd), "http://"+ln.Addr().String(); url != want {
			t.Fatalf("got a server at %s, want %s", url, want)
		}
		told(t, "READY=1")
		return cmd
	}
	server := start()

	var answers atomic.Int64
	ended := make(chan struct{})
	var asking sync.WaitGroup
	for range 4 {
		asking.Go(func() {
			asker := &http.Client{Timeout: 30 * time.Second, Transport: &http.Transport{DisableKeepAlives: true}}
			for {
				select {
				case <-ended:
					return
				default:
				}
				if err := healthy(asker, "http://"+ln.Addr().String()); err != nil {
					t.Errorf("after %d answers: %v", answers.Load(), err)
					return
				}
				answers.Add(1)
			}
		})
	}
	for range 3 {
		for before := answers.Load(); answers.Load() < before+100; time.Sleep(time.Millisecond) {
			if t.Failed() {
				break
			}
		}
		if err := server.Process.Signal(syscall.SIGTERM); err != nil {
			t.Fatal(err)
		}
		told(t, "STOPPING=1")
		if err := server.Wait(); err != nil {
			t.Errorf("the server ended with %v", err)
		}
		server = start()
	}
	close(ended)
	asking.Wait()
	_ = server.Process.Signal(syscall.SIGTERM)
	_ = server.Wait()
}

// healthy asks a server whether it is there.
func healthy(asker *http.Client, url string) error {
	resp, err := asker.Get(url + "/healthz")
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	if _, err := io.Copy(io.Discard, resp.Body); err != nil {
		return err
	}
	if resp.StatusCode != http.StatusOK {
		return fmt.Errorf("got %s, want 200", resp.Status)
	}
	return nil
}

// notified listens where a service tells its state, and returns a function that waits for one.
func notified(t *testing.T, path string) (await func(t *testing.T, state string)) {
	t.Helper()
	conn, err := net.ListenUnixgram("unixgram", &net.UnixAddr{Name: path, Net: "unixgram"})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = conn.Close() })
	return func(t *testing.T, state string) {
		t.Helper()
		message := make([]byte, 1024)
		_ = conn.SetReadDeadline(time.Now().Add(time.Minute))
		n, err := conn.Read(message)
		if err != nil || strings.TrimSpace(string(message[:n])) != state {
			t.Fatalf("got the state %q, %v, want %q", message[:n], err, state)
		}
	}
}

// TestSystemdUnits: systemd finds nothing wrong with the units.
func TestSystemdUnits(t *testing.T) {
	analyze := installed(t, "systemd-analyze", "CI")
	dir := t.TempDir()
	var units []string
	for _, name := range []string{"uproar.service", "uproar.socket"} {
		text, err := os.ReadFile(filepath.Join("../../packaging/systemd", name))
		if err != nil {
			t.Fatal(err)
		}
		program, err := exec.LookPath("uproar")
		if err != nil {
			t.Fatal(err)
		}
		units = append(units, filepath.Join(dir, name))
		text = []byte(strings.ReplaceAll(string(text), "/usr/bin/uproar", program))
		if err := os.WriteFile(units[len(units)-1], text, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if out, err := exec.Command(analyze, append([]string{"verify"}, units...)...).CombinedOutput(); err != nil ||
		len(out) > 0 {
		t.Errorf("got %v:\n%s", err, out)
	}
}
