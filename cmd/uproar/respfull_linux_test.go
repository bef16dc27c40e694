// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// TestFullDiskSets fills the disk of a server by way of --resp. Writes are refused then, in words
// of Redis, and reads are not. What was acknowledged is there, also after a kill, and writes go on
// when something else has been deleted.
func TestFullDiskSets(t *testing.T) {
	mount := t.TempDir()
	if err := exec.Command("mount", "-t", "tmpfs", "-o", "size=256m", "tmpfs", mount).Run(); err != nil {
		t.Skip("nothing can be mounted here")
	}
	t.Cleanup(func() { _ = exec.Command("umount", "-l", mount).Run() })
	ballast := filepath.Join(mount, "ballast")
	if err := os.WriteFile(ballast, make([]byte, 80<<20), 0o600); err != nil {
		t.Fatal(err)
	}
	dir := filepath.Join(mount, "db")
	cmd, addr := serveSets(t, dir)
	c, err := dialRedis(addr)
	if err != nil {
		t.Fatal(err)
	}
	ask := func(words ...string) string {
		t.Helper()
		fmt.Fprintf(c, "%s\r\n", strings.Join(words, " "))
		line, _, err := c.reply()
		if line == "" {
			t.Fatal(err)
		}
		return line
	}
	acknowledged, refused := 0, 0
	for step := 0; refused < 5; step++ {
		if step > 5000 {
			t.Fatal("the disk is not full after 5 000 writes of 50 KB")
		}
		add := []string{"SADD", "s"}
		for k := range 50 {
			add = append(add, fmt.Sprintf("%d-%d-%0950d", step, k, step*k))
		}
		switch got := ask(add...); {
		case got == ":50":
			acknowledged += 50
		case strings.HasPrefix(got, "-MISCONF the disk of the server is full"):
			refused++
		default:
			t.Fatalf("a write to a full disk: got %s", got)
		}
	}
	if got := ask("SCARD", "s"); got != fmt.Sprint(":", acknowledged) {
		t.Errorf("with a full disk: got %s members, want %d", got, acknowledged)
	}
	_ = cmd.Process.Kill()
	_ = cmd.Wait()
	if err := os.Truncate(ballast, 1<<20); err != nil { // a database is not opened without some room
		t.Fatal(err)
	}
	cmd, addr = serveSets(t, dir)
	if c, err = dialRedis(addr); err != nil {
		t.Fatal(err)
	}
	if got := ask("SCARD", "s"); got != fmt.Sprint(":", acknowledged) {
		t.Errorf("after a kill: got %s members, want %d", got, acknowledged)
	}

	// Once more, and room comes while the server runs.
	if err := os.WriteFile(ballast, make([]byte, 80<<20), 0o600); err != nil {
		t.Fatal(err)
	}
	got := ""
	for step := 0; !strings.HasPrefix(got, "-MISCONF"); step++ {
		if got = ask("SADD", "other", fmt.Sprintf("%d-%030000d", step, step)); step > 10_000 {
			t.Fatalf("the disk is not full again: got %s", got)
		}
	}
	if err := os.Remove(ballast); err != nil {
		t.Fatal(err)
	}
	deadline := time.Now().Add(20 * time.Second)
	for ask("SADD", "s", "after") != ":1" {
		if time.Sleep(100 * time.Millisecond); time.Now().After(deadline) {
			t.Fatal("no write succeeds 20 s after there is room again")
		}
	}
	if got := ask("SCARD", "s"); got != fmt.Sprint(":", acknowledged+1) {
		t.Errorf("after all: got %s members, want %d", got, acknowledged+1)
	}
	_ = cmd.Process.Kill()
	_ = cmd.Wait()
}
