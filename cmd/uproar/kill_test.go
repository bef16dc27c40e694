// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/uproar-db/uproar"
	"github.com/uproar-db/uproar/api"
	"github.com/uproar-db/uproar/apps/graph"
	"github.com/uproar-db/uproar/cmd/uproar/database"
	"github.com/uproar-db/uproar/internal/processor"
	"github.com/uproar-db/uproar/query"
)

// Processes are killed at random moments, as kill -9 does, and what they had acknowledged must be
// there afterwards.

// killRounds returns the usual number of kills, three times as many with UPROAR_LONG=1, or what
// UPROAR_KILLS says.
func killRounds(t *testing.T, usual int) int {
	t.Helper()
	text := os.Getenv("UPROAR_KILLS")
	if text == "" {
		if os.Getenv("UPROAR_LONG") == "1" {
			usual *= 3
		}
		return usual
	}
	n, err := strconv.Atoi(text)
	if err != nil || n < 1 {
		t.Fatalf("UPROAR_KILLS: got %q, want a number above 0", text)
	}
	return n
}

// openLimit is how long a processor may work at opening, however a process ended. openPatience is
// how long opening may take with all its waits, on a machine that does much else.
const (
	openLimit    = 5 * time.Second
	openPatience = time.Minute
)

// roundsPerFolder is how many kills a database has to bear before the next gets a folder of its
// own: each round reads all of it.
const roundsPerFolder = 25

// inspectGraph opens a database that nobody has open, verifies it, and asks it.
func inspectGraph(t *testing.T, dir string, fn func(*graph.Graph)) {
	t.Helper()
	opening := processor.Begin()
	db, err := database.Open(t.Context(), dir, database.Detect, true, new(uproar.Options))
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := db.Close(); err != nil {
			t.Error(err)
		}
	}()
	if took, used := opening.Took(); used > openLimit || took > openPatience {
		t.Errorf("opening took %v, of which a processor worked %v, want at most %v and %v", took, used, openPatience,
			openLimit)
	}
	if err := db.Verify(t.Context(), nil); err != nil {
		t.Error(err)
	}
	g, err := graph.Open(t.Context(), db)
	if err != nil {
		t.Fatal(err)
	}
	fn(g)
}

// writeStar writes an edge list in which many follow one, and back.
func writeStar(t *testing.T, file, hub string, accounts int) {
	t.Helper()
	var b bytes.Buffer
	for i := range accounts {
		fmt.Fprintf(&b, "%s-%d\t%s\n%s\t%s-%d\n", hub, i, hub, hub, hub, i)
	}
	if err := os.WriteFile(file, b.Bytes(), 0o644); err != nil {
		t.Fatal(err)
	}
}

// checkStar reports whether a star is there, and fails if it is there in part.
func checkStar(t *testing.T, g *graph.Graph, hub string, accounts int) bool {
	t.Helper()
	s := g.Index().Snapshot()
	defer s.Close()
	count := func(field string) uint64 {
		n, err := s.Count(t.Context(), query.Related{Field: field, Key: hub})
		if err != nil && !errors.Is(err, uproar.ErrUnknownRecord) {
			t.Fatal(err)
		}
		return n
	}
	followers, following := count(graph.FollowersField), count(graph.FollowsField)
	if followers != following || followers != 0 && followers != uint64(accounts) {
		t.Errorf("%s: got %d followers and %d following, want none or %d of each", hub, followers, following, accounts)
	}
	for _, i := range []int{0, accounts / 2, accounts - 1} {
		has, err := s.Has(graph.FollowsField, fmt.Sprintf("%s-%d", hub, i), hub)
		if err != nil && !errors.Is(err, uproar.ErrUnknownRecord) {
			t.Fatal(err)
		}
		if has != (followers > 0) {
			t.Errorf("%s: its follower %d is there: %v, its %d followers: %v", hub, i, has, accounts, followers > 0)
		}
	}
	return followers > 0
}

func TestKilledImport(t *testing.T) {
	rounds, accounts := 5, 60_000
	if testing.Short() {
		rounds, accounts = 3, 15_000
	}
	rounds = killRounds(t, rounds)
	dir, there := "", map[string]bool{}
	var whole time.Duration // of an import that nobody killed
	killed := 0
	for round := 0; round < rounds || killed == 0 && round < 100; round++ {
		if round%roundsPerFolder == 0 {
			dir, there = filepath.Join(t.TempDir(), "db"), map[string]bool{}
		}
		hub := fmt.Sprint("hub", round)
		file := filepath.Join(t.TempDir(), "star.tsv")
		writeStar(t, file, hub, accounts)
		cmd := exec.Command("uproar", "import", "graph", "--dir", dir, file)
		start := time.Now()
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		if round > 0 {
			time.AfterFunc(time.Duration(rand.Float64()*float64(whole)), func() { _ = cmd.Process.Kill() })
		}
		acknowledged := cmd.Wait() == nil
		if round == 0 {
			whole = time.Since(start)
		}
		if !acknowledged {
			killed++
		}
		inspectGraph(t, dir, func(g *graph.Graph) {
			there[hub] = checkStar(t, g, hub, accounts)
			if acknowledged && !there[hub] {
				t.Errorf("%s: the import exited with 0, and nothing is there", hub)
			}
			for earlier, was := range there {
				if is := checkStar(t, g, earlier, accounts); is != was {
					t.Errorf("%s: is there: %v, want %v as after its round; now it is %s's", earlier, is, was, hub)
				}
			}
		})
	}
	if killed == 0 {
		t.Error("no import was killed before its end: nothing was tested")
	}
	t.Logf("%d imports were killed before their end; a whole one took %v", killed, whole)
}

// follower writes follows to a server, and remembers what it was told.
type follower struct {
	name string
	want map[string]bool // account: whether its follows are there; absent where nobody knows
	sent map[string]bool // every account
	acks *atomic.Int64
}

// batchTargets are what the accounts of a batch follow: all three or none.
var batchTargets = []string{"north", "east", "west"}

// write writes until the server is gone. Every fourth batch takes back an earlier one.
func (f *follower) write(ctx context.Context, url string) {
	var last string
	for n := 0; ; n++ {
		account, call, set := fmt.Sprintf("%s-%d", f.name, n), "follow", true
		if n%4 == 3 && last != "" {
			account, call, set = last, "unfollow", false
		}
		f.sent[account] = true
		delete(f.want, account) // until it is acknowledged, either may be
		if !f.post(ctx, url+"/v1/graph/"+call, account) {
			return
		}
		f.want[account] = set
		f.acks.Add(1)
		last = account
	}
}

// post sends a batch, and reports whether it was acknowledged.
func (f *follower) post(ctx context.Context, url, account string) bool {
	var req api.FollowRequest
	for _, target := range batchTargets {
		req.Follows = append(req.Follows, api.Follow{Account: account, Target: target})
	}
	body, err := json.Marshal(req)
	if err != nil {
		return false
	}
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, url, bytes.NewReader(body))
	if err != nil {
		return false
	}
	r.Header.Set("Content-Type", "application/json")
	resp, err := http.DefaultClient.Do(r)
	if err != nil {
		return false
	}
	defer resp.Body.Close()
	var ack api.WriteReply
	return resp.StatusCode == http.StatusOK && json.NewDecoder(resp.Body).Decode(&ack) == nil && ack.Sequence > 0
}

// check compares the database with what the follower was told.
func (f *follower) check(t *testing.T, s uproar.Snapshot) {
	t.Helper()
	for account := range f.sent {
		n := 0
		for _, target := range batchTargets {
			has, err := s.Has(graph.FollowsField, account, target)
			if err != nil && !errors.Is(err, uproar.ErrUnknownRecord) {
				t.Fatal(err)
			}
			back, err := s.Has(graph.FollowersField, target, account)
			if err != nil && !errors.Is(err, uproar.ErrUnknownRecord) {
				t.Fatal(err)
			}
			if has != back {
				t.Errorf("%s follows %s: %v, and the inverse says %v", account, target, has, back)
			}
			if has {
				n++
			}
		}
		want, known := f.want[account]
		switch {
		case n != 0 && n != len(batchTargets):
			t.Errorf("%s: %d follows of a batch of %d are there", account, n, len(batchTargets))
		case known && want != (n > 0):
			t.Errorf("%s: its follows are there: %v, acknowledged was %v", account, n > 0, want)
		}
	}
}

// startServer starts a server in a process of its own, and returns its address.
func startServer(t *testing.T, dir string, flags ...string) (cmd *exec.Cmd, url string) {
	t.Helper()
	cmd = exec.Command("uproar",
		append([]string{"serve", "--dir", dir, "--addr", "127.0.0.1:0", "--log-format", "json"},
			flags...)...)
	return cmd, served(t, cmd)
}

// served starts a command that is a server, and returns its address.
func served(t *testing.T, cmd *exec.Cmd) (url string) {
	t.Helper()
	pipe, err := cmd.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = cmd.Process.Kill() })
	log := bufio.NewReader(pipe)
	var said bytes.Buffer
	for {
		line, err := log.ReadBytes('\n')
		said.Write(line)
		if err != nil {
			t.Fatalf("the server said no address: %v; it said:\n%s", err, said.Bytes())
		}
		var entry struct{ Msg, URL string }
		if json.Unmarshal(line, &entry) == nil && entry.Msg == "serving" {
			go func() { _, _ = io.Copy(io.Discard, log) }()
			return entry.URL
		}
	}
}

func TestKilledServer(t *testing.T) {
	rounds, longest := 5, time.Second
	if testing.Short() {
		rounds, longest = 2, 400*time.Millisecond
	}
	rounds = killRounds(t, rounds)
	dir := ""
	var all []*follower
	var acks atomic.Int64
	for round := range rounds {
		if round%roundsPerFolder == 0 {
			dir, all = filepath.Join(t.TempDir(), "db"), nil
		}
		before := acks.Load()
		// small, so that it flushes again and again while it is written to
		cmd, url := startServer(t, dir, "--delta", "64KiB")
		ctx, cancel := context.WithTimeout(t.Context(), 3*time.Minute)
		var writers sync.WaitGroup
		for i := range 4 {
			f := &follower{name: fmt.Sprintf("r%dw%d", round, i), want: map[string]bool{}, sent: map[string]bool{},
				acks: &acks}
			all = append(all, f)
			writers.Go(func() { f.write(ctx, url) })
		}
		for acks.Load() < before+20 && ctx.Err() == nil {
			time.Sleep(time.Millisecond)
		}
		time.Sleep(rand.N(longest))
		if err := cmd.Process.Kill(); err != nil {
			t.Fatal(err)
		}
		writers.Wait()
		cancel()
		_ = cmd.Wait() // killed
		http.DefaultClient.CloseIdleConnections()
		inspectGraph(t, dir, func(g *graph.Graph) {
			s := g.Index().Snapshot()
			defer s.Close()
			for _, f := range all {
				f.check(t, s)
			}
		})
		if acks.Load() < before+20 {
			t.Fatalf("round %d: %d writes were acknowledged within three minutes, want 20 to test anything", round,
				acks.Load()-before)
		}
	}
	t.Logf("%d batches were acknowledged in %d rounds", acks.Load(), rounds)
}
