// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package posting

import (
	"os"
	"runtime"
	"testing"

	"github.com/uproar-db/uproar/internal/posting/load"
	"github.com/uproar-db/uproar/internal/posting/model"
	"github.com/uproar-db/uproar/store/memstore"
)

// TestLoadLeavesNoFiles has a load spill to many temporary files. It looks for them during the load
// and after its end.
func TestLoadLeavesNoFiles(t *testing.T) {
	dir := t.TempDir()
	t.Setenv("TMPDIR", dir)
	t.Setenv("TMP", dir)
	ix := open(t, memstore.New(), testConfig(t, 1<<20))
	defer ix.Close()
	for _, end := range []func(*load.Loader) error{
		func(l *load.Loader) error { _, err := l.Commit(); return err },
		func(l *load.Loader) error { l.Abort(); return nil },
	} {
		l, err := ix.Load(t.Context(), 1000, nil)
		if err != nil {
			t.Fatal(err)
		}
		defer l.Abort()
		for i := range uint64(500) {
			if err := l.Set(country, model.ID(i%5), model.ID(i)); err != nil {
				t.Fatal(err)
			}
		}
		runs := runsOf(t, l) // when nothing more is being written
		left := func() int {
			files, err := os.ReadDir(dir)
			if err != nil {
				t.Fatal(err)
			}
			return len(files)
		}
		if runtime.GOOS != "windows" && left() > 0 {
			t.Errorf("got %d files of a load under way, want none: a killed process would leave them", left())
		}
		if runs < 10 {
			t.Errorf("got %d runs, want many", runs)
		}
		if err := end(l); err != nil || left() > 0 {
			t.Errorf("got %v and %d files of a load that has ended, want none", err, left())
		}
	}
}

// runsOf returns how many runs a load has written, of edits and of pairs.
func runsOf(t *testing.T, l *load.Loader) int {
	t.Helper()
	n := len(l.Edits.Runs.Open)
	for _, p := range l.Pairs.Fields {
		if err := p.Await(); err != nil {
			t.Fatal(err)
		}
		n += len(p.Runs.Open)
	}
	return n
}
