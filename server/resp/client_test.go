// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package resp

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"net"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/uproar-db/uproar"
	"github.com/uproar-db/uproar/store/memstore"
)

// client is a connection of a test.
type testClient struct {
	t    *testing.T
	conn net.Conn
	r    *bufio.Reader
}

func dial(t *testing.T, addr string) *testClient {
	t.Helper()
	conn, err := net.Dial("tcp", addr)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = conn.Close() })
	return &testClient{t, conn, bufio.NewReader(conn)}
}

// send sends commands together.
func (c *testClient) send(commands ...[]string) {
	c.t.Helper()
	var b strings.Builder
	for _, args := range commands {
		fmt.Fprintf(&b, "*%d\r\n", len(args))
		for _, arg := range args {
			fmt.Fprintf(&b, "$%d\r\n%s\r\n", len(arg), arg)
		}
	}
	c.raw(b.String())
}

func (c *testClient) raw(text string) {
	c.t.Helper()
	if _, err := io.WriteString(c.conn, text); err != nil {
		c.t.Fatal(err)
	}
}

// ask sends a command and returns its reply.
func (c *testClient) ask(args ...string) string {
	c.t.Helper()
	c.send(args)
	return c.reply()
}

// reply reads a reply: its bytes, with the texts of arrays quoted, between brackets.
func (c *testClient) reply() string {
	c.t.Helper()
	_ = c.conn.SetReadDeadline(time.Now().Add(time.Minute))
	text, err := readReply(c.r, false)
	if err != nil {
		c.t.Fatal(err)
	}
	return text
}

// readReply reads a reply as text. Sets are sorted, and also arrays when sorted.
func readReply(r *bufio.Reader, sorted bool) (string, error) {
	line, err := r.ReadString('\n')
	if err != nil {
		return "", err
	}
	line = strings.TrimSuffix(line, "\r\n")
	if line == "" {
		return "", fmt.Errorf("an empty reply")
	}
	kind, rest := line[0], line[1:]
	switch kind {
	case '+', '-', ':', '_':
		return line, nil
	case '$', '=':
		n, err := strconv.Atoi(rest)
		if err != nil || n < 0 {
			return line, err
		}
		text := make([]byte, n+2)
		if _, err := io.ReadFull(r, text); err != nil {
			return "", err
		}
		return strconv.Quote(string(text[:n])), nil
	case '*', '~', '%':
		n, err := strconv.Atoi(rest)
		if err != nil || n < 0 {
			return line, err
		}
		if kind == '%' {
			n *= 2
		}
		all := make([]string, n)
		for i := range all {
			if all[i], err = readReply(r, sorted); err != nil {
				return "", err
			}
		}
		if kind == '~' || sorted {
			slices.Sort(all)
		}
		return string(kind) + "[" + strings.Join(all, " ") + "]", nil
	}
	return "", fmt.Errorf("got a reply that begins with %q", line)
}

// want asks and compares the reply.
func (c *testClient) want(reply string, args ...string) {
	c.t.Helper()
	if got := c.ask(args...); got != reply {
		c.t.Errorf("%q: got %s, want %s", args, got, reply)
	}
}

// words is want of a command with spaces between its words.
func (c *testClient) words(command, reply string) {
	c.t.Helper()
	c.want(reply, strings.Fields(command)...)
}

// serve serves a database in memory, and returns its address.
func serve(t *testing.T, opts Options) (addr string, db *uproar.DB) {
	t.Helper()
	db, err := uproar.Open(t.Context(), memstore.New(), nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := db.Close(); err != nil {
			t.Error(err)
		}
	})
	addr, _ = serveDB(t, db, opts)
	return addr, db
}

// serveDB serves a database until the test ends, or stop is called.
func serveDB(t *testing.T, db *uproar.DB, opts Options) (addr string, stop func()) {
	t.Helper()
	addr, _, stop = serveStopping(t, db, opts)
	return addr, stop
}

// serveStopping is serveDB, and returns the server.
func serveStopping(t *testing.T, db *uproar.DB, opts Options) (addr string, s *Server, stop func()) {
	t.Helper()
	if opts.Index == "" {
		opts.Index = "redis"
	}
	s, err := New(t.Context(), db, opts)
	if err != nil {
		t.Fatal(err)
	}
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	served := make(chan error, 1)
	go func() { served <- s.Serve(ctx, ln) }()
	done := false
	stop = func() {
		if done {
			return
		}
		done = true
		cancel()
		if err := <-served; err != nil {
			t.Error(err)
		}
		s.Close()
	}
	t.Cleanup(stop)
	return ln.Addr().String(), s, stop
}
