// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package server

import (
	"bytes"
	"context"
	"errors"
	"io"
	"log/slog"
	"net"
	"runtime"
	"slices"
	"strconv"
	"time"

	"github.com/valyala/fasthttp"

	"github.com/uproar-db/uproar/internal/eventloop"
)

// brief is how long a question may take that is answered by the loop of its connection, where others wait meanwhile. One that takes longer is given up there, and asked again by a goroutine of its own.
const brief = time.Millisecond

// small is how many bytes a request may have that a loop answers itself: a larger one may take long to be read already.
const small = 2 << 10

// headRoom is room for the head of an answer, which is known after its body. It has some 200 bytes, of which none are a client's.
const headRoom = 512

// newLoops returns what serves connections without TLS as long as they ask plain questions; nil where there is no such thing.
func (s *Server) newLoops(base context.Context) *eventloop.Loops {
	if s.opts.TLS != nil {
		return nil
	}
	loop := -1
	loops, err := eventloop.New(&eventloop.Options{
		Answer: func() eventloop.Answer {
			loop++
			return (&loopAnswers{s: s, base: base, tally: s.metrics.tally(loop)}).answer
		},
		Loops:  runtime.GOMAXPROCS(0),
		Brief:  brief,
		First:  s.patience(),
		Idle:   idleTimeout,
		Taking: writeTimeout,
		Sorry:  crowdedAnswer(),
	})
	if err != nil {
		if !errors.Is(err, errors.ErrUnsupported) {
			s.opts.Logger.Warn("connections are served by a goroutine each", slog.Any("error", err))
		}
		return nil
	}
	return loops
}

// entrance is a listener whose connections loops serve. Accept returns those that they do not take.
type entrance struct {
	net.Listener
	loops *eventloop.Loops
}

func (e *entrance) Accept() (net.Conn, error) {
	for {
		conn, err := e.Listener.Accept()
		if err != nil {
			return nil, err
		}
		if c, ok := conn.(*counted); !ok || e.loops.Add(c.Conn, c) != nil {
			return conn, nil
		}
	}
}

// Left has the rest of a connection served by a goroutine of its own.
func (c *counted) Left(conn net.Conn, said []byte) {
	left := newCounted(conn, c.of)
	left.said = said
	c.of.left(left)
}

// Closed leaves room for another connection.
func (c *counted) Closed() { c.of.open.Add(-1) }

// loopAnswers answers the plain requests of one loop as fasthttp would, byte for byte, but that a connection goes on after a body that was too large.
type loopAnswers struct {
	s     *Server
	base  context.Context
	tally *tally
	of    plainTransport // the request at hand
	date  dateLine
}

// answer answers a request, if it is plain, and its endpoint one that only reads.
func (a *loopAnswers) answer(memory []byte, asked eventloop.Asked) (answered eventloop.Answered) {
	answered.Memory = memory
	r, used := parsePlain(asked.Said)
	if used == 0 {
		return answered
	}
	a.of = plainTransport{r, asked.Remote}
	c := a.s.plainCall(&a.of)
	if c.route == nil || !c.route.isBrief(c.method) {
		return answered
	}
	c.brief, c.tally = true, a.tally
	last := r.last || asked.Ending
	answered.Used, answered.Last = used, last
	if used <= small && !asked.Long {
		start := len(memory)
		if answer := a.s.respond(a.base, &c, asked.At, slices.Grow(memory, headRoom)[:start+headRoom]); answer.status != 0 {
			answered.From = frame(&answer, start, a.date.at(asked.At), last)
			answered.Memory = answer.body
			answer.charge.sent()
			return answered
		}
	}
	said := bytes.Clone(asked.Said[:used])
	answered.Later = func() ([]byte, func()) { return a.s.late(a.base, said, asked.Remote, last) }
	return answered
}

// plainCall makes a call of a request.
func (s *Server) plainCall(t *plainTransport) call {
	c := call{method: t.method, transport: t, length: -1}
	c.path, c.query, c.route = s.target(t.target)
	if t.method == "POST" {
		c.length = int64(len(t.body))
		c.contentType, c.encoding = mediaOf(t.peek("Content-Type")), t.header("Content-Encoding")
	}
	return c
}

// late answers a request that takes longer, in a goroutine of its own. Its time begins anew.
func (s *Server) late(base context.Context, said []byte, remote net.Addr, last bool) (answer []byte, done func()) {
	r, _ := parsePlain(said)
	c := s.plainCall(&plainTransport{r, remote})
	at := time.Now()
	buf := s.buffers.take()
	made := s.respond(base, &c, at, slices.Grow((*buf)[:0], headRoom)[:headRoom])
	from := frame(&made, 0, new(dateLine).at(at), last)
	*buf = made.body
	return made.body[from:], func() { s.buffers.give(buf); made.charge.sent() }
}

// frame puts the head of an answer before its body, which has room for it from start on, and returns where it begins.
func frame(answer *response, start int, date []byte, last bool) int {
	body := start + headRoom
	var room [headRoom]byte
	h := append(room[:0], "HTTP/1.1 "...)
	h = strconv.AppendInt(h, int64(answer.status), 10)
	h = append(h, ' ')
	h = append(h, fasthttp.StatusMessage(answer.status)...)
	h = append(h, date...)
	h = append(h, answer.contentType...)
	h = append(h, "\r\nContent-Length: "...)
	h = strconv.AppendInt(h, int64(len(answer.body)-body), 10)
	answer.headers(func(name, value string) { h = append(append(append(append(h, "\r\n"...), name...), ": "...), value...) })
	if last {
		h = append(h, "\r\nConnection: close"...)
	}
	h = append(h, "\r\n\r\n"...)
	if more := len(h) - headRoom; more > 0 { // which none has
		answer.body = slices.Insert(answer.body, body, make([]byte, more)...)
		body += more
	}
	from := body - len(h)
	copy(answer.body[from:], h)
	return from
}

// dateLine is what stands between the status and the type of an answer, the same within a second.
type dateLine struct {
	second int64
	text   []byte
}

func (d *dateLine) at(t time.Time) []byte {
	if second := t.Unix(); d.second != second {
		d.second = second
		d.text = append(d.text[:0], "\r\nDate: "...)
		d.text = append(fasthttp.AppendHTTPDate(d.text, t), "\r\nContent-Type: "...)
	}
	return d.text
}

// plainTransport is a plain request of a loop.
type plainTransport struct {
	plainRequest
	from net.Addr
}

func (t *plainTransport) Read(p []byte) (int, error) {
	if len(t.body) == 0 {
		return 0, io.EOF
	}
	n := copy(p, t.body)
	t.body = t.body[n:]
	return n, nil
}

func (*plainTransport) readUntil(time.Time) {}

func (t *plainTransport) remote() string { return t.from.String() }
