// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package follow

import (
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"testing"
	"time"

	"github.com/uproar-db/uproar"
	"github.com/uproar-db/uproar/apps/graph"
	"github.com/uproar-db/uproar/apps/graph/live"
	"github.com/uproar-db/uproar/apps/graph/live/livetest"
	"github.com/uproar-db/uproar/apps/graph/live/wire"
	"github.com/uproar-db/uproar/cmd/uproar/database"
	"github.com/uproar-db/uproar/cmd/uproar/terminal"
)

// What a child follows, and where to.
const (
	childSource = "UPROAR_FOLLOW_SOURCE"
	childDir    = "UPROAR_FOLLOW_DIR"
)

// TestMain is the tests, or a child that follows until it is killed.
func TestMain(m *testing.M) {
	source := os.Getenv(childSource)
	if source == "" {
		os.Exit(m.Run())
	}
	c := &Command{Source: source, Dir: os.Getenv(childDir), Window: 2 * time.Millisecond}
	c.Store = database.Detect
	err := c.Run(context.Background(), &terminal.Console{Out: io.Discard, Err: os.Stderr})
	fmt.Fprintln(os.Stderr, err)
	os.Exit(1)
}

// TestKilled: after each SIGKILL the graph is the network at the position that it has.
func TestKilled(t *testing.T) {
	t.Parallel()
	n := livetest.NewNetwork(31, 8)
	n.Add(livetest.Entry{Account: n.Accounts()[0], Kind: "account"})
	s := livetest.NewJetstream(n, 32)
	defer s.Close()
	s.Break = 300
	source, err := wire.Open(s.URL(2))
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	withGraph(t, dir, func(g *graph.Graph) {
		if _, err := g.Write(t.Context(), graph.Changes{Stream: source.Name(), Position: 1}); err != nil {
			t.Fatal(err)
		}
	})
	kills := 3
	if !testing.Short() {
		kills = 12
	}
	random := rand.New(rand.NewPCG(33, 34))
	moved := int64(0)
	for range kills {
		before := len(s.Requests())
		child := exec.Command(os.Args[0])
		child.Env = append(os.Environ(), childSource+"="+s.URL(2), childDir+"="+dir)
		if err := child.Start(); err != nil {
			t.Fatal(err)
		}
		for deadline := time.Now().Add(20 * time.Second); len(s.Requests()) == before; {
			if time.Now().After(deadline) {
				t.Fatal("the child does not connect")
			}
			time.Sleep(time.Millisecond)
		}
		for end := time.Now().Add(time.Duration(20+random.IntN(150)) * time.Millisecond); time.Now().Before(end); {
			n.Step()
			time.Sleep(200 * time.Microsecond)
		}
		if err := child.Process.Kill(); err != nil {
			t.Fatal(err)
		}
		_ = child.Wait()
		withGraph(t, dir, func(g *graph.Graph) {
			position, _, err := g.Position(source.Name())
			if err != nil {
				t.Fatal(err)
			}
			moved = max(moved, position)
			for _, account := range n.Accounts() {
				compareAt(t, live.Graph(g), n, account, position)
			}
		})
	}
	if moved < 20 {
		t.Errorf("got position %d after all kills, want one that moves", moved)
	}
}

// withGraph opens the graph in a folder.
func withGraph(t *testing.T, dir string, use func(g *graph.Graph)) {
	t.Helper()
	db, err := database.Open(t.Context(), dir, database.Detect, true, &uproar.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	g, err := graph.OpenWith(t.Context(), db, graph.Options{Keyed: live.Keyed})
	if err != nil {
		t.Fatal(err)
	}
	use(g)
}
