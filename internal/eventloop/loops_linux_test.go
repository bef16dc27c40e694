// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package eventloop_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"github.com/uproar-db/uproar/internal/eventloop"
)

func TestAnswers(t *testing.T) {
	p := newPlace(t, eventloop.Options{Loops: 2})
	var wg sync.WaitGroup
	for i := range 50 {
		c := p.dial()
		wg.Go(func() {
			for j := range 200 {
				c.say(fmt.Sprintf("from %d, %d\n", i, j))
				c.hear(fmt.Sprintf("FROM %d, %d", i, j))
			}
			_ = c.Close()
		})
	}
	wg.Wait()
	eventually(t, "not all connections were closed", func() bool { return p.closed.Load() == 50 })
	if len(p.left) > 0 {
		t.Errorf("%d connections were left, want none", len(p.left))
	}
}

// TestLast sends the last answer, and then closes.
func TestLast(t *testing.T) {
	p := newPlace(t, eventloop.Options{Loops: 1})
	c := p.dial()
	c.say("a\n")
	c.hear("A")
	c.say("bye\n")
	c.hear("BYE")
	c.hearEnd()
	eventually(t, "Closed was not called", func() bool { return p.closed.Load() == 1 })
}

// TestLeft gives connections back with what they said: a request that is not for loops, one that has not come whole, and one behind another. The owner can go on with them as with any.
func TestLeft(t *testing.T) {
	for name, c := range map[string]struct{ said, heard, left string }{
		"not here":      {"?what\n", "", "?what\n"},
		"not whole":     {"wha", "", "wha"},
		"second":        {"a\nb\n", "A", "b\n"},
		"second partly": {"a\nb", "A", "b"},
	} {
		t.Run(name, func(t *testing.T) {
			p := newPlace(t, eventloop.Options{Loops: 1})
			conn := p.dial()
			conn.say("first\n")
			conn.hear("FIRST")
			conn.say(c.said)
			if c.heard != "" {
				conn.hear(c.heard)
			}
			left := <-p.left
			defer left.Close()
			if left.said != c.left {
				t.Errorf("left with %q, want %q", left.said, c.left)
			}
			conn.say("more\n")
			_ = left.SetReadDeadline(time.Now().Add(time.Minute))
			b := make([]byte, 10)
			if n, err := left.Read(b); err != nil || string(b[:n]) != "more\n" {
				t.Errorf("the owner reads %q, %v, want the next line", b[:n], err)
			}
			_, _ = io.WriteString(left, "from the owner\n")
			conn.hear("from the owner")
			// The deadline is one of the runtime's: the connection is one of its own again.
			_ = left.SetReadDeadline(time.Now().Add(20 * time.Millisecond))
			if _, err := left.Read(b); !errors.Is(err, os.ErrDeadlineExceeded) {
				t.Errorf("got error %v, want a deadline", err)
			}
			if n := p.closed.Load(); n != 0 {
				t.Errorf("Closed was called %d times for a connection that was left", n)
			}
		})
	}
}

// TestSlowTaker has one connection that takes its answer late: others are answered meanwhile, and it gets every byte, then answers again.
func TestSlowTaker(t *testing.T) {
	p := newPlace(t, eventloop.Options{Loops: 1})
	slow, other := p.dial(), p.dial()
	slow.say("big\n")
	for range 100 {
		other.say("a\n")
		other.hear("A")
	}
	got := make([]byte, len(big)+1)
	if _, err := io.ReadFull(slow.r, got); err != nil || !bytes.Equal(got[:len(big)], big) {
		t.Fatalf("got %v, or other bytes than were sent", err)
	}
	slow.say("b\n")
	slow.hear("B")
	var before, after unix.Rusage
	_ = unix.Getrusage(unix.RUSAGE_SELF, &before)
	time.Sleep(300 * time.Millisecond)
	_ = unix.Getrusage(unix.RUSAGE_SELF, &after)
	if took := time.Duration(after.Utime.Nano() + after.Stime.Nano() - before.Utime.Nano() - before.Stime.Nano()); took > 200*time.Millisecond {
		t.Errorf("waiting for 300 ms took %v of the processor", took)
	}
	slow.say("big\nbehind\n")
	if _, err := io.ReadFull(slow.r, got); err != nil || !bytes.Equal(got[:len(big)], big) {
		t.Fatalf("got %v, or other bytes than were sent", err)
	}
	if left := <-p.left; left.said != "behind\n" {
		t.Errorf("left with %q, want what was said behind", left.said)
	} else {
		_ = left.Close()
	}
}

// TestTimes closes connections that say nothing at first, or later, or take nothing.
func TestTimes(t *testing.T) {
	const short = 100 * time.Millisecond
	for name, c := range map[string]struct {
		opts eventloop.Options
		do   func(*peer)
	}{
		"first":  {eventloop.Options{First: short}, func(*peer) {}},
		"idle":   {eventloop.Options{Idle: short}, func(c *peer) { c.say("a\n"); c.hear("A") }},
		"taking": {eventloop.Options{Taking: short}, func(c *peer) { c.say("big\n") }},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := newPlace(t, c.opts)
			start := time.Now()
			conn := p.dial()
			c.do(conn)
			eventually(t, "the connection is still open", func() bool { return p.closed.Load() == 1 })
			if took := time.Since(start); took < short {
				t.Errorf("closed after %v, want %v or later", took, short)
			}
			if n, _ := io.Copy(io.Discard, conn.r); n > int64(len(big)) {
				t.Errorf("got %d bytes, want a part of an answer", n)
			}
		})
	}
}

// TestStop answers what has come before, closes the others, and takes no more; Wait waits for who has not taken an answer yet, as long as it is to.
func TestStop(t *testing.T) {
	for name, takes := range map[string]bool{"takes": true, "does not take": false} {
		t.Run(name, func(t *testing.T) {
			p := newPlace(t, eventloop.Options{Loops: 1})
			idle := make([]*peer, 300) // more than are looked at at once
			for i := range idle {
				idle[i] = p.dial()
			}
			slow := p.dial()
			slow.say("big\n")
			if _, err := slow.r.Peek(1); err != nil {
				t.Fatal(err)
			}
			eventually(t, "not all connections were taken", func() bool { return p.taken.Load() == int64(len(idle))+1 })
			// They ask while the loop does not look, and is stopped before it does.
			idle[0].say("nap\n")
			eventually(t, "the loop does not nap", func() bool { return pending.Load() == 1 })
			for _, c := range idle[1:] {
				c.say("long?\n")
			}
			p.loops.Stop()
			idle[0].hear("")
			idle[0].hearEnd()
			for _, c := range idle[1:] {
				c.hear("true true")
				c.hearEnd()
			}
			if n := p.closed.Load(); n != int64(len(idle)) {
				t.Errorf("%d connections were closed, want %d", n, len(idle))
			}
			if err := p.loops.Add(dialed(t, p), p); err == nil {
				t.Error("a connection was taken after Stop")
			}
			ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
			defer cancel()
			if !takes {
				if err := p.loops.Wait(ctx); !errors.Is(err, context.DeadlineExceeded) {
					t.Fatalf("Wait returned %v before the last answer was taken", err)
				}
				return
			}
			taken := make(chan bool)
			go func() {
				got, _ := io.ReadAll(slow.r)
				taken <- bytes.Equal(got, append(bytes.Clone(big), '\n'))
			}()
			if err := p.loops.Wait(t.Context()); err != nil {
				t.Error(err)
			}
			if !<-taken {
				t.Error("the last answer has other bytes")
			}
		})
	}
}

// TestAddBesideStop adds connections while the loops are stopped: each is refused, or closed, and no file stays open.
func TestAddBesideStop(t *testing.T) {
	before := openFiles(t)
	for range 20 {
		p := newPlace(t, eventloop.Options{Loops: 2})
		var wg sync.WaitGroup
		var added atomic.Int64
		for range 8 {
			wg.Go(func() {
				for range 10 {
					a, b := pair(t)
					if p.loops.Add(a, p) == nil {
						added.Add(1)
					} else {
						_ = a.Close()
					}
					_ = b.Close()
				}
			})
		}
		p.loops.Stop()
		wg.Wait()
		if err := p.loops.Wait(t.Context()); err != nil {
			t.Fatal(err)
		}
		if got, want := p.closed.Load(), added.Load(); got != want {
			t.Errorf("%d connections were closed, want the %d that were taken", got, want)
		}
		_ = p.ln.Close()
	}
	eventually(t, "files stay open", func() bool { return openFiles(t) <= before })
}

// TestNotTaken refuses what is no connection of the system's, and leaves it as it was.
func TestNotTaken(t *testing.T) {
	p := newPlace(t, eventloop.Options{Loops: 1})
	a, b := net.Pipe()
	defer a.Close()
	defer b.Close()
	if err := p.loops.Add(a, p); !errors.Is(err, errors.ErrUnsupported) || !strings.Contains(err.Error(), "pipe") {
		t.Errorf("got error %v, want ErrUnsupported that names the type", err)
	}
	go func() { _, _ = b.Write([]byte{1}) }()
	if _, err := a.Read(make([]byte, 1)); err != nil {
		t.Errorf("the connection was not left alone: %v", err)
	}
}
