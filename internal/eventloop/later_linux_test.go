// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package eventloop_test

import (
	"bytes"
	"context"
	"io"
	"testing"
	"time"

	"github.com/uproar-db/uproar/internal/eventloop"
)

// TestLater has answers made by goroutines: others are answered meanwhile, what was said behind comes after, and the end waits for them, or does not when it is not to.
func TestLater(t *testing.T) {
	p := newPlace(t, eventloop.Options{Loops: 1, Brief: slowTime / 2})
	slow, behind, big2, gone, other := p.dial(), p.dial(), p.dial(), p.dial(), p.dial()
	start := time.Now()
	slow.say("slow a\n")
	behind.say("slow b\nc\n")
	big2.say("slow big\n")
	gone.say("slow d\n")
	for range 10 {
		other.say("e\n")
		other.hear("E")
	}
	if pending.Load() == 0 {
		t.Error("the others had to wait for slow answers")
	}
	_ = gone.Close()
	slow.hear("A")
	if took := time.Since(start); took < slowTime {
		t.Errorf("answered after %v, want %v or later", took, slowTime)
	}
	for _, long := range []string{"true false", "false false"} {
		slow.say("long?\n")
		slow.hear(long)
	}
	behind.hear("B")
	if left := <-p.left; left.said != "c\n" {
		t.Errorf("left with %q, want what was said behind", left.said)
	} else {
		_ = left.Close()
	}
	got := make([]byte, len(big)+1)
	if _, err := io.ReadFull(big2.r, got); err != nil || !bytes.Equal(got[:len(big)], big) {
		t.Fatalf("got %v, or other bytes than were sent", err)
	}
	eventually(t, "an answer was not done with", func() bool { return pending.Load() == 0 })
}

// TestLongForOthers: an answer that others had to wait for too long has theirs made by goroutines for a while.
func TestLongForOthers(t *testing.T) {
	p := newPlace(t, eventloop.Options{Loops: 1, Brief: slowTime})
	c, other := p.dial(), p.dial()
	other.say("long?\n")
	other.hear("false false")
	c.say("nap\n") // for twice that time
	c.hear("")
	other.say("long?\n")
	other.hear("true false")
	time.Sleep(10 * 2 * slowTime)
	other.say("long?\n")
	other.hear("false false")
}

// TestLaterThanIdle: a connection whose answer is being made is not idle, however long that takes.
func TestLaterThanIdle(t *testing.T) {
	p := newPlace(t, eventloop.Options{Loops: 1, Idle: slowTime / 4})
	c := p.dial()
	c.say("slow a\n")
	c.hear("A")
	c.hearEnd()
	eventually(t, "Closed was not called", func() bool { return p.closed.Load() == 1 })
}

// TestStopLater stops while answers are being made.
func TestStopLater(t *testing.T) {
	for name, waits := range map[string]bool{"waits": true, "cut off": false} {
		t.Run(name, func(t *testing.T) {
			p := newPlace(t, eventloop.Options{Loops: 1})
			c := p.dial()
			c.say("slow a\n")
			eventually(t, "the answer is not being made", func() bool { return pending.Load() == 1 })
			start := time.Now()
			p.loops.Stop()
			if took := time.Since(start); took > slowTime/2 {
				t.Errorf("Stop took %v, want it not to wait", took)
			}
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			if !waits {
				cancel()
			}
			if err := p.loops.Wait(ctx); (err == nil) != waits {
				t.Errorf("Wait returned %v", err)
			}
			if waits {
				c.hear("A")
			}
			c.hearEnd()
			if n := p.closed.Load(); n != 1 {
				t.Errorf("Closed was called %d times, want once", n)
			}
			eventually(t, "the answer was not done with", func() bool { return pending.Load() == 0 })
		})
	}
}
