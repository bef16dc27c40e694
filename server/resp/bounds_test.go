// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package resp

import (
	"fmt"
	"io"
	"net"
	"strings"
	"testing"
	"time"

	"github.com/uproar-db/uproar"
	"github.com/uproar-db/uproar/store/memstore"
)

// serveKnown is serve, and returns the server.
func serveKnown(t *testing.T, opts Options) (addr string, s *Server) {
	t.Helper()
	db, err := uproar.Open(t.Context(), memstore.New(), nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = db.Close() })
	addr, s, _ = serveStopping(t, db, opts)
	return addr, s
}

// wantMemory waits until so many bytes are counted.
func wantMemory(t *testing.T, s *Server, bytes int64) {
	t.Helper()
	for deadline := time.Now().Add(20 * time.Second); s.memory.Load() != bytes; time.Sleep(10 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("got %d bytes counted, want %d", s.memory.Load(), bytes)
		}
	}
}

// fill makes a set of members of 60 KB.
func fill(c *testClient, key string, members int) {
	c.t.Helper()
	for i := range members {
		c.want(":1", "SADD", key, fmt.Sprintf("%04d", i)+strings.Repeat("x", 60_000))
	}
}

// TestReplyMemory: replies that wait for a commit, queued commands and watched keys count against
// the bound, and what is refused has done nothing.
func TestReplyMemory(t *testing.T) {
	addr, s := serveKnown(t, Options{Memory: 2 << 20})
	c, other := dial(t, addr), dial(t, addr)
	fill(c, "s", 50) // 3 MB
	const refused = "-" + string(errMemory)
	c.words("MULTI", "+OK")
	c.words("SADD t a", "+QUEUED")
	c.words("SMEMBERS s", "+QUEUED")
	c.words("SCARD s", "+QUEUED")
	c.words("EXEC", "*[:1 "+refused+" :50]")
	c.words("SMEMBERS t", `*["a"]`)

	// The reply of SPOP waits for the commit: if it is too long, nothing is taken out. Others that
	// write at the same time are not hurt by it.
	c.send([]string{"SADD", "t", "b"}, []string{"SPOP", "s", "45"}, []string{"SCARD", "t"})
	if got := c.reply() + " " + c.reply(); got != ":1 "+refused {
		t.Errorf("SPOP of 2.7 MB: got %s, want :1 %s", got, refused)
	}
	c.reply()
	c.words("SCARD s", ":50")
	c.words("SMEMBERS t", `*["a" "b"]`)
	wantMemory(t, s, 0)

	long := strings.Repeat("k", 60_000)
	c.words("MULTI", "+OK")
	queued := 0
	for queued < 100 && c.ask("SADD", long, long) == "+QUEUED" {
		queued++
	}
	if queued < 10 || queued > 20 {
		t.Errorf("got %d commands of 120 KB queued in 2 MiB, want about 17", queued)
	}
	other.words("WATCH a", "+OK")
	watched := 0
	for watched < 100 && other.ask("WATCH", fmt.Sprint(watched, long)) == "+OK" {
		watched++
	}
	if watched > 3 {
		t.Errorf("got %d keys of 60 KB watched in what is left", watched)
	}
	c.words("EXEC", "-EXECABORT Transaction discarded because of previous errors.")
	_ = other.conn.Close()
	wantMemory(t, s, 0)
	c.words("SCARD t", ":2")
}

// TestSlowClients: those that do not take their replies, or too slowly, are cut off, and hold no
// snapshot any more.
func TestSlowClients(t *testing.T) {
	addr, s := serveKnown(t, Options{Patience: 300 * time.Millisecond, Slowest: 64 << 20})
	c := dial(t, addr)
	fill(c, "s", 500) // 30 MB
	for name, pause := range map[string]time.Duration{"stops": time.Hour, "trickles": 50 * time.Millisecond} {
		conn, err := net.Dial("tcp", addr)
		if err != nil {
			t.Fatal(err)
		}
		_ = conn.(*net.TCPConn).SetReadBuffer(4 << 10)
		if _, err := io.WriteString(conn, "SMEMBERS s\r\nSMEMBERS s\r\n"); err != nil {
			t.Fatal(err)
		}
		ended := make(chan bool)
		go func() {
			part := make([]byte, 4<<10)
			for {
				select {
				case <-ended:
					_ = conn.Close()
					return
				case <-time.After(pause):
				}
				if _, err := conn.Read(part); err != nil {
					_ = conn.Close()
					<-ended
					return
				}
			}
		}()
		for deadline := time.Now().Add(30 * time.Second); ; time.Sleep(20 * time.Millisecond) {
			s.mu.Lock()
			n := len(s.sessions)
			s.mu.Unlock()
			if n == 1 {
				break
			}
			if time.Now().After(deadline) {
				t.Errorf("a client that %s is still answered after 30 s", name)
				break
			}
		}
		ended <- true
	}
	c.words("SCARD s", ":500")
}

// TestHalfCommands: those that begin a large command and do not end it give its memory back.
func TestHalfCommands(t *testing.T) {
	addr, s := serveKnown(t, Options{Patience: 300 * time.Millisecond, Memory: 8 << 20})
	var half []*testClient
	for range 4 {
		c := dial(t, addr)
		c.raw("*3\r\n$4\r\nSADD\r\n$1\r\nk\r\n$3000000\r\n" + strings.Repeat("x", 1_500_000))
		half = append(half, c)
	}
	for _, c := range half {
		_ = c.conn.SetReadDeadline(time.Now().Add(20 * time.Second))
		if got, err := io.ReadAll(c.conn); len(got) > 0 && !strings.HasPrefix(string(got), "-"+string(errMemory)) {
			t.Errorf("half of a command: got %.100q, %v, want the end", got, err)
		}
	}
	wantMemory(t, s, 0)
	c := dial(t, addr)
	c.want(":1", "SADD", "k", strings.Repeat("x", 60_000))
	time.Sleep(400 * time.Millisecond) // a connection that waits is not in a hurry
	c.words("PING", "+PONG")
	c.want(fmt.Sprintf("%q", strings.Repeat("y", 2_000_000)), "ECHO", strings.Repeat("y", 2_000_000))
	time.Sleep(400 * time.Millisecond)
	c.words("EXISTS k", ":1")
	wantMemory(t, s, 0)
}

// TestLargeAfterHello: who shows a token with HELLO may send a large command right behind it.
func TestLargeAfterHello(t *testing.T) {
	addr, _ := serveKnown(t, Options{Allow: func(token string) (string, Access) {
		if token == "writes" {
			return "bob", Writer
		}
		return "", Nobody
	}})
	long := strings.Repeat("x", 100_000)
	c := dial(t, addr)
	c.send([]string{"HELLO", "2", "AUTH", "bob", "writes"}, []string{"ECHO", long})
	if got := c.reply(); !strings.HasPrefix(got, "*[") {
		t.Fatalf("HELLO: got %s", got)
	}
	if got := c.reply(); got != fmt.Sprintf("%q", long) {
		t.Errorf("ECHO of 100 KB behind HELLO: got %.80s", got)
	}
}
