// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// TestDiskFillsUp fills a small disk beside an idle server: /readyz and the figures say so before a
// write is refused, and that it is over when there is room again.
func TestDiskFillsUp(t *testing.T) {
	for _, engine := range []string{"pebble", "bbolt"} {
		t.Run(engine, func(t *testing.T) {
			t.Parallel()
			mount := t.TempDir()
			if err := exec.Command("mount", "-t", "tmpfs", "-o", "size=300m,nr_inodes=400", "tmpfs",
				mount).Run(); err != nil {
				t.Skip("nothing can be mounted here")
			}
			t.Cleanup(func() { _ = exec.Command("umount", "-l", mount).Run() })
			url := served(t, exec.Command("uproar", "serve", "--dir", filepath.Join(mount, "db"), "--store", engine,
				"--addr", "127.0.0.1:0", "--log-format", "json"))
			get := func(path string) (status int, body string) {
				resp, err := http.Get(url + path)
				if err != nil {
					t.Fatal(err)
				}
				defer resp.Body.Close()
				text, err := io.ReadAll(resp.Body)
				if err != nil {
					t.Fatal(err)
				}
				return resp.StatusCode, string(text)
			}
			await := func(what string, want int) {
				t.Helper()
				figure := "\nuproar_writable 1\n"
				if want != 200 {
					figure = "\nuproar_writable 0\n"
				}
				for end := time.Now().Add(20 * time.Second); ; time.Sleep(50 * time.Millisecond) {
					status, body := get("/readyz")
					_, figures := get("/metrics")
					if status == want && (want == 200 || strings.Contains(body, `"reason":"full"`)) &&
						strings.Contains(figures, figure) {
						return
					}
					if time.Now().After(end) {
						t.Fatalf("%s: /readyz: got %d %s, want %d", what, status, body, want)
					}
				}
			}
			await("an empty disk", 200)
			if _, figures := get("/metrics"); !strings.Contains(figures, "\nuproar_disk_free_bytes ") ||
				!strings.Contains(figures, "\nuproar_disk_reserve_bytes ") {
				t.Error("the figures do not tell of the disk")
			}
			ballast := filepath.Join(mount, "ballast")
			if err := os.WriteFile(ballast, make([]byte, 240<<20), 0o600); err != nil {
				t.Fatal(err)
			}
			await("240 of 300 MB taken", 503)
			if err := os.Remove(ballast); err != nil {
				t.Fatal(err)
			}
			await("room again", 200)
			if engine == "bbolt" { // which makes no files
				return
			}
			var names []string
			for err := error(nil); err == nil; {
				names = append(names, filepath.Join(mount, fmt.Sprint("f", len(names))))
				err = os.WriteFile(names[len(names)-1], nil, 0o600)
			}
			await("no file can be made", 503)
			for _, name := range names {
				_ = os.Remove(name)
			}
			await("files can be made again", 200)
		})
	}
}
