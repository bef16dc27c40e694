// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"
)

// serveSets starts a server with --resp, and returns it with its address for clients of Redis.
func serveSets(t *testing.T, dir string) (*exec.Cmd, string) {
	t.Helper()
	cmd := exec.Command("uproar", "serve", "--dir", dir, "--addr", "127.0.0.1:0", "--resp", "127.0.0.1:0",
		"--log-format", "json")
	log, err := cmd.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = cmd.Process.Kill() })
	lines := bufio.NewScanner(log)
	for lines.Scan() {
		var line struct{ Msg, Addr string }
		if json.Unmarshal(lines.Bytes(), &line) == nil && line.Msg == "serving clients of Redis" {
			go func() { _, _ = io.Copy(io.Discard, log) }()
			return cmd, line.Addr
		}
	}
	t.Fatalf("uproar serve --resp ended before it served: %v", cmd.Wait())
	return nil, ""
}

// redisConn is a connection of a client of Redis.
type redisConn struct {
	net.Conn
	r *bufio.Reader
}

func dialRedis(addr string) (*redisConn, error) {
	conn, err := net.Dial("tcp", addr)
	if err != nil {
		return nil, err
	}
	return &redisConn{conn, bufio.NewReader(conn)}, nil
}

// reply reads a reply; of an array, its texts.
func (c *redisConn) reply() (line string, texts []string, err error) {
	_ = c.SetReadDeadline(time.Now().Add(time.Minute))
	if line, err = c.r.ReadString('\n'); err != nil {
		return "", nil, err
	}
	line = strings.TrimSuffix(line, "\r\n")
	n, err := strconv.Atoi(line[1:])
	switch {
	case line[0] == '$' && n >= 0:
		text := make([]byte, n+2)
		_, err = io.ReadFull(c.r, text)
		return string(text[:n]), nil, err
	case line[0] == '*' && n >= 0:
		for range n {
			text, _, err := c.reply()
			if err != nil && text == "" { // of an error within, the text is returned
				return "", nil, err
			}
			texts = append(texts, text)
		}
	case line[0] == '-':
		return line, nil, fmt.Errorf("got the reply %s", line)
	case line[0] != '+':
		return line, nil, err
	}
	return line, texts, nil
}

// setLedger is what one client knows of its two sets.
type setLedger struct {
	name   string
	next   int
	in     map[string]bool // acknowledged: whether it is in the set
	unsure map[string]bool // sent, without a reply
	both   map[string]bool // added to both sets at once
}

// write writes until the server is gone, and returns how many writes were acknowledged.
func (l *setLedger) write(addr string) (acknowledged int) {
	c, err := dialRedis(addr)
	if err != nil {
		return 0
	}
	defer c.Close()
	for {
		type write struct {
			member  string
			in      bool
			replies int
		}
		var sent []write
		var b strings.Builder
		for range 1 + rand.IntN(20) {
			member := fmt.Sprint("m", l.next)
			switch kind := rand.IntN(4); {
			case kind == 0 && l.next > 0:
				member = fmt.Sprint("m", rand.IntN(l.next))
				if l.both[member] {
					continue
				}
				fmt.Fprintf(&b, "SREM set:%s %s\r\n", l.name, member)
				sent = append(sent, write{member, false, 1})
			case kind == 1:
				l.next++
				l.both[member] = true
				fmt.Fprintf(&b, "MULTI\r\nSADD set:%s %s\r\nSADD twin:%s %s\r\nEXEC\r\n", l.name, member, l.name, member)
				sent = append(sent, write{member, true, 4})
			default:
				l.next++
				fmt.Fprintf(&b, "SADD set:%s %s\r\n", l.name, member)
				sent = append(sent, write{member, true, 1})
			}
		}
		for _, w := range sent {
			l.unsure[w.member] = true
		}
		if _, err := io.WriteString(c, b.String()); err != nil {
			return acknowledged
		}
		last := make(map[string]int)
		for i, w := range sent {
			last[w.member] = i
		}
		for i, w := range sent {
			for range w.replies {
				if _, _, err := c.reply(); err != nil {
					return acknowledged
				}
			}
			acknowledged++
			if l.in[w.member] = w.in; last[w.member] == i {
				delete(l.unsure, w.member)
			}
		}
	}
}

// check asks for both sets, and takes what it finds for what is known.
func (l *setLedger) check(t *testing.T, addr string) {
	t.Helper()
	c, err := dialRedis(addr)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	var sets [2]map[string]bool
	for i, key := range []string{"set:" + l.name, "twin:" + l.name} {
		fmt.Fprintf(c, "SMEMBERS %s\r\n", key)
		_, members, err := c.reply()
		if err != nil {
			t.Fatal(err)
		}
		sets[i] = make(map[string]bool)
		for _, m := range members {
			sets[i][m] = true
		}
	}
	for member, in := range l.in {
		if !l.unsure[member] && sets[0][member] != in {
			t.Errorf("%s: member %s is in the set: %v, acknowledged was %v", l.name, member, sets[0][member], in)
		}
	}
	for member := range l.both {
		if sets[0][member] != sets[1][member] {
			t.Errorf("%s: of a transaction, member %s is in one set (%v) and not in both (%v)", l.name, member,
				sets[0][member], sets[1][member])
		}
	}
	for member := range sets[0] {
		if _, known := l.in[member]; !known && !l.unsure[member] {
			t.Errorf("%s: member %s was never sent", l.name, member)
		}
	}
	for member := range l.unsure {
		l.in[member] = sets[0][member]
	}
	clear(l.unsure)
}

// TestKilledSets kills a server while clients of Redis write: what was acknowledged is there, and a
// transaction is there whole or not at all.
func TestKilledSets(t *testing.T) {
	rounds := 12
	if testing.Short() {
		rounds = 4
	}
	rounds = killRounds(t, rounds)
	const clients = 6
	var dir string
	var ledgers []*setLedger
	acknowledged := 0
	for round := range rounds {
		if round%roundsPerFolder == 0 {
			dir, ledgers = filepath.Join(t.TempDir(), "db"), nil
			for i := range clients {
				ledgers = append(ledgers, &setLedger{name: fmt.Sprint(i), in: make(map[string]bool),
					unsure: make(map[string]bool), both: make(map[string]bool)})
			}
		}
		cmd, addr := serveSets(t, dir)
		for _, l := range ledgers {
			l.check(t, addr)
		}
		time.AfterFunc(time.Duration(rand.Int64N(int64(time.Second))), func() { _ = cmd.Process.Kill() })
		var wg sync.WaitGroup
		counts := make([]int, clients)
		for i, l := range ledgers {
			wg.Go(func() { counts[i] = l.write(addr) })
		}
		wg.Wait()
		_ = cmd.Wait()
		for _, n := range counts {
			acknowledged += n
		}
	}
	cmd, addr := serveSets(t, dir)
	for _, l := range ledgers {
		l.check(t, addr)
	}
	_ = cmd.Process.Kill()
	_ = cmd.Wait()
	if acknowledged == 0 {
		t.Error("nothing was acknowledged: nothing was tested")
	}
	t.Logf("%d kills, %d writes were acknowledged", rounds, acknowledged)
}
