// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/uproar-db/uproar"
	"github.com/uproar-db/uproar/apps/graph"
	"github.com/uproar-db/uproar/cmd/uproar/terminal"
	"github.com/uproar-db/uproar/store/memstore"
)

// someBackup returns a backup of a small graph.
func someBackup(t *testing.T) []byte {
	t.Helper()
	db, err := uproar.Open(t.Context(), memstore.New(), nil)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	g, err := graph.Open(t.Context(), db)
	if err != nil {
		t.Fatal(err)
	}
	for i := range 50 {
		if _, err := g.Follow(t.Context(), graph.Follow{Account: fmt.Sprint("a", i), Target: "b"}); err != nil {
			t.Fatal(err)
		}
	}
	if err := g.Index().Flush(t.Context()); err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	if _, err := db.Backup(t.Context(), &out, nil); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

// TestBackupFromCut: of a backup that does not come whole, in whatever way, there is no file, and
// nothing is left of it.
func TestBackupFromCut(t *testing.T) {
	whole := someBackup(t)
	abort := func(n int) http.HandlerFunc {
		return func(w http.ResponseWriter, _ *http.Request) {
			_, _ = w.Write(whole[:n])
			_ = http.NewResponseController(w).Flush()
			panic(http.ErrAbortHandler)
		}
	}
	send := func(body []byte) http.HandlerFunc {
		return func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write(body) }
	}
	damaged := bytes.Clone(whole)
	damaged[len(damaged)/2] ^= 1
	for what, c := range map[string]struct {
		answer http.HandlerFunc
		want   string
	}{
		"connection cut in its head":           {abort(10), "broke off"},
		"connection cut in its midst":          {abort(len(whole) / 2), "broke off"},
		"connection cut before its end block":  {abort(len(whole) - 28), "broke off"},
		"connection cut in its end block":      {abort(len(whole) - 1), "broke off"},
		"half of it, in good order":            {send(whole[:len(whole)/2]), "cut short"},
		"but for the end block, in good order": {send(whole[:len(whole)-28]), "cut short"},
		"damaged":                              {send(damaged), "checksum"},
		"nothing":                              {send(nil), "not a backup"},
		"more than it":                         {send(append(bytes.Clone(whole), 0)), "after its end"},
		"a page of another server":             {send([]byte("<html>")), "not a backup"},
		"passed on": {http.RedirectHandler("http://127.0.0.1:1/",
			http.StatusFound).ServeHTTP, "no server of Uproar"},
		"an error in HTML": {http.NotFound, "no server of Uproar"},
		"an older server": {func(w http.ResponseWriter, _ *http.Request) {
			w.WriteHeader(404)
			_, _ = io.WriteString(w, `{"error":{"code":"unknown_path","message":"unknown path"}}`)
		}, "a newer server"},
		"not allowed": {func(w http.ResponseWriter, _ *http.Request) {
			w.WriteHeader(403)
			_, _ = io.WriteString(w, `{"error":{"code":"forbidden","message":"no"}}`)
		}, "--remote-backups"},
	} {
		t.Run(what, func(t *testing.T) {
			hs := httptest.NewServer(c.answer)
			defer hs.Close()
			dir := t.TempDir()
			command := backupCommand{From: hs.URL, File: filepath.Join(dir, "some.backup")}
			err := command.Run(t.Context(), &terminal.Console{Out: io.Discard, Err: io.Discard})
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("got error %v, want one with %q", err, c.want)
			}
			if files, err := os.ReadDir(dir); err != nil || len(files) > 0 {
				t.Errorf("got %v, %v in the folder, want nothing", files, err)
			}
		})
	}
	hs := httptest.NewServer(send(whole))
	defer hs.Close()
	command := backupCommand{From: hs.URL, File: filepath.Join(t.TempDir(), "some.backup")}
	if err := command.Run(t.Context(), &terminal.Console{Out: io.Discard, Err: io.Discard}); err != nil {
		t.Fatal(err)
	}
	if got, err := os.ReadFile(command.File); err != nil || !bytes.Equal(got, whole) {
		t.Errorf("got %d bytes, %v, want the backup of %d", len(got), err, len(whole))
	}
	if err := (&backupCommand{From: "ftp://x", File: filepath.Join(t.TempDir(), "x")}).Run(t.Context(),
		&terminal.Console{Out: io.Discard, Err: io.Discard}); !errors.As(err, new(*terminal.UsageError)) {
		t.Errorf("an address that is none: got error %v, want a usage error", err)
	}
}
