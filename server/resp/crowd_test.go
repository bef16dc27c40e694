// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package resp

import (
	"fmt"
	"io"
	"net"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"
)

// TestCrowd keeps many connections that wait beside some that work, with half commands, long
// pipelines and clients that go away among them.
func TestCrowd(t *testing.T) {
	idle := 5000
	if testing.Short() {
		idle = 500
	}
	addr, s := serveKnown(t, Options{Memory: 16 << 20})
	before := heap()
	var crowd []net.Conn
	for range idle {
		conn, err := net.Dial("tcp", addr)
		if err != nil {
			t.Skipf("no more than %d connections: %v", len(crowd), err) // the machine's bound of open files
		}
		crowd = append(crowd, conn)
		if _, err := io.WriteString(conn, "PING\r\n"); err != nil {
			t.Fatal(err)
		}
	}
	part := make([]byte, 16)
	for _, conn := range crowd {
		if n, err := conn.Read(part); err != nil || string(part[:n]) != "+PONG\r\n" {
			t.Fatalf("got %q, %v", part[:n], err)
		}
	}
	each := (heap() - before) / int64(idle)
	t.Logf("%d bytes of memory for a connection, both ends", each)
	if each > 48<<10 {
		t.Errorf("a connection that waits takes %d bytes, want at most 48 KiB", each)
	}

	for i, conn := range crowd { // half of a command, of all kinds
		half := []string{"*3\r\n$4\r\nSADD\r\n$1\r\nh\r\n$4\r\nab", "*2\r\n$4\r", "SADD half",
			"*1000000\r\n$10000000\r\nabc"}[i%4]
		if _, err := io.WriteString(conn, half); err != nil {
			t.Fatal(err)
		}
	}
	var wg sync.WaitGroup
	for k := range 8 {
		c := dial(t, addr)
		wg.Go(func() {
			const commands = 5000
			var b strings.Builder
			for i := range commands {
				fmt.Fprintf(&b, "SADD busy%d m%d\r\nSCARD busy%d\r\n", k, i, k)
			}
			go func() { _, _ = io.WriteString(c.conn, b.String()) }()
			for i := range commands {
				if got, want := c.reply()+c.reply(), fmt.Sprintf(":1:%d", i+1); got != want {
					t.Errorf("command %d: got %s, want %s", i, got, want)
					return
				}
			}
		})
	}
	wg.Wait()
	for _, conn := range crowd {
		_ = conn.Close()
	}
	c := dial(t, addr)
	c.words("EXISTS h half", ":0")
	for deadline := time.Now().Add(30 * time.Second); ; time.Sleep(20 * time.Millisecond) {
		s.mu.Lock()
		n := len(s.sessions)
		s.mu.Unlock()
		if n <= 9 {
			break
		}
		if time.Now().After(deadline) {
			t.Fatalf("%d connections are still there", n)
		}
	}
	wantMemory(t, s, 0)
}

// heap returns the memory that is in use, with stacks.
func heap() int64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int64(m.HeapInuse + m.StackInuse)
}
