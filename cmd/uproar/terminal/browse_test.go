// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package terminal

import (
	"io"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"testing"
	"time"
)

func TestBrowser(t *testing.T) {
	for _, tc := range []struct {
		system string
		env    map[string]string
		want   []string
	}{
		{"linux", nil, nil},
		{"linux", map[string]string{"DISPLAY": ":0"}, []string{"xdg-open"}},
		{"freebsd", map[string]string{"WAYLAND_DISPLAY": "wayland-0"}, []string{"xdg-open"}},
		{"linux", map[string]string{"DISPLAY": "localhost:10.0", "SSH_CONNECTION": "10.0.0.1 1 10.0.0.2 22"}, nil},
		{"linux", map[string]string{"DISPLAY": ":99", "CI": "true"}, nil},
		{"darwin", nil, []string{"open"}},
		{"windows", nil, []string{"rundll32", "url.dll,FileProtocolHandler"}},
	} {
		if got := browser(tc.system, func(name string) string { return tc.env[name] }); !slices.Equal(got, tc.want) {
			t.Errorf("browser(%q, %v) = %v, want %v", tc.system, tc.env, got, tc.want)
		}
	}
}

// The program that opens addresses is one of the test's own, which writes down what it is given.
func TestBrowse(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("the programs that open addresses are those of Linux")
	}
	bin := t.TempDir()
	opened := filepath.Join(bin, "opened")
	script := "#!/bin/sh\necho \"$1\" > " + opened + ".new && mv " + opened + ".new " + opened + "\n"
	if err := os.WriteFile(filepath.Join(bin, "xdg-open"), []byte(script), 0o700); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", bin+string(os.PathListSeparator)+os.Getenv("PATH"))
	desktop := func(name string) string { return map[string]string{"DISPLAY": ":0"}[name] }
	for _, c := range []struct {
		console Console
		env     func(string) string
		want    bool
	}{
		{Console{Out: io.Discard}, desktop, false},
		{Console{Out: io.Discard, Tables: true}, func(string) string { return "" }, false},
		{Console{Out: io.Discard, Tables: true}, desktop, true},
	} {
		if got := c.console.Browse(t.Context(), c.env, "http://127.0.0.1:7070/"); got != c.want {
			t.Errorf("Browse with a terminal: %v: got %v, want %v", c.console.Tables, got, c.want)
		}
	}
	for deadline := time.Now().Add(10 * time.Second); ; time.Sleep(10 * time.Millisecond) {
		got, err := os.ReadFile(opened)
		if err == nil && string(got) == "http://127.0.0.1:7070/\n" {
			return
		}
		if time.Now().After(deadline) {
			t.Fatalf("the browser was given %q, %v; want the address", got, err)
		}
	}
}
