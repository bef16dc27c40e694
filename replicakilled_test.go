// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package uproar_test

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/uproar-db/uproar"
	"github.com/uproar-db/uproar/query"
	"github.com/uproar-db/uproar/store/pebblestore"
	"github.com/uproar-db/uproar/store/ship"
	"github.com/uproar-db/uproar/store/ship/folder"
)

// replicaKilled is set in the children of TestReplicaKilled: folder of the log, folder, name.
const replicaKilled = "UPROAR_TEST_REPLICA"

// openCopy opens a copy over Pebble of the database whose log is in a folder.
func openCopy(ctx context.Context, log, dir, name string, role ship.Role) (*uproar.DB, *ship.Store, error) {
	e, err := folder.Open(log)
	if err != nil {
		return nil, nil, err
	}
	local, err := pebblestore.Open(dir, nil)
	if err != nil {
		return nil, nil, err
	}
	s, err := ship.Open(ctx, local, e, ship.Options{Role: role, Unchecked: true, Node: ship.Node{ID: name},
		Poll: 5 * time.Millisecond, Heartbeat: 100 * time.Millisecond, CheckpointEvery: time.Second,
		Keep: time.Minute})
	if err != nil {
		return nil, nil, errors.Join(err, local.Close())
	}
	db, err := uproar.Open(ctx, s, &uproar.Options{MemoryBytes: 16 << 20, DeltaBytes: 128 << 10})
	if err != nil {
		return nil, nil, errors.Join(err, s.Close())
	}
	return db, s, nil
}

// TestReplicaKilledChild is a child of TestReplicaKilled: it writes for as long as it leads, says
// what was acknowledged, and looks all the time whether a state is torn. It never returns.
func TestReplicaKilledChild(t *testing.T) {
	log, rest, ok := strings.Cut(os.Getenv(replicaKilled), "|")
	if !ok {
		t.Skip("runs as a child of TestReplicaKilled")
	}
	dir, name, _ := strings.Cut(rest, "|")
	db, _, err := openCopy(t.Context(), log, dir, name, ship.Auto)
	if err != nil {
		fmt.Println("error opening:", err)
		os.Exit(1)
	}
	var said sync.Mutex
	say := func(format string, args ...any) {
		said.Lock()
		defer said.Unlock()
		fmt.Printf(format+"\n", args...)
	}
	torn, err := query.Parse("f = a and not f = b or f = b and not f = a")
	if err != nil {
		fmt.Println("error:", err)
		os.Exit(1)
	}
	go func() {
		for {
			if ix, err := db.Index("x"); err == nil {
				snap := ix.Snapshot()
				n, err := snap.Count(t.Context(), torn)
				snap.Close()
				if err != nil && !errors.Is(err, uproar.ErrClosed) || n != 0 {
					say("error: %d records torn, %v", n, err)
				}
			}
			time.Sleep(time.Millisecond)
		}
	}()
	if !db.ReadOnly() {
		_, _ = db.CreateIndex(t.Context(), "x", uproar.Field{Name: "f", Type: uproar.Set}) // it may be there
	}
	for w := range 4 {
		go func() {
			for n := 0; ; n++ {
				ix, err := db.Index("x")
				if err != nil && !db.ReadOnly() {
					_, err = db.CreateIndex(t.Context(), "x", uproar.Field{Name: "f", Type: uproar.Set})
				}
				if err != nil || ix == nil {
					time.Sleep(time.Millisecond)
					continue
				}
				key := fmt.Sprintf("%s-%d-%d-%d", name, os.Getpid(), w, n)
				var b uproar.Batch
				b.Set("f", key, "a")
				b.Set("f", key, "b")
				switch _, err := ix.Write(t.Context(), &b); {
				case err == nil:
					say("ack %s", key)
				case errors.Is(err, uproar.ErrReadOnly):
					time.Sleep(time.Millisecond)
				default:
					say("refused: %v", err)
					time.Sleep(10 * time.Millisecond)
				}
			}
		}()
	}
	select {}
}

// TestReplicaKilled kills three processes with copies of one database at random, again and again,
// while whichever leads is written to and all are read. Nothing acknowledged is lost, on any copy,
// and no state is torn.
func TestReplicaKilled(t *testing.T) {
	if testing.Short() {
		t.Skip("takes some seconds")
	}
	kills := 15
	if n, err := strconv.Atoi(os.Getenv("UPROAR_KILLS")); err == nil {
		kills = n
	}
	dir := t.TempDir()
	log := filepath.Join(dir, "log")
	var mu sync.Mutex
	acknowledged := make(map[string]bool)
	writers := make(map[string]bool) // processes that had a write acknowledged
	var readers sync.WaitGroup
	start := func(name string) *exec.Cmd {
		c := exec.CommandContext(t.Context(), os.Args[0], "-test.run", "^TestReplicaKilledChild$", "-test.timeout", "0")
		c.Env = append(os.Environ(), fmt.Sprintf("%s=%s|%s|%s", replicaKilled, log, filepath.Join(dir, name), name))
		out, err := c.StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := c.Start(); err != nil {
			t.Fatal(err)
		}
		readers.Go(func() {
			for lines := bufio.NewScanner(out); lines.Scan(); {
				if key, ok := strings.CutPrefix(lines.Text(), "ack "); ok {
					mu.Lock()
					acknowledged[key] = true
					writers[fmt.Sprint(name, c.Process.Pid)] = true
					mu.Unlock()
				} else if strings.HasPrefix(lines.Text(), "error") {
					t.Errorf("%s: %s", name, lines.Text())
				}
			}
		})
		return c
	}
	names := []string{"one", "two", "three"}
	children := make([]*exec.Cmd, len(names))
	for i, name := range names {
		children[i] = start(name)
	}
	rng := rand.New(rand.NewPCG(7, 8))
	for range kills {
		time.Sleep(time.Duration(300+rng.IntN(900)) * time.Millisecond)
		i := rng.IntN(len(children))
		_ = children[i].Process.Kill()
		_ = children[i].Wait()
		children[i] = start(names[i])
	}
	time.Sleep(time.Second)
	for _, c := range children {
		_ = c.Process.Kill()
		_ = c.Wait()
	}
	readers.Wait()
	names = append(names, "fresh")
	for _, name := range names {
		db, _, err := openCopy(t.Context(), log, filepath.Join(dir, name), name, ship.Reader)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		ix, err := db.Index("x")
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		snap := ix.Snapshot()
		lost := 0
		for key := range acknowledged {
			if _, err := snap.ID(key); err != nil {
				lost++
			}
		}
		snap.Close()
		if lost > 0 {
			t.Errorf("%s: %d of %d acknowledged records are lost", name, lost, len(acknowledged))
		}
		if a, b := countIn(t, ix, "f = a"), countIn(t, ix, "f = b"); a != b || a < uint64(len(acknowledged)) {
			t.Errorf("%s: got %d records with a and %d with b, want as many, and at least %d", name, a, b,
				len(acknowledged))
		}
		if err := db.Verify(t.Context(), nil); err != nil {
			t.Errorf("%s: Verify: %v", name, err)
		}
		if err := db.Close(); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	if len(writers) < 3 || len(acknowledged) < 100 {
		t.Errorf("got %d acknowledged writes of %d processes, want more, or this shows nothing", len(acknowledged),
			len(writers))
	}
	t.Logf("%d kills, %d processes wrote, %d writes acknowledged", kills, len(writers), len(acknowledged))
}
