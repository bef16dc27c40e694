// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package resp

import (
	"errors"
	"fmt"
	"io"
	"net"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/uproar-db/uproar"
	"github.com/uproar-db/uproar/server/resp/names"
)

// wantEnd waits until the server ends a connection, which must be after some time.
func wantEnd(t *testing.T, c *testClient, least time.Duration) {
	t.Helper()
	start := time.Now()
	_ = c.conn.SetReadDeadline(start.Add(20 * time.Second))
	_, err := c.r.ReadByte()
	if took := time.Since(start); !errors.Is(err, io.EOF) || took < least {
		t.Errorf("got %v after %v, want the end of the connection after %v", err, took, least)
	}
}

// TestOpenFiles: clients leave files to the store, and to those of HTTP.
func TestOpenFiles(t *testing.T) {
	var before syscall.Rlimit
	if err := syscall.Getrlimit(syscall.RLIMIT_NOFILE, &before); err != nil {
		t.Fatal(err)
	}
	limit := before
	limit.Cur = min(300, before.Max)
	if err := syscall.Setrlimit(syscall.RLIMIT_NOFILE, &limit); err != nil {
		t.Fatal(err)
	}
	_, s := serveKnown(t, Options{})
	if err := syscall.Setrlimit(syscall.RLIMIT_NOFILE, &before); err != nil {
		t.Fatal(err)
	}
	if n := s.number("maxclients"); n > 100 || n < 20 {
		t.Errorf("got %d clients with 300 files, want at most a third", n)
	}
}

// TestIdle: clients without a token, or without a command, are cut off; others are not.
func TestIdle(t *testing.T) {
	allow := func(token string) (string, Access) {
		if token == "writes" {
			return "bob", Writer
		}
		return "", Nobody
	}
	addr, _ := serve(t, Options{Allow: allow, Stranger: 600 * time.Millisecond})
	known, stranger := dial(t, addr), dial(t, addr)
	known.words("AUTH writes", "+OK")
	stranger.words("AUTH wrong", "-"+string(errWrongPass)) // does not begin the time anew
	time.Sleep(300 * time.Millisecond)
	stranger.words("PING", "-"+string(errNoAuth))
	wantEnd(t, stranger, 100*time.Millisecond)
	time.Sleep(500 * time.Millisecond)
	known.words("PING", "+PONG")
	known.words("RESET", "+RESET")
	wantEnd(t, known, 400*time.Millisecond)

	addr, _ = serve(t, Options{Idle: time.Hour})
	a, b := dial(t, addr), dial(t, addr)
	a.words("CONFIG GET timeout", `*["timeout" "3600"]`)
	b.words("CONFIG SET timeout 1", "+OK")
	a.words("PING", "+PONG") // from now on
	b.words("PING", "+PONG")
	wantEnd(t, a, 800*time.Millisecond)
	c := dial(t, addr)
	c.words("CONFIG SET timeout 0", "+OK")
	time.Sleep(1300 * time.Millisecond)
	c.words("PING", "+PONG")
}

// TestMaxClients: one connection too many is refused in the words of Redis.
func TestMaxClients(t *testing.T) {
	addr, _ := serve(t, Options{Connections: 3})
	a, b := dial(t, addr), dial(t, addr)
	a.words("PING", "+PONG")
	b.words("PING", "+PONG")
	a.words("CONFIG SET maxclients 4", "-ERR CONFIG SET failed (possibly related to argument 'maxclients') - "+
		"The operating system is not able to handle the specified number of clients, try with 3")
	a.words("CONFIG SET maxclients 2", "+OK")
	refused := func() {
		t.Helper()
		conn, err := net.Dial("tcp", addr)
		if err != nil {
			t.Fatal(err)
		}
		defer conn.Close()
		_ = conn.SetDeadline(time.Now().Add(20 * time.Second))
		if got, err := io.ReadAll(conn); err != nil || string(got) != "-ERR max number of clients reached\r\n" {
			t.Errorf("got %q, %v", got, err)
		}
	}
	refused()
	a.words("CONFIG SET maxclients 3", "+OK")
	dial(t, addr).words("PING", "+PONG")
	refused()
}

// TestSettingsAgainstRedis: settings are refused in the words of Redis.
func TestSettingsAgainstRedis(t *testing.T) {
	addr, _ := serve(t, Options{})
	ours, theirs := dial(t, addr), dial(t, redisServer(t))
	for _, line := range []string{
		"CONFIG SET nonsense 1", "CONFIG SET timeout x", "CONFIG SET timeout -1", "CONFIG SET timeout 99999999999",
		"CONFIG SET timeout 007", "CONFIG SET timeout 5", "CONFIG GET timeout", "CONFIG SET timeout 0 nonsense 1",
		"CONFIG GET timeout", "CONFIG SET timeout 7 timeout 8", "CONFIG GET timeout", "CONFIG SET databases 2",
		"CONFIG SET maxclients 0", "CONFIG SET maxclients x", "CONFIG SET set-max-intset-entries -1",
		"CONFIG SET set-max-intset-entries 3", "CONFIG GET set-max-intset-entries", "SADD s 1 2 3", "OBJECT ENCODING s",
		"SADD s 4", "OBJECT ENCODING s", "CONFIG SET timeout 9 databases 3", "CONFIG GET timeout",
		"CONFIG SET set-max-listpack-entries 3", "CONFIG SET", "CONFIG SET timeout",
	} {
		if got, want := ours.ask(strings.Fields(line)...), theirs.ask(strings.Fields(line)...); got != want {
			t.Errorf("%s:\ngot  %s\nwant %s", line, got, want)
		}
	}
	// What is so may be said, and what is not so cannot become so.
	ours.words("CONFIG SET appendonly yes maxmemory 0", "+OK")
	ours.words("CONFIG SET appendonly no", "-ERR CONFIG SET failed (possibly related to argument 'appendonly') - "+
		"can't set immutable config")
}

// TestLargestCommand: what a command may have is what fits, and an error says both lengths.
func TestLargestCommand(t *testing.T) {
	addr, s := serveKnown(t, Options{Memory: 8 << 20})
	part := strings.Repeat("x", 60_000)
	command := func(bytes int) (words []string) {
		words = []string{"SADD", "s"}
		for i := 0; i*len(part) < bytes; i++ {
			words = append(words, fmt.Sprintf("%04d", i)+part)
		}
		return words
	}
	c := dial(t, addr)
	fits := command(2_900_000)
	c.want(fmt.Sprint(":", len(fits)-2), fits...)
	wantMemory(t, s, 0)
	c.send(command(3_300_000))
	want := fmt.Sprintf("-ERR Protocol error: too big request: got more than %d bytes, want a command of at most as many",
		3<<20)
	if got := c.reply(); got != want {
		t.Errorf("got %.200s\nwant %s", got, want)
	}
	wantMemory(t, s, 0)

	c = dial(t, addr)
	long := strings.Repeat("k", names.MaxKey)
	c.want(fmt.Sprintf("-ERR a member: got %d bytes, want at most %d", names.MaxMember+1, names.MaxMember),
		"SADD", "s", long+strings.Repeat("k", names.MaxMember+1-names.MaxKey))
	c.want(fmt.Sprintf("-ERR a key: got %d bytes, want at most %d", names.MaxKey+1, names.MaxKey),
		"SADD", long+"k", "a")
	c.want(":1", "SADD", long, long)
	got := c.ask("SEXPIRE", long, "100", "MEMBERS", "1", long)
	if want := fmt.Sprintf("bytes, want at most %d", names.MaxMember); !strings.Contains(got, want) ||
		!strings.HasPrefix(got, "-ERR a key with a member that has a time: got 13") {
		t.Errorf("the time of a member that is too long: got %s", got)
	}
}

// TestTooManyFiles: files that are too many are not told as a full disk.
func TestTooManyFiles(t *testing.T) {
	err := fmt.Errorf("%w: %w", uproar.ErrFull, syscall.EMFILE)
	if text := textOf(err); strings.Contains(text, "disk") || !strings.HasPrefix(text, "MISCONF ") {
		t.Errorf("got %q, want one of too many files", text)
	}
	if text := textOf(uproar.ErrFull); !strings.Contains(text, "disk") {
		t.Errorf("got %q, want one of the disk", text)
	}
}
