// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package eventloop_test

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"io"
	"net"
	"os"
	"sync/atomic"
	"testing"
	"time"

	"github.com/uproar-db/uproar/internal/eventloop"
)

// lines answers lines: what one says is sent back in capitals. "big" is answered by many bytes, "bye" is the last one, what begins with "?" is not answered, and with "slow" after some time; "slow big" is both. "nap" has all others wait. "long?" is whether the answer before took long, and whether the loop is to end.
func lines() eventloop.Answer {
	return func(memory []byte, asked eventloop.Asked) eventloop.Answered {
		line, _, ok := bytes.Cut(asked.Said, []byte{'\n'})
		if !ok || line[0] == '?' {
			return eventloop.Answered{Memory: memory}
		}
		answered := eventloop.Answered{Used: len(line) + 1, Last: string(line) == "bye"}
		if after, slow := bytes.CutPrefix(bytes.Clone(line), []byte("slow ")); slow {
			answered.Memory = memory
			answered.Later = func() ([]byte, func()) {
				pending.Add(1)
				time.Sleep(slowTime)
				if string(after) == "big" {
					return append(bytes.Clone(big), '\n'), func() { pending.Add(-1) }
				}
				return append(bytes.ToUpper(after), '\n'), func() { pending.Add(-1) }
			}
			return answered
		}
		memory = append(memory, "room"...) // as a head has it that is shorter than the room for it
		from := len(memory)
		if string(line) == "big" {
			memory = append(memory, big...)
		} else if string(line) == "nap" {
			pending.Add(1)
			time.Sleep(2 * slowTime)
			pending.Add(-1)
		} else if string(line) == "long?" {
			memory = fmt.Append(memory, asked.Long, asked.Ending)
		} else {
			memory = append(memory, bytes.ToUpper(line)...)
		}
		answered.Memory, answered.From = append(memory, '\n'), from
		return answered
	}
}

const slowTime = 100 * time.Millisecond

// pending is how many slow answers are being made or sent.
var pending atomic.Int64

// big is an answer that no connection takes at once.
var big = func() []byte {
	b := make([]byte, 24<<20)
	for i := range b {
		b[i] = 'a' + byte(i*7+i>>12)%26
	}
	return b
}()

// place is where connections are served by loops.
type place struct {
	t      *testing.T
	ln     net.Listener
	loops  *eventloop.Loops
	left   chan leftConn
	closed atomic.Int64
	taken  atomic.Int64
}

type leftConn struct {
	net.Conn
	said string
}

func (p *place) Left(conn net.Conn, said []byte) { p.left <- leftConn{conn, string(said)} }
func (p *place) Closed()                         { p.closed.Add(1) }

// newPlace serves connections until the test ends. Times that are 0 are long.
func newPlace(t *testing.T, opts eventloop.Options) *place {
	opts.Answer = lines
	for _, d := range []*time.Duration{&opts.First, &opts.Idle, &opts.Taking} {
		if *d == 0 {
			*d = time.Minute
		}
	}
	loops, err := eventloop.New(&opts)
	if err != nil {
		t.Fatal(err)
	}
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	p := &place{t: t, ln: ln, loops: loops, left: make(chan leftConn, 1000)}
	go func() {
		for {
			conn, err := ln.Accept()
			if err != nil {
				return
			}
			if loops.Add(conn, p) != nil {
				_ = conn.Close()
				continue
			}
			p.taken.Add(1)
		}
	}()
	t.Cleanup(func() {
		_ = ln.Close()
		loops.Stop()
		done, cancel := context.WithCancel(context.Background())
		cancel()
		_ = loops.Wait(done)
	})
	return p
}

// peer is the other side of a connection.
type peer struct {
	t *testing.T
	net.Conn
	r *bufio.Reader
}

func (p *place) dial() *peer {
	p.t.Helper()
	conn, err := net.Dial("tcp", p.ln.Addr().String())
	if err != nil {
		p.t.Fatal(err)
	}
	p.t.Cleanup(func() { _ = conn.Close() })
	_ = conn.SetDeadline(time.Now().Add(time.Minute))
	return &peer{p.t, conn, bufio.NewReader(conn)}
}

func (c *peer) say(text string) {
	c.t.Helper()
	if _, err := io.WriteString(c, text); err != nil {
		c.t.Fatal(err)
	}
}

func (c *peer) hear(want string) {
	c.t.Helper()
	if line, err := c.r.ReadString('\n'); err != nil || line != want+"\n" {
		c.t.Fatalf("got %.40q, %v, want %q", line, err, want)
	}
}

// hearEnd waits until the connection is closed, and has nothing more to say.
func (c *peer) hearEnd() {
	c.t.Helper()
	if b, err := c.r.ReadByte(); err != io.EOF {
		c.t.Fatalf("got byte %q, %v, want the end", b, err)
	}
}

func eventually(t *testing.T, what string, is func() bool) {
	t.Helper()
	for range 3000 {
		if is() {
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
	t.Fatal(what)
}

// dialed is the side of a connection that is to be served.
func dialed(t *testing.T, p *place) net.Conn {
	t.Helper()
	conn, err := net.Dial("tcp", p.ln.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = conn.Close() })
	return conn
}

// pair returns both sides of a connection.
func pair(t *testing.T) (a, b net.Conn) {
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Error(err)
		return
	}
	defer ln.Close()
	if b, err = net.Dial("tcp", ln.Addr().String()); err != nil {
		t.Error(err)
		return
	}
	if a, err = ln.Accept(); err != nil {
		t.Error(err)
	}
	return a, b
}

func openFiles(t *testing.T) int {
	t.Helper()
	files, err := os.ReadDir("/proc/self/fd")
	if err != nil {
		t.Fatal(err)
	}
	return len(files)
}
