// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package uproar_test

import (
	"context"
	"fmt"
	"log/slog"
	"os"
	"slices"
	"strconv"
	"sync"
	"testing"
	"time"

	"github.com/uproar-db/uproar"
	"github.com/uproar-db/uproar/internal/processor"
	"github.com/uproar-db/uproar/query"
)

const (
	killedDir   = "UPROAR_TEST_KILLED_DIR"   // set in the child only
	killedLoads = "UPROAR_TEST_KILLED_LOADS" // how many were begun before it
)

// loadsKept is how many loads are there before the oldest is deleted.
const loadsKept = 3

// killedChild tells its parent what it does, a line each, before and after.
type killedChild struct {
	mu      sync.Mutex
	merging string // phase of the goroutine that flushes and loads
}

func (c *killedChild) say(format string, args ...any) {
	c.mu.Lock()
	defer c.mu.Unlock()
	fmt.Printf(format+"\n", args...)
}

// merge says that the phase of merging has changed.
func (c *killedChild) merge(phase string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.merging != "" {
		fmt.Println("end", c.merging)
	}
	if c.merging = phase; phase != "" {
		fmt.Println("begin", phase)
	}
}

// Enabled, Handle, WithAttrs and WithGroup make it the database's log, which tells when a manifest
// has been installed: what follows is the checkpoint.
func (c *killedChild) Enabled(context.Context, slog.Level) bool { return true }
func (c *killedChild) WithAttrs([]slog.Attr) slog.Handler       { return c }
func (c *killedChild) WithGroup(string) slog.Handler            { return c }

func (c *killedChild) Handle(_ context.Context, r slog.Record) error {
	c.mu.Lock()
	phase := c.merging
	c.mu.Unlock()
	if r.Message == "flushed" && phase == phaseFlush || r.Message == "loaded" {
		c.merge(phaseCheckpoint)
	}
	return nil
}

// TestKilledChild is the child of TestKilled. It never returns.
func TestKilledChild(t *testing.T) {
	dir := os.Getenv(killedDir)
	if dir == "" {
		t.Skip("runs as a child of TestKilled")
	}
	c := new(killedChild)
	die := func(err error) {
		if err != nil {
			c.say("error %v", err)
			os.Exit(1)
		}
	}
	loads, err := strconv.Atoi(os.Getenv(killedLoads))
	die(err)
	l := killedLedger()
	opening := processor.Begin()
	// With a large delta, the process flushes only when it says so. With a small log, it trims.
	_, s, err := openLedger(t, dir, l, &uproar.Options{MemoryBytes: 64 << 20, LogBytes: 64 << 10, Logger: slog.New(c)})
	die(err)
	took, used := opening.Took()
	c.say("opened %d %d", used.Microseconds(), took.Microseconds())
	snap := l.ix.Snapshot()
	var there []int
	for n := range loads {
		count, err := snap.Count(t.Context(), query.Equal{Field: ledgerOrigin, Value: loadName(n)})
		die(err)
		if count > 0 {
			there = append(there, n)
		}
	}
	for _, m := range l.movers {
		n, _, err := snap.Int(ledgerMoves, m.name)
		die(err)
		m.upTo(int(n))
		go func() {
			for {
				_, err := m.write(t.Context(), l.ix)
				die(err)
				c.say("wrote %d %d", m.id, m.n)
				time.Sleep(time.Millisecond)
			}
		}()
	}
	snap.Close()
	go func() {
		for round := 0; ; round++ {
			die(neighbour(s, round, 1))
			time.Sleep(40 * time.Millisecond)
		}
	}()
	go func() {
		for {
			c.say("begin %s", phaseCollect)
			die(s.Compact(t.Context()))
			c.say("end %s", phaseCollect)
			c.say("compacted")
			time.Sleep(50 * time.Millisecond)
		}
	}()
	for round := int(time.Now().UnixNano() & 3); ; round++ {
		if round%4 > 0 {
			c.merge(phaseFlush)
			die(l.ix.Flush(t.Context()))
		} else {
			c.say("loading %d", loads)
			c.merge(phaseLoad)
			die(l.bring(t.Context(), loads))
			c.say("loaded %d", loads)
			there = append(there, loads)
			loads++
		}
		c.merge("")
		time.Sleep(20 * time.Millisecond)
		if len(there) > loadsKept {
			c.say("unloading %d", there[0])
			die(l.unload(t.Context(), there[0]))
			c.say("unloaded %d", there[0])
			there = slices.Delete(there, 0, 1)
		}
	}
}

// unload deletes the records of a load, in one batch.
func (l *ledger) unload(ctx context.Context, n int) error {
	var b uproar.Batch
	for i := range l.fields {
		b.DeleteRecord(fmt.Sprintf("%s-%d", loadName(n), i))
	}
	_, err := l.ix.Write(ctx, &b)
	return err
}
