// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/uproar-db/uproar"
	"github.com/uproar-db/uproar/cmd/uproar/database"
)

// TestKilledNewIndex kills imports that make an index or a catalog in their midst: nothing is left,
// and the next import is as the first.
func TestKilledNewIndex(t *testing.T) {
	schema := filepath.Join(t.TempDir(), "schema.json")
	if err := os.WriteFile(schema, []byte(`{"key": "id", "attributes": [{"name": "city"}]}`), 0o644); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name, index string
		args        []string
	}{
		{"audience", "people", []string{"import", "audience", "--key", "id", "--column", "city:single", "-"}},
		{"catalog", "shop", []string{"import", "catalog", "--name", "shop", "--schema", schema, "-"}},
	} {
		dir := filepath.Join(t.TempDir(), "db")
		args := append(c.args, "--dir", dir)
		cmd := exec.Command("uproar", args...)
		in, err := cmd.StdinPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		// More than the pipe holds: the import has begun once it is written.
		if _, err := io.WriteString(in, "id,city\n"+strings.Repeat("a,Oslo\n", 1<<18)); err != nil {
			t.Fatal(err)
		}
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
		if got := indexesOf(t, dir); len(got) != 0 {
			t.Errorf("%s: got indexes %q after a kill, want none", c.name, got)
		}
		again := exec.Command("uproar", args...)
		again.Stdin = strings.NewReader("id,city\na,Rome\n")
		if out, err := again.CombinedOutput(); err != nil {
			t.Errorf("%s: the next import: %v: %s", c.name, err, out)
		}
		if got := indexesOf(t, dir); len(got) != 1 || !strings.HasPrefix(got[0], c.index) {
			t.Errorf("%s: got indexes %q, want one of %s", c.name, got, c.index)
		}
	}
}

// indexesOf returns the indexes of a database that nobody has open.
func indexesOf(t *testing.T, dir string) []string {
	t.Helper()
	db, err := database.Open(t.Context(), dir, database.Detect, true, new(uproar.Options))
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := db.Close(); err != nil {
			t.Error(err)
		}
	}()
	if err := db.Verify(t.Context(), nil); err != nil {
		t.Error(err)
	}
	return db.Indexes()
}
