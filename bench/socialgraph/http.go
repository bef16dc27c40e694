// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package socialgraph

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"slices"
	"strconv"
	"time"

	"github.com/valyala/fasthttp"
	"golang.org/x/sync/errgroup"

	"github.com/uproar-db/uproar/server"
)

// askHTTP measures lines over HTTP, and beside each the constant reply of the same size.
func (b *bench) askHTTP(ctx context.Context, lines []line) error {
	quiet := slog.New(slog.DiscardHandler)
	s, err := server.New(b.db, &server.Options{Paths: server.Paths{GraphD: true}, Logger: quiet})
	if err != nil {
		return err
	}
	ln, err := new(net.ListenConfig).Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	serving, stop := context.WithCancel(ctx)
	served := make(chan error, 1)
	go func() { served <- s.Serve(serving, ln) }()
	defer func() { stop(); <-served }()
	for _, l := range lines {
		b.opts.Phase("asking over HTTP: " + l.name)
		requests := make([][]byte, len(l.questions))
		for i, q := range l.questions {
			requests[i] = fmt.Appendf(nil, "GET %s HTTP/1.1\r\nHost: localhost\r\n\r\n", q.address(&b.opts.Network))
		}
		c, err := b.inTurns(ctx, ln.Addr().String(), requests)
		if err != nil {
			return fmt.Errorf("%s: %w", l.name, err)
		}
		c.Name = l.name
		b.report.HTTP = append(b.report.HTTP, c)
	}
	return nil
}

// rounds is how often answers and constant replies are measured in turn. So what else the machine
// does falls on both.
const rounds = 4

// inTurns measures answers to requests and constant replies of their size in turn, and returns the
// means.
func (b *bench) inTurns(ctx context.Context, address string, requests [][]byte) (mean Call, err error) {
	for range rounds {
		c, err := b.call(ctx, address, requests)
		if err != nil {
			return mean, err
		}
		if c.Ceiling, err = b.ceiling(ctx, int(c.Bytes)); err != nil {
			return mean, err
		}
		mean.PerSecond, mean.Ceiling, mean.Bytes = mean.PerSecond+c.PerSecond/rounds, mean.Ceiling+c.Ceiling/rounds,
			mean.Bytes+c.Bytes/rounds
		mean.P50, mean.P99 = mean.P50+c.P50/rounds, mean.P99+c.P99/rounds
	}
	return mean, nil
}

// ceiling returns how many constant replies of a size the transport of the server gives a second.
func (b *bench) ceiling(ctx context.Context, size int) (float64, error) {
	ln, err := new(net.ListenConfig).Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		return 0, err
	}
	body := bytes.Repeat([]byte("x"), size)
	constant := &fasthttp.Server{NoDefaultServerHeader: true, Handler: func(f *fasthttp.RequestCtx) {
		f.SetContentType("application/json; charset=UTF-8")
		f.Response.SetBodyRaw(body)
	}}
	served := make(chan error, 1)
	go func() { served <- constant.Serve(ln) }()
	c, err := b.call(ctx, ln.Addr().String(), [][]byte{[]byte("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n")})
	return c.PerSecond, errors.Join(err, constant.Shutdown(), <-served)
}

// call sends requests over several connections. Each sends the next one as soon as the answer to
// the one before is there.
func (b *bench) call(ctx context.Context, address string, requests [][]byte) (c Call, err error) {
	type outcome struct {
		times []float64
		bytes int64
	}
	outcomes := make([]outcome, b.opts.Connections)
	clients, ctx := errgroup.WithContext(ctx)
	start := time.Now()
	slot := b.opts.Time / rounds
	warm, end := start.Add(slot/5), start.Add(slot/5+slot)
	for i := range outcomes {
		out := &outcomes[i]
		clients.Go(func() error {
			conn, err := new(net.Dialer).DialContext(ctx, "tcp", address)
			if err != nil {
				return err
			}
			defer conn.Close()
			in := bufio.NewReaderSize(conn, 32<<10)
			for at := i * len(requests) / len(outcomes); ; at++ {
				before := time.Now()
				if ctx.Err() != nil || before.After(end) && len(out.times) > 0 { // each has at least one answer
					return ctx.Err()
				}
				if _, err := conn.Write(requests[at%len(requests)]); err != nil {
					return err
				}
				n, err := readAnswer(in)
				if err != nil {
					return fmt.Errorf("%q: %w", requests[at%len(requests)], err)
				}
				if before.After(warm) {
					out.times = append(out.times, time.Since(before).Seconds())
					out.bytes += n
				}
			}
		})
	}
	if err := clients.Wait(); err != nil {
		return c, err
	}
	var times []float64
	for _, o := range outcomes {
		times = append(times, o.times...)
		c.Bytes += float64(o.bytes)
	}
	if len(times) == 0 {
		return c, errors.New("got no answer in time")
	}
	slices.Sort(times)
	c.PerSecond = float64(len(times)) / time.Since(warm).Seconds() // the last answers may have come late
	c.P50, c.P99, c.Bytes = times[len(times)/2], times[len(times)*99/100], c.Bytes/float64(len(times))
	return c, nil
}

// readAnswer reads an answer of HTTP/1.1, and returns the length of its body. It does what is
// needed and no more: the client shares its processors with the server.
func readAnswer(in *bufio.Reader) (length int64, err error) {
	status, err := in.ReadSlice('\n')
	if err != nil {
		return 0, err
	}
	if !bytes.HasPrefix(status, []byte("HTTP/1.1 200 ")) {
		return 0, fmt.Errorf("got %q, want status 200", bytes.TrimSpace(status))
	}
	length = -1
	for {
		field, err := in.ReadSlice('\n')
		if err != nil {
			return 0, err
		}
		name, value, found := bytes.Cut(field, []byte(": "))
		if !found {
			break
		}
		if bytes.EqualFold(name, []byte("Content-Length")) {
			if length, err = strconv.ParseInt(string(bytes.TrimSpace(value)), 10, 64); err != nil {
				return 0, err
			}
		}
	}
	if length >= 0 {
		_, err := in.Discard(int(length))
		return length, err
	}
	for length = 0; ; { // in chunks
		head, err := in.ReadSlice('\n')
		if err != nil {
			return 0, err
		}
		n, err := strconv.ParseInt(string(bytes.TrimSpace(head)), 16, 64)
		if err != nil {
			return 0, err
		}
		if _, err := io.CopyN(io.Discard, in, n+2); err != nil { // with the end of its line
			return 0, err
		}
		if length += n; n == 0 {
			return length, nil
		}
	}
}
