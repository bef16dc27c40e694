// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

//go:build linux || darwin

package main

import (
	"bufio"
	"errors"
	"fmt"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// TestFewDescriptors has more clients than a server may open files, and some ask nothing. The
// server answers everybody who asks, closes connections that wait, reads and writes beside them,
// and has room again when they have left.
func TestFewDescriptors(t *testing.T) {
	const limit, clients = 260, 400
	cmd := exec.Command("sh", "-c", `ulimit -n "$1" && shift && exec uproar "$@"`, "sh", fmt.Sprint(limit),
		"serve", "--dir", filepath.Join(t.TempDir(), "db"), "--addr", "127.0.0.1:0", "--log-format", "json")
	url := served(t, cmd)
	address := strings.TrimPrefix(url, "http://")
	ask := func(conn net.Conn, line, body string) (status int) {
		t.Helper()
		_ = conn.SetDeadline(time.Now().Add(time.Minute))
		fmt.Fprintf(conn,
			"%s HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%s", line,
			len(body), body)
		resp, err := http.ReadResponse(bufio.NewReader(conn), nil)
		if err != nil {
			return 0 // refused, and closed before it could be asked
		}
		_ = resp.Body.Close()
		return resp.StatusCode
	}
	var open []net.Conn
	answered := make(map[int]int)
	for range clients {
		conn, err := net.DialTimeout("tcp", address, time.Minute)
		if err != nil {
			t.Fatal(err)
		}
		open = append(open, conn)
		answered[ask(conn, "GET /healthz", "")]++
	}
	if answered[200] != clients {
		t.Errorf("got %v, want 200 alone", answered)
	}
	kept := 0
	for _, conn := range open {
		_ = conn.SetDeadline(time.Now().Add(5 * time.Millisecond))
		if _, err := conn.Read(make([]byte, 1)); errors.Is(err, os.ErrDeadlineExceeded) {
			kept++
		}
	}
	if kept < 40 || kept > limit/2 {
		t.Errorf("%d connections are kept, want some, and fewer than half of %d", kept, limit)
	}
	for range clients / 2 { // who ask nothing, and stay
		conn, err := net.DialTimeout("tcp", address, time.Minute)
		if err != nil {
			t.Fatal(err)
		}
		open = append(open, conn)
	}
	writer, err := net.DialTimeout("tcp", address, time.Minute)
	if err != nil {
		t.Fatal(err)
	}
	open = append(open, writer)
	if status := ask(writer, "POST /v1/graph/write",
		`{"changes":[{"op":"set","relation":"follows","account":"a","target":"b"}]}`); status != 200 {
		t.Errorf("a write beside them: got %d, want 200", status)
	}
	for _, conn := range open {
		_ = conn.Close()
	}
	for begun := time.Now(); ; time.Sleep(10 * time.Millisecond) {
		resp, err := http.Get(url + "/healthz")
		if err == nil {
			_ = resp.Body.Close()
			if resp.StatusCode == 200 {
				break
			}
		}
		if time.Since(begun) > time.Minute {
			t.Fatalf("afterwards: %v", err)
		}
	}
	_ = cmd.Process.Kill()
	_ = cmd.Wait()
}
