// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package transport

import (
	"errors"
	"io"
	"net"
	"net/netip"
	"strings"
	"testing"
	"time"
)

// A fakeConn is a connection from an address. Nothing comes from it.
type fakeConn struct {
	net.Conn
	from   net.Addr
	closed chan struct{}
}

func newFakeConn(address string) *fakeConn {
	near, _ := net.Pipe()
	return &fakeConn{Conn: near, from: net.TCPAddrFromAddrPort(netip.MustParseAddrPort(address)),
		closed: make(chan struct{})}
}

func (c *fakeConn) RemoteAddr() net.Addr { return c.from }

func (c *fakeConn) Close() error {
	if !c.isClosed() {
		close(c.closed)
	}
	return c.Conn.Close()
}

// isClosed reports whether the other side has been told to go.
func (c *fakeConn) isClosed() bool {
	select {
	case <-c.closed:
		return true
	default:
		return false
	}
}

// newTestListener returns a Listener that admits what it is given.
func newTestListener(most, perAddress int, gaveWay *int) *Listener {
	return NewListener(nil, Options{Most: most, PerAddress: perAddress, MaxHead: testHead, MaxBody: testBody,
		HeadTime: time.Minute, GaveWay: func() {
			*gaveWay++
		}})
}

// TestGivingWay: the connection that has waited longest gives way, and none that is being answered.
func TestGivingWay(t *testing.T) {
	gaveWay := 0
	l := newTestListener(3, 0, &gaveWay)
	var below []*fakeConn
	var conns []*Conn
	admit := func() bool {
		below = append(below, newFakeConn("10.0.0.1:1"))
		time.Sleep(time.Millisecond) // so that each has waited longer than the next
		c := l.admit(below[len(below)-1])
		conns = append(conns, c)
		return c != nil
	}
	for range 3 {
		admit()
	}
	conns[0].BeginAnswer()
	if !admit() || below[0].isClosed() || !below[1].isClosed() || below[2].isClosed() {
		t.Error("want the second one closed, which has waited longest of those that wait")
	}
	conns[0].Waiting() // only now
	if !admit() || below[0].isClosed() || !below[2].isClosed() {
		t.Error("want the third one closed")
	}
	for _, i := range []int{0, 3, 4} {
		conns[i].BeginAnswer()
	}
	if admit() {
		t.Error("while all are being answered: want no place for another")
	}
	if gaveWay != 2 || l.Open() != 3 {
		t.Errorf("%d gave way, %d are open, want 2 and 3", gaveWay, l.Open())
	}
	for _, i := range []int{0, 3, 4} {
		_ = conns[i].Close()
	}
	if l.Open() != 0 || len(l.addresses) != 0 {
		t.Errorf("%d are open, of %v, want none", l.Open(), l.addresses)
	}
}

// TestUnnoticed: connections that gave way count until who serves them closes them, so that there
// are never too many of them.
func TestUnnoticed(t *testing.T) {
	gaveWay := 0
	l := newTestListener(1, 0, &gaveWay)
	admit := func() *Conn { return l.admit(newFakeConn("10.0.0.1:1")) }
	var conns []*Conn
	for range 1 + leastUnnoticed {
		c := admit()
		if c == nil {
			t.Fatalf("refused after %d, want %d", len(conns), 1+leastUnnoticed)
		}
		conns = append(conns, c)
	}
	if admit() != nil {
		t.Error("got a place beside connections that nobody has closed, want none")
	}
	_ = conns[0].Close()
	_ = conns[0].Close() // which counts once
	if admit() == nil || admit() != nil {
		t.Error("after one was closed: want a place for one more")
	}
}

// TestPerAddress: one address gives way to itself; this machine has no bound, and a network of IPv6
// is one address.
func TestPerAddress(t *testing.T) {
	for name, test := range map[string]struct {
		addresses []string
		open      int
	}{
		"one address":   {[]string{"10.0.0.1:1", "10.0.0.1:2", "10.0.0.1:3"}, 2},
		"mapped":        {[]string{"10.0.0.1:1", "[::ffff:10.0.0.1]:2", "10.0.0.1:3"}, 2},
		"two addresses": {[]string{"10.0.0.1:1", "10.0.0.2:2", "10.0.0.1:3"}, 3},
		"this machine":  {[]string{"127.0.0.1:1", "127.0.0.1:2", "[::1]:3", "127.0.0.1:4"}, 4},
		"one network":   {[]string{"[2001:db8::1]:1", "[2001:db8::2]:1", "[2001:db8::3:0:0:1]:1"}, 2},
		"two networks":  {[]string{"[2001:db8::1]:1", "[2001:db8:0:1::2]:1", "[2001:db8::3:0:0:1]:1"}, 3},
	} {
		gaveWay := 0
		l := newTestListener(100, 2, &gaveWay)
		for _, address := range test.addresses {
			if l.admit(newFakeConn(address)) == nil {
				t.Errorf("%s: %s was refused", name, address)
			}
		}
		if l.Open() != test.open || gaveWay != len(test.addresses)-test.open {
			t.Errorf("%s: %d are open, %d gave way, want %d open", name, l.Open(), gaveWay, test.open)
		}
	}
}

// pair returns a Conn, and the other end.
func pair(t *testing.T) (*Conn, net.Conn) {
	t.Helper()
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	l := NewListener(ln, Options{Most: 9, MaxHead: testHead, MaxBody: testBody, HeadTime: 50 * time.Millisecond})
	defer l.Close()
	far, err := net.Dial("tcp", ln.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	conn, err := l.Accept()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { conn.(*Conn).Abort(); far.Close() })
	return conn.(*Conn), far
}

// TestSlowHead: the time of a head begins with its first byte; an empty line, and silence, are
// none.
func TestSlowHead(t *testing.T) {
	c, far := pair(t)
	_ = c.SetReadDeadline(time.Now().Add(200 * time.Millisecond))
	_, _ = io.WriteString(far, "\r\n")
	start := time.Now()
	var timeout net.Error
	if n, err := c.Read(make([]byte, 10)); n != 0 || !errors.As(err, &timeout) || !timeout.Timeout() ||
		time.Since(start) < 150*time.Millisecond {
		t.Errorf("silence: got %d bytes, %v after %v, want the deadline that was set", n, err, time.Since(start))
	}
	_ = c.SetReadDeadline(time.Now().Add(time.Minute))
	_, _ = io.WriteString(far, "GET / HT")
	got, err := io.ReadAll(c)
	refused, ok := errors.AsType[*Error](err)
	if string(got) != "!" || !ok || refused.Status != 408 {
		t.Errorf("half a head: got %q, %v, want a byte, and 408", got, err)
	}
}

// TestPipelined: the head of the next request does not make a connection one that gives way while
// the last one is answered.
func TestPipelined(t *testing.T) {
	c, far := pair(t)
	const get = "GET / HTTP/1.1\r\nHost: x\r\n\r\n"
	for _, before := range []state{waiting, inAnswer} {
		_, _ = io.WriteString(far, get)
		if n, err := io.ReadFull(c, make([]byte, len(get))); err != nil {
			t.Fatalf("got %d bytes, %v", n, err)
		}
		if want := max(before, receiving); c.socket.state() != want {
			t.Errorf("got state %d after a head, want %d", c.socket.state(), want)
		}
		c.BeginAnswer()
	}
	_, _ = io.WriteString(far, get+"\x00")
	if n, err := c.Read(make([]byte, 100)); n != len(get) || err != nil {
		t.Fatalf("got %d bytes, %v", n, err)
	}
	c.BeginAnswer()
	c.Waiting()
	if got, _ := io.ReadAll(c); string(got) != "!" || c.socket.state() != receiving {
		t.Errorf("got %q and state %d, want a byte, and that it is to be answered", got, c.socket.state())
	}
}

// TestBrokenOff: the end of a connection in the middle of a request is told from one between
// requests.
func TestBrokenOff(t *testing.T) {
	const post = "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 3\r\n\r\nabc"
	for said, want := range map[string]string{
		"": "", "\r\n": "", post: "", post + "\r\n": "",
		post[:10]:          "transport: the connection ended in the head of a request",
		post[:len(post)-1]: "unexpected EOF", post[:len(post)-3]: "unexpected EOF",
	} {
		c, far := pair(t)
		_, _ = io.WriteString(far, said)
		_ = far.(*net.TCPConn).CloseWrite()
		_, err := io.ReadAll(c)
		if got := ""; err != nil {
			got = err.Error()
			if got != want {
				t.Errorf("%q: got %s, want %q", said, got, want)
			}
		} else if want != "" {
			t.Errorf("%q: got the end, want %s", said, want)
		}
	}
}

// TestLinger: a client that sends more than anyone reads gets its answer, and Close does not wait
// for one that is silent for long.
func TestLinger(t *testing.T) {
	c, far := pair(t)
	_, _ = io.WriteString(far, "POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nwrong\r\n")
	if _, err := io.ReadAll(c); err == nil {
		t.Fatal("want an error")
	}
	sent := make(chan error, 1)
	go func() {
		_, err := io.WriteString(far, strings.Repeat("x", 4<<20))
		_ = far.(*net.TCPConn).CloseWrite()
		sent <- err
	}()
	_, _ = io.WriteString(c, "answer")
	_ = c.Close()
	if err := <-sent; err != nil {
		t.Errorf("sending: %v", err)
	}
	if answer, err := io.ReadAll(far); string(answer) != "answer" || err != nil {
		t.Errorf("got %q, %v", answer, err)
	}
	silent, far := pair(t)
	_, _ = io.WriteString(far, "GET / HTTP/1.1\r\nHost: x\r\n\r\n")
	_, _ = silent.Read(make([]byte, 100))
	start := time.Now()
	_ = silent.Close()
	if took := time.Since(start); took < lingerQuiet/2 || took > lingerTime {
		t.Errorf("closing took %v, want %v", took, lingerQuiet)
	}
	idle, _ := pair(t)
	start = time.Now()
	_ = idle.Close()
	if took := time.Since(start); took > lingerQuiet/2 {
		t.Errorf("closing one that waits took %v, want no time", took)
	}
}
