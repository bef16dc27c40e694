// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package server

import (
	"context"
	"errors"
	"io"
	"log/slog"
	"net/http"
	"time"

	"github.com/uproar-db/uproar/api"
	"github.com/uproar-db/uproar/internal/trace"
	"github.com/uproar-db/uproar/server/call"
)

// patientStream is a stream that is sent. Each part that is read of it may take as long to be sent
// as a whole answer of another request.
type patientStream struct {
	stream      io.ReadCloser
	setDeadline func(time.Time) error // of writing
}

// watchStream has the log, the figures and the trace hear of the end of an answer's stream. What
// goes wrong in it can be told to no client: the connection breaks off.
func (s *Server) watchStream(ctx context.Context, e *bound, c *call.Request, r *response, start time.Time,
	step *trace.Step) {
	fields := append(traceOf(ctx), slog.String("request_id", c.ID), slog.String("endpoint", e.Name))
	r.stream = &watchedStream{ReadCloser: r.stream, ended: func(bytes int64, err error) {
		step.Int("uproar.stream_bytes", bytes)
		step.End(err)
		if e.Path == backupPath { // which says by itself what became of it
			return
		}
		if e.observed != nil {
			e.observed.sent.Add(float64(bytes))
		}
		fields = append(fields, slog.Int64("bytes", bytes), slog.Duration("took", time.Since(start)))
		if err == nil {
			s.opts.Logger.LogAttrs(context.Background(), slog.LevelDebug, "stream sent", fields...)
			return
		}
		failed, level := call.Failure(err), slog.LevelWarn
		if failed.Code == api.CodeInternal {
			level = slog.LevelError
		}
		if e.observed != nil {
			e.observed.all.errors.WithLabelValues(e.Name, string(failed.Code)).Inc()
		}
		fields = append(fields, slog.Any("error", err))
		if p, ok := errors.AsType[*call.Panicked](err); ok {
			fields = append(fields, slog.String("stack", string(p.Stack)))
		}
		s.opts.Logger.LogAttrs(context.Background(), level, "stream broken off", fields...)
	}}
}

// watchedStream is a stream whose end is told once: how much was read, and what went wrong.
type watchedStream struct {
	io.ReadCloser
	bytes int64
	err   error
	ended func(bytes int64, err error)
}

// Read reads the next part.
func (w *watchedStream) Read(b []byte) (int, error) {
	n, err := w.ReadCloser.Read(b)
	w.bytes += int64(n)
	if err != nil && err != io.EOF && !errors.Is(err, context.Canceled) {
		w.err = err
	}
	return n, err
}

// Close ends the stream, be it read to its end or not.
func (w *watchedStream) Close() error {
	err := w.ReadCloser.Close()
	if ended := w.ended; ended != nil {
		w.ended = nil
		ended(w.bytes, w.err)
	}
	return err
}

// streamPart is what is read at a time, at most: what a slow client must take within writeTimeout.
const streamPart = 256 << 10

// Read reads the next part, once the one before it was sent.
func (p *patientStream) Read(b []byte) (int, error) {
	n, err := p.stream.Read(b[:min(len(b), streamPart)])
	_ = p.setDeadline(time.Now().Add(writeTimeout)) // not every transport has deadlines
	return n, err
}

// Close ends the stream.
func (p *patientStream) Close() error { return p.stream.Close() }

// flushed sends each part at once.
type flushed struct {
	w    io.Writer
	conn *http.ResponseController
}

// Write sends bytes.
func (f flushed) Write(p []byte) (int, error) {
	n, err := f.w.Write(p)
	if err == nil {
		_ = f.conn.Flush() // not every transport has something to flush
	}
	return n, err
}
