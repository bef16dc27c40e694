// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package standing

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"math/rand/v2"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/uproar-db/uproar"
	"github.com/uproar-db/uproar/store/pebblestore"
)

// What the child is told.
const (
	killedDir  = "UPROAR_TEST_STANDING_DIR"  // the database
	killedSeed = "UPROAR_TEST_STANDING_SEED" // of the batches
	killedLast = "UPROAR_TEST_STANDING_LAST" // the batch after which it writes no more
	killedFrom = "UPROAR_TEST_STANDING_FROM" // the position of each query
)

// counter is the record that has the number of the last batch: each batch is one commit.
const counter = "counter"

// killedOps returns the writes of the batch of a number, the same each time.
func killedOps(seed, number uint64) []op {
	return append(randomOps(rand.New(rand.NewPCG(seed, number))), op{uproar.ChangeSet, "batch", counter,
		strconv.FormatUint(number, 10)})
}

// openKilled opens the database, and makes index and queries where there are none.
func openKilled(ctx context.Context, dir string) (*uproar.DB, *uproar.Index, error) {
	s, err := pebblestore.Open(dir, nil)
	if err != nil {
		return nil, nil, err
	}
	db, err := uproar.Open(ctx, s, nil)
	if err != nil {
		return nil, nil, errors.Join(err, s.Close())
	}
	ix, err := db.Index("people")
	if errors.Is(err, uproar.ErrUnknownIndex) {
		fields := append(slices.Clone(peopleFields), uproar.Field{Name: "batch", Type: uproar.Integer})
		if ix, err = db.CreateIndex(ctx, "people", fields...); err == nil {
			var b uproar.Batch
			b.Set(uproar.SavedField, "p1", "vips")
			_, err = ix.Write(ctx, &b)
		}
		for name, text := range peopleQueries {
			if err == nil {
				err = Set(ctx, db, "people", name, text)
			}
		}
	}
	return db, ix, err
}

// batchesOf returns how many batches an index has.
func batchesOf(ix *uproar.Index) (uint64, error) {
	s := ix.Snapshot()
	defer s.Close()
	n, _, err := s.Int("batch", counter)
	if errors.Is(err, uproar.ErrUnknownRecord) {
		return 0, nil
	}
	return uint64(n), err
}

// TestKilledChild is the child of TestKilled: it keeps the queries, writes, flushes, and says which
// events it reads, until it is killed.
func TestKilledChild(t *testing.T) {
	dir := os.Getenv(killedDir)
	if dir == "" {
		t.Skip("runs as a child of TestKilled")
	}
	number := func(name string) uint64 {
		n, err := strconv.ParseUint(os.Getenv(name), 10, 64)
		must(t, err)
		return n
	}
	seed, last := number(killedSeed), number(killedLast)
	db, ix, err := openKilled(t.Context(), dir)
	must(t, err)
	go Keep(t.Context(), db, slog.New(slog.NewTextHandler(os.Stderr, nil)))
	var out sync.Mutex
	say := func(format string, args ...any) {
		out.Lock()
		defer out.Unlock()
		fmt.Printf(format+"\n", args...)
	}
	members, err := Members(t.Context(), db, "people")
	must(t, err)
	for _, word := range strings.Fields(os.Getenv(killedFrom)) {
		name, text, _ := strings.Cut(word, "=")
		after, err := strconv.ParseUint(text, 10, 64)
		must(t, err)
		go func() {
			for {
				for e, err := range Events(t.Context(), members, name, after) {
					if err != nil {
						say("error %s: %v", name, err)
						return
					}
					after = e.Position
					say("event %s %s", name, textOf(e))
				}
				if err := members.Wait(t.Context(), after); err != nil {
					say("error %s: %v", name, err)
				}
				time.Sleep(time.Millisecond)
			}
		}()
	}
	say("opened")
	n, err := batchesOf(ix)
	must(t, err)
	for n++; n <= last; n++ {
		_, err := ix.Write(t.Context(), batchOf(killedOps(seed, n)))
		must(t, err)
		if rand.IntN(300) == 0 {
			must(t, ix.Flush(t.Context()))
		}
		if rand.IntN(500) == 0 {
			must(t, members.Flush(t.Context()))
		}
		say("wrote %d", n)
	}
	time.Sleep(time.Hour) // until it is killed
}

// textOf returns an event as one word each.
func textOf(e Event) string {
	return fmt.Sprintf("%d %d %q %q", e.Position, e.AsOf, e.Entered, e.Left)
}

// killed is what the parent knows.
type killed struct {
	t        *testing.T
	dir      string
	seed     uint64
	read     uint64 // batches that the model has
	first    uint64 // commits before the first batch
	m        model
	wanted   map[uint64]map[string]map[string]bool // by commit and query
	follow   map[string]*follower
	heard    map[string][]string // events that the child said, of each query
	told     uint64              // the commit that the results were of, when the last child had been killed
	position uint64              // the last one then
	together uint64              // changes of a query that came with others, after a kill
	apart    uint64              // those that came by themselves
}

// TestKilled kills a process that keeps standing queries while it writes. It follows them by
// position from process to process, and holds each event to a plain model of all commits: none is
// missing, none comes twice, and but for those that wait for the next process each commit has its
// own.
func TestKilled(t *testing.T) {
	kills, batches := 6, uint64(2_000)
	switch text := os.Getenv("UPROAR_KILLS"); {
	case text != "":
		n, err := strconv.Atoi(text)
		if err != nil || n < 1 {
			t.Fatalf("UPROAR_KILLS: got %q, want a number above 0", text)
		}
		kills, batches = n, uint64(1000*n)
	case testing.Short():
		kills, batches = 3, 600
	case os.Getenv("UPROAR_LONG") == "1":
		kills, batches = 100, 100_000
	}
	k := &killed{t: t, dir: t.TempDir(), seed: rand.Uint64(), m: make(model), heard: make(map[string][]string),
		wanted: make(map[uint64]map[string]map[string]bool), follow: make(map[string]*follower)}
	t.Logf("seed %d", k.seed)
	k.m.apply([]op{{uproar.ChangeSet, uproar.SavedField, "p1", "vips"}})
	for name := range peopleQueries {
		k.follow[name] = newFollower(name)
	}
	db, ix, err := openKilled(t.Context(), k.dir)
	must(t, err)
	s := ix.Snapshot()
	k.first = s.Sequence()
	s.Close()
	must(t, db.Close())
	k.wanted[k.first] = k.m.findAll(t)
	for kill := range kills {
		k.run(batches*uint64(kill+1)/uint64(kills), kill%2 == 0)
		k.check(kill == kills-1)
	}
	events := 0
	for _, f := range k.follow {
		events += f.events
	}
	t.Logf("%d kills, %d commits, %d events; %d changes of a query came by themselves, %d with others after a kill",
		kills, k.read, events, k.apart, k.together)
	if k.read < batches/2 || k.apart == 0 || !testing.Short() && k.apart < k.together/2 {
		t.Errorf("this tests too little")
	}
}

// run starts a child, and kills it when it has written up to a batch: at once, or some time later.
func (k *killed) run(last uint64, atOnce bool) {
	k.t.Helper()
	var from []string
	for name, f := range k.follow {
		from = append(from, fmt.Sprintf("%s=%d", name, f.position))
	}
	cmd := exec.Command(os.Args[0], "-test.run=^TestKilledChild$", "-test.timeout=0")
	cmd.Env = append(os.Environ(), killedDir+"="+k.dir, fmt.Sprintf("%s=%d", killedSeed, k.seed),
		fmt.Sprintf("%s=%d", killedLast, last+1_000_000), killedFrom+"="+strings.Join(from, " "))
	if !atOnce {
		cmd.Env = append(cmd.Env, fmt.Sprintf("%s=%d", killedLast, last))
	}
	cmd.Stderr = os.Stderr
	stdout, err := cmd.StdoutPipe()
	must(k.t, err)
	must(k.t, cmd.Start())
	limit := time.AfterFunc(10*time.Minute, func() { _ = cmd.Process.Kill() })
	defer limit.Stop()
	lines := bufio.NewReader(stdout)
	for {
		line, err := lines.ReadString('\n')
		if err != nil {
			break // killed: what stands before the end of a line was not said
		}
		line = strings.TrimSuffix(line, "\n")
		word, rest, _ := strings.Cut(line, " ")
		switch word {
		case "opened":
		case "event":
			name, event, _ := strings.Cut(rest, " ")
			k.heard[name] = append(k.heard[name], event)
		case "wrote":
			n, err := strconv.ParseUint(rest, 10, 64)
			must(k.t, err)
			if n == last {
				time.AfterFunc(rand.N(100*time.Millisecond), func() { _ = cmd.Process.Kill() })
			}
		default:
			k.t.Errorf("the child said %q", line)
			_ = cmd.Process.Kill()
		}
	}
	var exit *exec.ExitError
	if err := cmd.Wait(); !errors.As(err, &exit) || exit.ExitCode() >= 0 {
		k.t.Fatalf("the child ended by itself: %v", err)
	}
}

// check opens what a killed child has left, and reads the events behind those of the last check. In
// the end it first brings the queries to the last commit.
func (k *killed) check(end bool) {
	k.t.Helper()
	t := k.t
	db, ix, err := openKilled(t.Context(), k.dir)
	must(t, err)
	defer func() { must(t, db.Close()) }()
	n, err := batchesOf(ix)
	must(t, err)
	s := ix.Snapshot()
	last := s.Sequence()
	s.Close()
	if last != k.first+n {
		t.Fatalf("got %d commits of %d batches, want %d", last, n, k.first+n)
	}
	for k.read < n {
		k.read++
		k.m.apply(killedOps(k.seed, k.read))
		k.wanted[k.first+k.read] = k.m.findAll(t)
	}
	members, err := Members(t.Context(), db, "people")
	must(t, err)
	m := members.Snapshot()
	before := m.Sequence()
	told, _, err := asOf(m)
	m.Close()
	must(t, err)
	ctx, stop := context.WithCancel(t.Context())
	var keeper sync.WaitGroup
	if end {
		keeper.Go(func() { Keep(ctx, db, slog.New(slog.DiscardHandler)) })
		awaitResults(t, db, k.wanted[last])
	}
	resumed := k.resumed(members)
	for name, f := range k.follow {
		k.readEvents(name, f, members)
		for commit := k.told + 1; commit <= told && !several[name]; commit++ {
			switch changed := !maps.Equal(k.wanted[commit][name], k.wanted[commit-1][name]); {
			case changed && f.told[commit]:
				k.apart++
			case changed && commit > resumed:
				t.Fatalf("%s: commit %d has changed it, and has no event", name, commit)
			case changed:
				k.together++
			}
		}
		if want := k.wanted[last][name]; end && !maps.Equal(f.found, want) {
			t.Fatalf("%s in the end: got %v, want %v", name, f.found, want)
		}
	}
	stop()
	keeper.Wait()
	maps.DeleteFunc(k.wanted, func(commit uint64, _ map[string]map[string]bool) bool { return commit < told })
	k.told, k.position = told, before
}

// readEvents reads the events of a query behind those of the last check: what the child said of
// them before it was killed is still so.
func (k *killed) readEvents(name string, f *follower, members *uproar.Index) {
	t, heard := k.t, k.heard[name]
	t.Helper()
	k.heard[name] = nil
	for e, err := range Events(t.Context(), members, name, f.position) {
		must(t, err)
		if len(heard) > 0 {
			if heard[0] != textOf(e) {
				t.Fatalf("%s: the child read %s before it was killed, now there is %s", name, heard[0], textOf(e))
			}
			heard = heard[1:]
		}
		must(t, f.apply(e, func(commit uint64) (map[string]bool, bool) {
			want, ok := k.wanted[commit]
			if !ok {
				t.Fatalf("%s: got an event as of commit %d, which there is not", name, commit)
			}
			return want[name], true
		}))
	}
	if len(heard) > 0 {
		t.Fatalf("%s: the child read %s before it was killed, and it is not there now", name, heard[0])
	}
}

// resumed returns up to which commit the first round since the last check has come.
func (k *killed) resumed(members *uproar.Index) (commit uint64) {
	k.t.Helper()
	for c, err := range members.Changes(k.t.Context(), k.position) {
		must(k.t, err)
		for _, x := range c.Changes {
			if x.Field == asOfField && x.Kind == uproar.ChangeSet {
				commit, err = strconv.ParseUint(x.Value, 10, 64)
				must(k.t, err)
				return commit
			}
		}
	}
	return 0
}
