// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestExitCodes: every command ends with the codes that docs/cli.md has: 0 when it is done, 1 when
// it fails, 2 when it is not understood.
func TestExitCodes(t *testing.T) {
	dir := t.TempDir()
	at := func(name string) string { return filepath.Join(dir, name) }
	write := func(name, text string) {
		if err := os.WriteFile(at(name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write("follows.csv", "alice,bob\nbob,alice\n")
	write("people.csv", "id,age\nann,30\n")
	write("nothing", "")
	db, missing := at("db"), at("missing")
	for _, c := range []struct {
		want int
		args string
	}{
		{exitOK, "import graph --header no --dir " + db + " " + at("follows.csv")},
		{exitFailure, "import graph --header no --dir " + db + " " + at("missing.csv")},
		{exitUsage, "import graph --dir " + db},
		{exitOK, "import audience --yes --dir " + db + " " + at("people.csv")},
		{exitFailure, "import audience --key nr --column age:integer --dir " + db + " " + at("people.csv")},
		{exitUsage, "import audience " + at("people.csv")},
		{exitFailure, "import catalog --schema " + at("missing.json") + " --dir " + db + " " + at("people.csv")},
		{exitUsage, "import catalog --dir " + db},
		{exitOK, "query --dir " + db + " --count all"},
		{exitFailure, "query --dir " + db + " --index peple all"}, {exitFailure, "query --dir " + missing + " all"},
		{exitFailure, "query --url http://127.0.0.1:1 all"},
		{exitUsage, "query --dir " + db + " likes="}, {exitUsage, "query all"},
		{exitUsage, "query --dir " + db + " --bounds 1 all"},
		{exitOK, "audience --dir " + db + " --fields age all"}, {exitFailure, "audience --dir " + missing + " all"},
		{exitUsage, "audience --dir " + db + " --fields"},
		{exitOK, "graph followers --dir " + db + " bob"}, {exitFailure, "graph followers --dir " + missing + " bob"},
		{exitUsage, "graph followers --dir " + db},
		{exitFailure, "search --dir " + missing + " a=b"}, {exitUsage, "search --no-such-flag"},
		{exitFailure, "check catalog --dir " + missing}, {exitUsage, "check catalog --no-such-flag"},
		{exitOK, "shell --dir " + db}, {exitFailure, "shell --dir " + missing}, {exitUsage, "shell --no-such-flag"},
		{exitOK, "inspect --dir " + db}, {exitFailure, "inspect --dir " + missing}, {exitUsage, "inspect"},
		{exitOK, "stats --dir " + db}, {exitFailure, "stats --dir " + missing}, {exitUsage, "stats"},
		{exitOK, "fields --dir " + db}, {exitFailure, "fields --dir " + db + " --index peple"}, {exitUsage, "fields"},
		{exitOK, "verify --dir " + db}, {exitFailure, "verify --dir " + missing}, {exitUsage, "verify"},
		{exitOK, "compact --dir " + db}, {exitFailure, "compact --dir " + missing}, {exitUsage, "compact"},
		{exitOK, "backup --dir " + db + " " + at("full")}, {exitFailure, "backup --dir " + db + " " + at("full")},
		{exitUsage, "backup " + at("other")},
		{exitOK, "restore --dir " + at("restored") + " " + at("full")},
		{exitFailure, "restore --dir " + at("again") + " " + at("nothing")},
		{exitUsage, "restore --dir " + at("again")},
		{exitOK, "move --dir " + db + " --to " + at("moved") + " --store bbolt"},
		{exitFailure, "move --dir " + missing + " --to " + at("nowhere")}, {exitUsage, "move --dir " + db},
		{exitFailure, "salvage --dir " + missing + " --to " + at("nowhere")}, {exitUsage, "salvage"},
		{exitFailure, "serve --read-only --dir " + missing}, {exitUsage, "serve"},
		{exitUsage, "demo --addr :7070"}, {exitUsage, "bench write --no-such-flag"},
		{exitOK, "version"}, {exitUsage, "version more"}, {exitOK, "help"}, {exitUsage, "help nonsense"},
		{exitOK, ""}, {exitUsage, "nonsense"},
	} {
		var errOut strings.Builder
		code := run(t.Context(), strings.Fields(c.args), strings.NewReader(""), io.Discard, &errOut, noEnv)
		if code != c.want || (code == exitOK) == strings.Contains("\n"+errOut.String(), "\nuproar: ") {
			t.Errorf("uproar %s: got exit code %d and %q, want %d", strings.ReplaceAll(c.args, dir, "DIR"), code,
				errOut.String(), c.want)
		}
	}
}
