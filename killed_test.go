// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package uproar_test

import (
	"bufio"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/uproar-db/uproar"
	"github.com/uproar-db/uproar/internal/processor"
	"github.com/uproar-db/uproar/query"
	"github.com/uproar-db/uproar/store/pebblestore"
)

// Phases of the child in which a kill may land. Merging and collecting go on at the same time.
const (
	phaseOpening    = "opening"
	phaseWriting    = "writing"    // and nothing else
	phaseFlush      = "flush"      // until the manifest is installed
	phaseLoad       = "load"       // until the manifest is installed
	phaseCheckpoint = "checkpoint" // of the manifest, and trimming of the log
	phaseCollect    = "collection" // of garbage in the store
)

var killPhases = []string{phaseOpening, phaseWriting, phaseFlush, phaseLoad, phaseCheckpoint, phaseCollect}

// openLimit bounds the processor time of opening, however a process ended. openPatience bounds its
// duration with all waiting, on a machine that does much else.
const (
	openLimit    = 5 * time.Second
	openPatience = time.Minute
)

// killRounds returns the usual number of kills, ten times as many with UPROAR_LONG=1, or what
// UPROAR_KILLS says.
func killRounds(t *testing.T, usual int) int {
	t.Helper()
	text := os.Getenv("UPROAR_KILLS")
	if text == "" {
		if os.Getenv("UPROAR_LONG") == "1" {
			usual *= 10
		}
		return usual
	}
	n, err := strconv.Atoi(text)
	if err != nil || n < 1 {
		t.Fatalf("UPROAR_KILLS: got %q, want a number above 0", text)
	}
	return n
}

// killed is what the parent knows of the database that its children write to.
type killed struct {
	dir          string
	l            *ledger
	acknowledged []int // of each mover, its last batch
	// children since the database was last looked at: each may have written a batch that it could
	// not tell of
	runs      int
	loads     []*bool         // whether they are there; nil where nobody knows
	landed    map[string]int  // kills in each phase
	active    map[string]bool // phases that the child is in
	since     map[string]time.Time
	usual     map[string]time.Duration // how long a phase takes
	slowest   time.Duration            // opening
	compacted int                      // how often
}

// openLedger opens the database in a folder, and makes it where there is none.
func openLedger(t *testing.T, dir string, l *ledger, opts *uproar.Options) (*uproar.DB, *pebblestore.Store, error) {
	s, err := pebblestore.Open(dir, nil)
	if err != nil {
		return nil, nil, err
	}
	db, err := uproar.Open(t.Context(), s, opts)
	if err != nil {
		return nil, nil, errors.Join(err, s.Close())
	}
	if l.ix, err = db.Index("ledger"); err != nil {
		err = l.create(t.Context(), db)
	}
	if err != nil {
		return nil, nil, errors.Join(err, db.Close())
	}
	return db, s, nil
}

func killedLedger() *ledger { return newLedger(300, 3, 16) }

// TestKilled kills a process that writes, flushes, loads, checkpoints and collects. It does so at
// random points and in each of these phases. It looks for what the process had acknowledged, for
// halves of batches and loads, and for damage.
func TestKilled(t *testing.T) {
	rounds := killRounds(t, 12)
	if testing.Short() {
		rounds = killRounds(t, 3)
	}
	k := &killed{dir: t.TempDir(), l: killedLedger(), landed: map[string]int{}, usual: map[string]time.Duration{}}
	k.acknowledged = make([]int, len(k.l.movers))
	db, _, err := openLedger(t, k.dir, k.l, nil)
	if err != nil {
		t.Fatal(err)
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	for round := range rounds {
		target := "" // any
		if i := round % (len(killPhases) + 1); i < len(killPhases) {
			target = killPhases[i]
		}
		k.run(t, target)
		if round == rounds-1 || rand.IntN(4) > 0 { // or the next child opens what this one has left
			k.check(t)
		}
		if t.Failed() {
			t.Fatalf("round %d, killed in %v", round, k.active)
		}
	}
	batches := 0
	for _, n := range k.acknowledged {
		batches += n
	}
	t.Logf("%d kills, in phases %v; %d batches, %d loads, compacted %d times; the slowest opening took %v",
		rounds, k.landed, batches, len(k.loads), k.compacted, k.slowest)
	if batches == 0 {
		t.Error("got no batch that was acknowledged: nothing was tested")
	}
}

// run starts a child, and kills it in a phase or at any moment.
func (k *killed) run(t *testing.T, target string) {
	t.Helper()
	k.runs++
	k.active, k.since = map[string]bool{}, map[string]time.Time{}
	cmd := exec.Command(os.Args[0], "-test.run=^TestKilledChild$")
	cmd.Env = append(os.Environ(), killedDir+"="+k.dir, fmt.Sprintf("%s=%d", killedLoads, len(k.loads)))
	cmd.Stderr = os.Stderr
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	after := func(d time.Duration) *time.Timer { return time.AfterFunc(d, func() { _ = cmd.Process.Kill() }) }
	limit := after(time.Minute) // whatever happens
	defer limit.Stop()
	aimed, wrote := false, false
	if target == "" || target == phaseOpening {
		aimed = true
		after(rand.N(map[string]time.Duration{"": 500 * time.Millisecond, phaseOpening: 20*time.Millisecond +
			k.usual[phaseOpening]}[target]))
	}
	k.enter(phaseOpening)
	lines := bufio.NewReader(stdout)
	for {
		line, err := lines.ReadString('\n')
		if err != nil {
			break // killed: what stands before the end of a line was not said
		}
		if err := k.heard(line); err != nil {
			t.Error(err)
			_ = cmd.Process.Kill()
			break
		}
		wrote = wrote || strings.HasPrefix(line, "wrote")
		if !aimed && wrote && k.in(target) {
			aimed = true
			after(rand.N(time.Millisecond + k.usual[target]))
		}
	}
	var exit *exec.ExitError
	if err := cmd.Wait(); !errors.As(err, &exit) || exit.ExitCode() >= 0 && !t.Failed() {
		t.Fatalf("the child ended by itself: %v", err)
	}
	for _, phase := range killPhases {
		if k.in(phase) {
			k.landed[phase]++
		}
	}
}

func (k *killed) enter(phase string) { k.active[phase], k.since[phase] = true, time.Now() }

func (k *killed) leave(phase string) {
	delete(k.active, phase)
	k.usual[phase] = (3*k.usual[phase] + min(time.Since(k.since[phase]), time.Second)) / 4
}

func (k *killed) in(phase string) bool {
	if phase == phaseWriting {
		return len(k.active) == 0
	}
	return k.active[phase]
}

// heard takes note of a line of the child.
func (k *killed) heard(line string) error {
	words := strings.Fields(line)
	n := 0
	if last := words[len(words)-1]; last[0] >= '0' && last[0] <= '9' {
		n, _ = strconv.Atoi(last)
	}
	yes, no := true, false
	switch words[0] {
	case "begin":
		k.enter(words[1])
	case "end":
		k.leave(words[1])
	case "opened":
		k.leave(phaseOpening)
		used, err := strconv.Atoi(words[1])
		if err != nil {
			return err
		}
		return k.opened(time.Duration(n)*time.Microsecond, time.Duration(used)*time.Microsecond)
	case "wrote":
		mover, err := strconv.Atoi(words[1])
		if err != nil {
			return err
		}
		k.acknowledged[mover] = n
	case "loading":
		k.loads = append(k.loads, nil)
	case "loaded":
		k.loads[n] = &yes
	case "unloading":
		k.loads[n] = nil
	case "unloaded":
		k.loads[n] = &no
	case "compacted":
		k.compacted++
	default:
		return fmt.Errorf("the child said %q", line)
	}
	return nil
}

func (k *killed) opened(took, used time.Duration) error {
	k.slowest = max(k.slowest, took)
	if used > openLimit || took > openPatience {
		return fmt.Errorf("opening took %v, of which a processor worked %v, want at most %v and %v", took, used,
			openPatience, openLimit)
	}
	return nil
}

// check opens what a killed child has left, and holds it to what the child had acknowledged.
func (k *killed) check(t *testing.T) {
	t.Helper()
	opening := processor.Begin()
	db, _, err := openLedger(t, k.dir, k.l, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := db.Close(); err != nil {
			t.Error(err)
		}
	}()
	if err := k.opened(opening.Took()); err != nil {
		t.Error(err)
	}
	if err := db.Verify(t.Context(), nil); err != nil {
		t.Error(err)
	}
	snap := k.l.ix.Snapshot()
	defer snap.Close()
	if _, err := k.l.look(snap).check(t.Context(), len(k.loads)); err != nil {
		t.Error(err)
	}
	for i, want := range k.loads {
		n, err := snap.Count(t.Context(), query.Equal{Field: ledgerOrigin, Value: loadName(i)})
		if err != nil {
			t.Error(err)
		}
		if there := n > 0; want != nil && *want != there {
			t.Errorf("load %d: is there: %v, acknowledged was %v", i, there, *want)
		} else {
			k.loads[i] = &there
		}
	}
	for i, m := range k.l.movers {
		n, ok, err := snap.Int(ledgerMoves, m.name)
		if err != nil || !ok || int(n) < k.acknowledged[i] || int(n) > k.acknowledged[i]+k.runs {
			t.Fatalf("%s: got batch %d, %v, want %d, which was acknowledged, or %d more", m.name, n, err,
				k.acknowledged[i], k.runs)
		}
		k.acknowledged[i] = int(n)
		m.upTo(int(n))
		for r, set := range m.at {
			if home, _, err := snap.Value(ledgerHome, m.record(r)); err != nil || home != k.l.fields[set] {
				t.Errorf("%s after batch %d: got home %s, %v, want %s", m.record(r), n, home, err, k.l.fields[set])
			}
		}
	}
	k.runs = 0
}
