// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/uproar-db/uproar"
	"github.com/uproar-db/uproar/apps/graph"
	"github.com/uproar-db/uproar/cmd/uproar/database"
)

// runProgram runs the program, and fails the test when it fails.
func runProgram(t *testing.T, args ...string) {
	t.Helper()
	if out, err := exec.Command("uproar", args...).CombinedOutput(); err != nil {
		t.Fatalf("uproar %s: %v\n%s", strings.Join(args, " "), err, out)
	}
}

// TestKilledRestore kills restores at random moments: what they leave is no database, or a whole
// one, and the next restore into the same folder succeeds.
func TestKilledRestore(t *testing.T) {
	rounds, accounts := 12, 30_000
	if testing.Short() {
		rounds, accounts = 4, 10_000
	}
	rounds = killRounds(t, rounds)
	tmp := t.TempDir()
	var files []string
	for i := range 2 {
		file, star := filepath.Join(tmp, fmt.Sprint(i, ".backup")), filepath.Join(tmp, "star.tsv")
		writeStar(t, star, fmt.Sprint("hub", i), accounts)
		runProgram(t, "import", "graph", "--dir", filepath.Join(tmp, "db"), star)
		args := []string{"backup", "--dir", filepath.Join(tmp, "db"), file}
		if i > 0 {
			args = append(args, "--since", files[i-1])
		}
		runProgram(t, args...)
		files = append(files, file)
	}
	var whole [2]time.Duration
	killed, unfinished := 0, 0
	for round := 0; round < 2+rounds || killed == 0 && round < 100; round++ {
		engine := round % 2
		dir := filepath.Join(tmp, fmt.Sprint("restored", round))
		args := append([]string{"restore", "--dir", dir, "--store", []string{database.Pebble, database.Bbolt}[engine]},
			files...)
		cmd := exec.Command("uproar", args...)
		start := time.Now()
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		if round >= 2 {
			time.AfterFunc(time.Duration(rand.Float64()*float64(whole[engine])), func() { _ = cmd.Process.Kill() })
		}
		if err := cmd.Wait(); err != nil {
			killed++
			if round < 2 {
				t.Fatal(err)
			}
			db, err := database.Open(t.Context(), dir, database.Detect, true, new(uproar.Options))
			switch {
			case errors.Is(err, uproar.ErrRestoring):
				unfinished++
			case err != nil:
				t.Errorf("opening what a killed restore has left: %v", err)
			default: // a whole one, or nothing was written yet
				if names := db.Indexes(); len(names) > 0 {
					if err := db.Verify(t.Context(), nil); err != nil {
						t.Error(err)
					}
				}
				if err := db.Close(); err != nil {
					t.Error(err)
				}
				continue
			}
			runProgram(t, args...)
		} else if round < 2 {
			whole[engine] = time.Since(start)
		}
		inspectGraph(t, dir, func(g *graph.Graph) {
			for i := range files {
				if !checkStar(t, g, fmt.Sprint("hub", i), accounts) {
					t.Errorf("hub%d is not there", i)
				}
			}
		})
	}
	if killed == 0 {
		t.Error("no restore was killed before its end: nothing was tested")
	}
	t.Logf("%d restores were killed, %d of them before their end", killed, unfinished)
}

// TestBackupIntoClosedPipe closes the pipe that a backup goes into: the program ends in good order.
func TestBackupIntoClosedPipe(t *testing.T) {
	tmp := t.TempDir()
	star := filepath.Join(tmp, "star.tsv")
	writeStar(t, star, "hub", 40_000)
	runProgram(t, "import", "graph", "--dir", filepath.Join(tmp, "db"), star)
	cmd := exec.Command("uproar", "backup", "--dir", filepath.Join(tmp, "db"), "-")
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	if _, err := io.ReadFull(out, make([]byte, 100)); err != nil {
		t.Fatal(err)
	}
	if err := out.Close(); err != nil {
		t.Fatal(err)
	}
	var exit *exec.ExitError
	if err := cmd.Wait(); !errors.As(err, &exit) || exit.ExitCode() != exitFailure {
		t.Errorf("got %v, want exit code %d", err, exitFailure)
	}
	runProgram(t, "verify", "--dir", filepath.Join(tmp, "db"))
}
