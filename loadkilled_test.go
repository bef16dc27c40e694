// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package uproar_test

import (
	"bufio"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"testing"
	"time"

	"github.com/uproar-db/uproar"
	"github.com/uproar-db/uproar/query"
)

const (
	loadKilledDir   = "UPROAR_TEST_LOAD_KILLED_DIR" // set in the child only
	loadAccounts    = 4096
	loadBase        = 400 // follows of each account before: so many that loads rewrite many pages
	loadEach        = 3   // follows that a load gives each
	loadPatience    = time.Minute
	loadKilledUsual = 12
)

// openLoaded opens the database that is loaded into, with so little memory that a load has many
// batches of pages.
func openLoaded(t *testing.T, dir string) (*uproar.DB, *uproar.Index, *ingesting) {
	t.Helper()
	s := openIngesting(t, dir)
	db, err := uproar.Open(t.Context(), s, &uproar.Options{MemoryBytes: 16 << 20})
	if err != nil {
		t.Fatal(err)
	}
	ix, err := db.Index("accounts")
	if err != nil {
		ix, err = db.CreateIndex(t.Context(), "accounts", uproar.Field{Name: "follows", Type: uproar.Relation,
			Inverse: "followers"})
	}
	if err != nil {
		t.Fatal(err)
	}
	return db, ix, s
}

// loadsOf returns how many loads are there, of which every account must have all or nothing.
func loadsOf(t *testing.T, ix *uproar.Index) (loads int) {
	t.Helper()
	snap := ix.Snapshot()
	defer snap.Close()
	for a := range loadAccounts {
		for _, field := range []string{"follows", "followers"} {
			n, err := snap.Count(t.Context(), query.Related{Field: field, Key: fmt.Sprint("a", a)})
			if err != nil {
				t.Fatal(err)
			}
			if a == 0 && field == "follows" {
				loads = (int(n) - loadBase) / loadEach
			}
			if int(n) != loadBase+loads*loadEach {
				t.Fatalf("account %d, %s: got %d, want those of %d loads", a, field, n, loads)
			}
		}
	}
	return loads
}

// loadFollows has each account follow some others, and be followed by as many.
func loadFollows(t *testing.T, ix *uproar.Index, from, each int, gathered func()) {
	t.Helper()
	load, err := ix.Load(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	defer load.Abort()
	far := rand.New(rand.NewPCG(1, 2)).Perm(loadAccounts)
	for a := range loadAccounts {
		for i := range each {
			to := a ^ far[from+i]
			if err := load.Set("follows", fmt.Sprint("a", a), fmt.Sprint("a", to)); err != nil {
				t.Fatal(err)
			}
		}
	}
	gathered()
	if err := load.Commit(); err != nil {
		t.Fatal(err)
	}
}

// TestLoadKilledChild is the child of TestLoadKilled: it loads until it is killed.
func TestLoadKilledChild(t *testing.T) {
	dir := os.Getenv(loadKilledDir)
	if dir == "" {
		t.Skip("runs as a child of TestLoadKilled")
	}
	_, ix, s := openLoaded(t, dir)
	for n := loadsOf(t, ix); ; n++ {
		before := s.n.Load()
		loadFollows(t, ix, loadBase+n*loadEach, loadEach, func() { fmt.Println("loading", n, 0) })
		fmt.Println("loaded", n+1, s.n.Load()-before)
	}
}

// TestLoadKilled kills a process that loads into fields that have pages, which are ingested: each
// load is there or not, and those are that Commit has acknowledged.
func TestLoadKilled(t *testing.T) {
	rounds := killRounds(t, loadKilledUsual)
	if testing.Short() {
		rounds = killRounds(t, loadKilledUsual/3)
	}
	dir, loads, ingested, usual := t.TempDir(), 0, 0, 100*time.Millisecond
	db, ix, _ := openLoaded(t, dir)
	loadFollows(t, ix, 0, loadBase, func() {})
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	for round := range rounds {
		cmd := exec.Command(os.Args[0], "-test.run=^TestLoadKilledChild$")
		cmd.Env = append(os.Environ(), loadKilledDir+"="+dir)
		cmd.Stderr = os.Stderr
		stdout, err := cmd.StdoutPipe()
		if err == nil {
			err = cmd.Start()
		}
		if err != nil {
			t.Fatal(err)
		}
		kill := time.AfterFunc(loadPatience, func() { _ = cmd.Process.Kill() })
		acknowledged, began := loads, time.Time{}
		for lines := bufio.NewReader(stdout); ; {
			line, err := lines.ReadString('\n')
			if err != nil {
				break
			}
			what, n, ingestions := "", 0, 0
			_, _ = fmt.Sscan(line, &what, &n, &ingestions)
			switch what {
			case "loading":
				began = time.Now()
				if n > loads || round%2 > 0 { // else the first one shows how long it takes
					kill.Reset(rand.N(usual))
				}
			case "loaded":
				acknowledged, ingested, usual = n, ingested+ingestions, time.Since(began)
			}
		}
		kill.Stop()
		_ = cmd.Wait()
		db, ix, _ := openLoaded(t, dir)
		loads = loadsOf(t, ix)
		if loads < acknowledged || loads > acknowledged+1 {
			t.Errorf("round %d: %d loads are there, %d were acknowledged", round, loads, acknowledged)
		}
		if round%4 == 3 {
			if err := db.Verify(t.Context(), nil); err != nil {
				t.Errorf("round %d: %v", round, err)
			}
		}
		if err := db.Close(); err != nil {
			t.Fatal(err)
		}
	}
	if t.Logf("%d loads, %d ingestions, the last took %v", loads, ingested, usual); loads == 0 || ingested == 0 {
		t.Error("nothing was tested")
	}
}
