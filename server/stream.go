// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package server

import (
	"io"
	"net/http"
	"time"
)

// patientStream is a stream that is sent. Each part that is read of it may take as long to be sent
// as a whole answer of another request.
type patientStream struct {
	stream      io.ReadCloser
	setDeadline func(time.Time) error // of writing
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
