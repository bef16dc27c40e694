// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package resp

import (
	"fmt"
	"net"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"
)

// holdReplies sends a command on several connections, whose replies nobody takes, and returns the
// most memory that was counted when the first bytes of each were there.
func holdReplies(t *testing.T, s *Server, addr string, clients int, words ...string) (counted int64) {
	t.Helper()
	var conns []net.Conn
	for range clients {
		c := dial(t, addr)
		_ = c.conn.(*net.TCPConn).SetReadBuffer(4 << 10)
		c.send(words)
		conns = append(conns, c.conn)
		_, _ = c.r.Peek(1) // the first of it is there
		counted = max(counted, s.memory.Load())
	}
	for _, conn := range conns {
		_ = conn.Close()
	}
	wantMemory(t, s, 0)
	return counted
}

// TestReadMemory: what reads of long members hold counts against the bound, and is refused beyond.
func TestReadMemory(t *testing.T) {
	addr, s := serveKnown(t, Options{Memory: 4 << 20})
	c := dial(t, addr)
	fill(c, "fat", 200) // 12 MB
	for _, command := range []string{"SMEMBERS fat", "SRANDMEMBER fat 150", "SUNION fat fat"} {
		if n := holdReplies(t, s, addr, 8, strings.Fields(command)...); n == 0 || n > 4<<20 {
			t.Errorf("%s by 8 clients: %d bytes counted, want some, and at most 4 MiB", command, n)
		}
	}
	// A step of a scan is bounded by bytes, and no member is lost.
	seen, steps := make(map[string]bool), 0
	for cursor := "0"; steps == 0 || cursor != "0"; steps++ {
		var members []string
		cursor, members = scanStep(c.ask("SSCAN", "fat", cursor, "COUNT", "1000"))
		bytes := 0
		for _, m := range members {
			seen[m], bytes = true, bytes+len(m)
		}
		if bytes > 2<<20 {
			t.Errorf("a step of SSCAN: got %d bytes, want at most 2 MiB", bytes)
		}
	}
	if len(seen) != 200 || steps < 5 {
		t.Errorf("SSCAN: got %d members in %d steps, want 200 in several", len(seen), steps)
	}
	_ = s.grow(4<<20 - 100) // others have the rest
	c.words("SMEMBERS fat", "-"+string(errMemory))
	c.words("SRANDMEMBER fat 150", "-"+string(errMemory))
	c.words("SSCAN fat 0 COUNT 100", "-"+string(errMemory))
	c.words("SCARD fat", ":200")
	_ = s.grow(100 - 4<<20)
}

// TestTransactionOfLargeSet combines sets that the same transaction has written to.
func TestTransactionOfLargeSet(t *testing.T) {
	addr, _ := serve(t, Options{})
	c := dial(t, addr)
	for _, key := range []string{"a", "b"} {
		members := []string{"SADD", key}
		for i := range 5000 {
			members = append(members, fmt.Sprint(i*len(key)))
		}
		c.want(":5000", members...)
	}
	c.words("SADD c other", ":1") // has an ID
	c.words("MULTI", "+OK")
	for _, line := range []string{"SADD a new other", "SREM a 1 2", "SADD b new", "SREM b 3", "SADD b beside"} {
		c.words(line, "+QUEUED")
	}
	for _, line := range []string{"SCARD a", "SINTERCARD 2 a b", "SDIFFCARD 2 a b", "SDIFFSTORE ab a b",
		"SDIFFSTORE ba b a", "SINTERSTORE both a b", "SUNIONSTORE any a b"} {
		c.words(line, "+QUEUED")
	}
	c.words("SSCAN a 0 COUNT 10", "+QUEUED")
	c.words("SSCAN a 4000 COUNT 10", "+QUEUED")
	c.words("SRANDMEMBER a 5000", "+QUEUED")
	c.words("SPOP both 4990", "+QUEUED")
	c.words("SCARD both", "+QUEUED")
	got := c.ask("EXEC")
	// a: 0, 3…4999, new, other; b: 0…2, 4…4999, new, beside
	const want = "*[:2 :2 :1 :1 :1 :5000 :4998 :2 :2 :3 :4998 :5003 *["
	if !strings.HasPrefix(got, want) || !strings.HasSuffix(got, "] :8]") {
		t.Fatalf("got %.200s…%s, want %s", got, got[max(0, len(got)-40):], want)
	}
	steps := strings.SplitAfter(strings.TrimPrefix(got, strings.TrimSuffix(want, "*[")), "]] ")
	for i, step := range steps[:2] {
		cursor, members := scanStep(strings.TrimSpace(step))
		if cursor == "0" || len(members) < 10 || len(members) > 12 || slices.Contains(members, "new") != (i == 0) {
			t.Errorf("step %d of SSCAN: got cursor %s, members %q", i, cursor, members)
		}
	}
	for command, want := range map[string]string{"SMISMEMBER ab 3 other new": "*[:1 :1 :0]",
		"SMISMEMBER a 1 2": "*[:0 :0]", "SMISMEMBER ba 1 2 beside": "*[:1 :1 :1]",
		"SMISMEMBER any 0 3 new other beside": "*[:1 :1 :1 :1 :1]"} {
		c.words(command, want)
	}
}

// scanStep reads the reply of SSCAN.
func scanStep(reply string) (cursor string, members []string) {
	words := strings.Fields(strings.NewReplacer("*[", " ", "]", " ", `"`, "").Replace(reply))
	return words[0], words[1:]
}

// TestHostilePattern: a pattern that takes long is given up by --timeout, and once its client has
// gone; others are matched as ever.
func TestHostilePattern(t *testing.T) {
	addr, _ := serveKnown(t, Options{Timeout: 50 * time.Millisecond})
	c := dial(t, addr)
	text := strings.Repeat("a", 60_000)
	for i := range 3 {
		c.want(":1", "SADD", fmt.Sprint(i)+text, "m")
	}
	pattern := "*" + strings.Repeat("a", 30_000) + "b*"
	c.want("-"+string(errLate), "KEYS", pattern)
	c.want("-"+string(errLate), "SCAN", "0", "MATCH", pattern)
	// A transaction has this time as a whole: what comes after that is given up at once.
	short := "*" + strings.Repeat("a", 10) + "b*"
	c.words("MULTI", "+OK")
	c.want("+QUEUED", "KEYS", pattern)
	c.want("+QUEUED", "KEYS", short)
	c.want(fmt.Sprintf("*[-%s -%[1]s]", string(errLate)), "EXEC")
	if n := len(c.ask("KEYS", "*a*a*a*")); n < 180_000 {
		t.Errorf("KEYS of 3 long keys: got %d bytes", n)
	}
}

// TestHasGone tells a client that has closed its connection from one that waits, or has sent more.
func TestHasGone(t *testing.T) {
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer ln.Close()
	client := dial(t, ln.Addr().String())
	conn, err := ln.Accept()
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	if hasGone(conn) {
		t.Error("a client that waits: got gone")
	}
	_ = client.conn.Close()
	_, _ = conn.Read(make([]byte, 1)) // its end is here
	if gone := hasGone(conn); gone != (runtime.GOOS != "windows") {
		t.Errorf("a client that has closed: got gone %v", gone)
	}
}

// TestCopyDB: there is one database, and what is no number is none.
func TestCopyDB(t *testing.T) {
	addr, _ := serve(t, Options{})
	c := dial(t, addr)
	c.words("SADD a 1", ":1")
	c.words("COPY a b DB x", "-"+string(errNotInteger))
	c.words("COPY a b DB 99", "-ERR DB index is out of range")
	c.words("COPY a b DB 0", ":1")
}
