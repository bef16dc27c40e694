// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"fmt"
	"net/http/httptest"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/uproar-db/uproar"
	"github.com/uproar-db/uproar/cmd/uproar/database"
	"github.com/uproar-db/uproar/server"
)

// asked is command lines that ask without writing.
var asked = [][]string{
	{"query", "all"},
	{"query", "follows(alice) and followers(dan)"},
	{"query", "--json", "all"},
	{"query", "--ids", "--limit", "2", "all"},
	{"query", "--ids", "--json", "all"},
	{"query", "--count", "--json", "follows in (alice, nobody)"},
	{"query", `{"field":"follows","key":"alice"}`},
	{"query", "--top", "followers", "all"},
	{"query", "--top", "followers", "--by", "lift", "--over", "follows(alice)", "--json", "all"},
	{"query", "--groups", "follows,followers", "all"},
	{"query", "--groups", "follows", "--limit", "1", "--json", "all"},
	{"query", "--distinct", "followers", "all"},
	{"query", "--sample", "3", "--seed", "7", "all"},
	{"query", "--sample", "3", "--json", "all"},
	{"query", "--index", "people", "--numbers", "age", "--quantiles", "0.1,0.9", "all"},
	{"query", "--index", "people", "--numbers", "born", "any(born)"},
	{"query", "--index", "people", "--groups", "age by 10,city", "all"},
	{"query", "folows(alice)"},
	{"query", "--index", "pepole", "all"},
	{"query", "--top", "none", "all"},
	{"query", "saved(none)"},
	{"query", "follows("},
	{"audience", "likes = tea"},
	{"audience", "--words", "likes", "--values", "city", "--fields", "age,born,likes", "--cross", "city,likes", "all"},
	{"audience", "--with", "city = Oslo", "--fields", "likes", "--overlap", "all", "--json", "likes = tea"},
	{"audience", "--saved"},
	{"audience", "--fields", "non", "all"},
	{"graph", "followers", "bob"},
	{"graph", "followers", "bob", "--json"},
	{"graph", "following", "alice", "--limit", "1"},
	{"graph", "following", "alice", "--count"},
	{"graph", "mutuals", "alice", "--count", "--json"},
	{"graph", "follows", "alice", "bob"},
	{"graph", "follows", "bob", "carol", "--json"},
	{"graph", "follows-following", "alice", "bob"},
	{"graph", "mutuals-following", "alice", "bob"},
	{"graph", "intersect-followers", "bob", "carol"},
	{"graph", "intersect-following", "alice", "dan"},
	{"graph", "reach", "alice"},
	{"graph", "suggestions", "dan"},
	{"graph", "similar", "alice", "--by", "count", "--json"},
	{"graph", "similar", "alice", "--count"},
	{"graph", "blocks", "alice"},
	{"graph", "followers", "nobody"},
	{"search", "--name", "prices", "article=tea"},
	{"search", "--name", "prices", "--show", "article,percent", "article=tea", "article=milk"},
	{"search", "--name", "prices", "--json", "percent>=5", "percent<=10"},
	{"search", "--name", "prices", "article=wine"},
	{"search", "--name", "prices", "colour=red"},
	{"search", "--name", "none", "article=tea"},
	{"check", "catalog", "--name", "prices"},
	{"check", "catalog", "--name", "prices", "--json", "--limit", "1"},
	{"check", "catalog", "--name", "none"},
	{"fields", "--index", "people"},
	{"fields", "--index", "people", "--json"},
	{"fields", "--index", "none"},
	{"inspect"},
	{"inspect", "--kinds"},
	{"stats"},
	{"stats", "--index", "people"},
}

// timed is what differs from run to run: times, and what an open database takes.
var timed = regexp.MustCompile(`counted in .*|memory: .*|store: .*`)

// TestFolderAndServer asks the same of a folder and of a server: answers, errors and exit codes are
// the same, byte for byte.
func TestFolderAndServer(t *testing.T) {
	dir := t.TempDir()
	call := func(input string, args ...string) string {
		var out, errOut strings.Builder
		code := run(t.Context(), args, strings.NewReader(input), &out, &errOut, noEnv)
		return fmt.Sprintf("%s\n%s\n%d", out.String(), timed.ReplaceAllString(errOut.String(), ""), code)
	}
	made := func(input string, args ...string) {
		t.Helper()
		if got := call(input, append(args, "--dir", dir)...); !strings.HasSuffix(got, "\n0") {
			t.Fatalf("%q: got %s", args, got)
		}
	}
	made("alice,bob\nalice,carol\nbob,alice\ndan,bob\ndan,carol\nerin,dan\n", "import", "graph", "--header", "no", "-")
	made("id,likes,city,age,born\nann,tea|cake,Oslo,30,1990-01-02\nbob,tea,Rome,40,1980-03-04\ncid,cake,,50,\n",
		"import", "audience", "--key", "id", "--column", "likes:set:split=|", "--column", "city:single",
		"--column", "age:integer",
		"--column", "born:date", "-")
	schema := t.TempDir() + "/schema.json"
	if err := os.WriteFile(schema, []byte(
		`{"key":"id","attributes":[{"name":"article"},{"name":"percent","type":"number"}]}`), 0o600); err != nil {
		t.Fatal(err)
	}
	made("id,article,percent\na,tea,5\nb,tea,5\nc,milk,10\nd,milk,10\n", "import", "catalog", "--name", "prices",
		"--schema", schema, "-")
	made("", "query", "--save", "fans", "follows(alice)")
	made("", "audience", "--follow", "tea", "likes = tea")
	made("", "compact")

	want := make([]string, len(asked))
	for i, args := range asked {
		want[i] = call("", append([]string{args[0]}, append(args[1:], "--dir", dir, "--read-only")...)...)
		if args[0] == "fields" {
			want[i] = call("", append(args[:len(args):len(args)], "--dir", dir)...)
		}
	}
	db, err := database.Open(t.Context(), dir, database.Detect, false, &uproar.Options{ReadOnly: true})
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	s, err := server.New(db, nil)
	if err != nil {
		t.Fatal(err)
	}
	at := httptest.NewServer(s)
	defer at.Close()
	answered := 0
	for i, args := range asked {
		got := call("", append(args[:len(args):len(args)], "--url", at.URL)...)
		if timed.ReplaceAllString(got, "") != timed.ReplaceAllString(want[i], "") {
			t.Errorf("%q: got over HTTP\n%s\nfrom the folder\n%s", args, got, want[i])
		}
		if strings.HasSuffix(got, "\n0") {
			answered++
		}
	}
	if answered < len(asked)*3/4 {
		t.Errorf("%d of %d questions were answered, want more", answered, len(asked))
	}
	t.Setenv("UPROAR_URL", at.URL)
	if got := call("", "graph", "followers", "bob"); !strings.HasPrefix(got, "alice\ndan\n") {
		t.Errorf("UPROAR_URL: got %s, want alice and dan", got)
	}
	if got := call("", "query", "all", "--dir", dir, "--read-only"); !strings.HasPrefix(got, "alice\nbob\n") {
		t.Errorf("--dir beside UPROAR_URL: got %s, want the folder to be asked", got)
	}
}
