// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package transport

import (
	"errors"
	"net"
	"os"
	"sync"
	"testing"
	"time"
)

// setConn is a connection that notes which deadlines of reading it is given.
type setConn struct {
	net.Conn
	mu  sync.Mutex
	set []time.Time
}

func (c *setConn) SetReadDeadline(t time.Time) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.set = append(c.set, t)
	return c.Conn.SetReadDeadline(t)
}

func (c *setConn) times() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return len(c.set)
}

// newDeadlineConn returns a connection whose deadlines may come up to slack too early. It also
// returns what is below it, and the other end.
func newDeadlineConn(t *testing.T, slack time.Duration) (conn *socket, below *setConn, other net.Conn) {
	near, far := net.Pipe()
	t.Cleanup(func() { near.Close(); far.Close() })
	below = &setConn{Conn: near}
	return newSocket(below, &Listener{opts: Options{Slack: slack}}), below, far
}

// TestDeadlinesAreSetWhenNeeded checks that some deadlines do not reach the connection: those
// without a read in between, and those hardly later than the last.
func TestDeadlinesAreSetWhenNeeded(t *testing.T) {
	conn, below, other := newDeadlineConn(t, time.Minute)
	start := time.Now()
	read := func() {
		t.Helper()
		go func() { _, _ = other.Write([]byte("x")) }()
		if n, err := conn.Read(make([]byte, 1)); n != 1 || err != nil {
			t.Fatalf("read %d bytes, %v", n, err)
		}
	}
	for i, step := range []struct {
		until []time.Duration // after start; negative: none
		want  int             // deadlines that the connection was given up to then
	}{
		{nil, 0},
		{[]time.Duration{time.Hour}, 1},
		{[]time.Duration{2 * time.Hour, time.Hour}, 1},
		{[]time.Duration{time.Hour + 59*time.Second}, 1},
		// later than what the connection has, not than what was wanted last
		{[]time.Duration{time.Hour + 59*time.Second}, 1},
		{[]time.Duration{time.Hour + time.Minute}, 2},
		{[]time.Duration{time.Hour}, 3}, // earlier
		{[]time.Duration{-1}, 4},
		{[]time.Duration{-1}, 4},
		{[]time.Duration{time.Hour}, 5},
	} {
		for _, after := range step.until {
			until := start.Add(after)
			if after < 0 {
				until = time.Time{}
			}
			if err := conn.SetReadDeadline(until); err != nil {
				t.Fatal(err)
			}
		}
		read()
		if got := below.times(); got != step.want {
			t.Fatalf("step %d: the connection was given %d deadlines, want %d", i, got, step.want)
		}
	}
}

// TestDeadlineOfOneWhoWaits checks that a deadline ends a read that has begun. It does not end the
// next one, which has a later deadline.
func TestDeadlineOfOneWhoWaits(t *testing.T) {
	conn, _, other := newDeadlineConn(t, time.Minute)
	if err := conn.SetReadDeadline(time.Now().Add(time.Hour)); err != nil {
		t.Fatal(err)
	}
	for _, until := range []func() time.Time{func() time.Time {
		return time.Unix(1, 0)
	}, func() time.Time { return time.Now().Add(time.Millisecond) }} {
		failed := make(chan error)
		go func() {
			_, err := conn.Read(make([]byte, 1))
			failed <- err
		}()
		time.Sleep(time.Millisecond) // most often it waits by now; if not, the deadline holds for it all the same
		if err := conn.SetDeadline(until()); err != nil {
			t.Fatal(err)
		}
		if err := <-failed; !errors.Is(err, os.ErrDeadlineExceeded) {
			t.Fatalf("a read that waited ended with %v, want %v", err, os.ErrDeadlineExceeded)
		}
		if _, err := conn.Write([]byte("x")); !errors.Is(err, os.ErrDeadlineExceeded) {
			t.Fatalf("a write after its deadline: %v, want %v", err, os.ErrDeadlineExceeded)
		}
		if err := conn.SetDeadline(time.Now().Add(time.Hour)); err != nil {
			t.Fatal(err)
		}
		go func() { _, _ = other.Write([]byte("x")) }()
		if n, err := conn.Read(make([]byte, 1)); n != 1 || err != nil {
			t.Fatalf("read %d bytes, %v after the deadline was moved", n, err)
		}
	}
	conn.Close()
	if err := conn.SetReadDeadline(time.Now()); err != nil {
		t.Fatal(err)
	}
	if _, err := conn.Read(make([]byte, 1)); err == nil {
		t.Error("a closed connection was read")
	}
}

// TestDeadlineOfSeveral has two reads wait, and one of them end. A deadline that is asked for then
// ends the other.
func TestDeadlineOfSeveral(t *testing.T) {
	conn, _, other := newDeadlineConn(t, time.Minute)
	if err := conn.SetReadDeadline(time.Now().Add(time.Hour)); err != nil {
		t.Fatal(err)
	}
	failed := make(chan error, 2)
	for range 2 {
		go func() {
			_, err := conn.Conn.Read(make([]byte, 1))
			conn.reading.end()
			failed <- err
		}()
		if err := conn.reading.begin(); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := other.Write([]byte("x")); err != nil {
		t.Fatal(err)
	}
	if err := <-failed; err != nil {
		t.Fatal(err)
	}
	if err := conn.SetReadDeadline(time.Now().Add(time.Millisecond)); err != nil {
		t.Fatal(err)
	}
	select {
	case err := <-failed:
		if !errors.Is(err, os.ErrDeadlineExceeded) {
			t.Fatalf("the other read ended with %v, want %v", err, os.ErrDeadlineExceeded)
		}
	case <-time.After(10 * time.Second):
		t.Fatal("the other read waits beyond its deadline")
	}
}
