// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/uproar-db/uproar/cmd/uproar/database"
	"github.com/uproar-db/uproar/store"
	"github.com/uproar-db/uproar/store/bboltstore"
	"github.com/uproar-db/uproar/store/pebblestore"
)

// TestKilledAtItsBeginning has commands open the store of one that was killed before it wrote
// anything: there is no database in it, and none of them makes one, so that it can still be
// restored into.
func TestKilledAtItsBeginning(t *testing.T) {
	tmp := t.TempDir()
	file, star := filepath.Join(tmp, "a.backup"), filepath.Join(tmp, "star.tsv")
	writeStar(t, star, "hub", 10)
	runProgram(t, "import", "graph", "--dir", filepath.Join(tmp, "db"), star)
	runProgram(t, "backup", "--dir", filepath.Join(tmp, "db"), file)
	for name, open := range map[string]func(dir string) (store.Store, error){
		database.Bbolt:  func(dir string) (store.Store, error) { return bboltstore.Open(dir, nil) },
		database.Pebble: func(dir string) (store.Store, error) { return pebblestore.Open(dir, nil) },
	} {
		dir := filepath.Join(tmp, name)
		s, err := open(dir)
		if err != nil {
			t.Fatal(err)
		}
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
		for _, command := range []string{"query --dir DIR all", "inspect --dir DIR", "verify --dir DIR",
			"compact --dir DIR"} {
			args := strings.Fields(strings.ReplaceAll(command, "DIR", dir))
			out, err := exec.Command("uproar", args...).CombinedOutput()
			if want := "there is no database in " + dir; err == nil || !strings.Contains(string(out), want) {
				t.Errorf("%s: uproar %s: got %v and %q, want %q", name, command, err, out, want)
			}
		}
		runProgram(t, "restore", "--dir", dir, "--store", name, file)
		runProgram(t, "verify", "--dir", dir)
	}
}
