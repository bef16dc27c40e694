// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package likes

import (
	"bytes"
	"errors"
	"io"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/uproar-db/uproar"
	"github.com/uproar-db/uproar/apps/graph/likes"
	"github.com/uproar-db/uproar/cmd/uproar/database"
	"github.com/uproar-db/uproar/cmd/uproar/terminal"
	"github.com/uproar-db/uproar/server"
	"github.com/uproar-db/uproar/store/memstore"
)

const (
	post  = "at://did:plc:writer/app.bsky.feed.post/3m6aaaaaaaa2k"
	lines = "creator,rkey,subject\nearly,3m6i4wtqkuf2l," + post + "\nlate,3m6i4wtqkuf2m," + post + "\n"
)

// run imports a text, and returns what the command printed.
func run(t *testing.T, c *Import, text string) (string, error) {
	t.Helper()
	file := filepath.Join(t.TempDir(), "likes.csv")
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	c.Files, c.Store = []string{file}, database.Detect
	if err := c.Validate(); err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	err := c.Run(t.Context(), &terminal.Console{Out: &out, Err: io.Discard})
	return out.String(), err
}

// accounts returns who likes the post in a database.
func accounts(t *testing.T, db *uproar.DB) (names []string) {
	t.Helper()
	l, err := open(t.Context(), db)
	if err != nil {
		t.Fatal(err)
	}
	list, _, err := l.Likers(t.Context(), post, likes.Page{Limit: 10})
	if err != nil {
		t.Fatal(err)
	}
	for _, like := range list {
		names = append(names, like.Account)
	}
	return names
}

// TestImport imports into a folder, twice, and into a server; a bad line leaves what was before it.
func TestImport(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "network")
	for range 2 {
		if out, err := run(t, &Import{Dir: dir}, lines); err != nil || out != "imported 2 likes\n" {
			t.Fatalf("got %q, %v", out, err)
		}
	}
	bad, err := run(t, &Import{Dir: dir}, "more,3m6i4wtqkuf2n,"+post+"\nbroken\n")
	var line *likes.LineError
	if !errors.As(err, &line) || line.Line != 2 || !strings.Contains(err.Error(), "1 like before it") {
		t.Fatalf("got %q, %v, want an error about line 2", bad, err)
	}
	db, err := database.Open(t.Context(), dir, database.Detect, false, &uproar.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if got := strings.Join(accounts(t, db), " "); got != "more late early" {
		t.Errorf("got %s", got)
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}

	if db, err = uproar.Open(t.Context(), memstore.New(), nil); err != nil {
		t.Fatal(err)
	}
	s, err := server.New(db, &server.Options{})
	if err != nil {
		t.Fatal(err)
	}
	http := httptest.NewServer(s)
	defer http.Close()
	if out, err := run(t, &Import{URL: http.URL}, lines); err != nil || out != "imported 2 likes\n" {
		t.Fatalf("got %q, %v", out, err)
	}
	if got := strings.Join(accounts(t, db), " "); got != "late early" {
		t.Errorf("of the server got %s", got)
	}
}
