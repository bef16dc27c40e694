// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package server

import (
	"errors"
	"io"
	"sync"
	"sync/atomic"
	"time"
)

// errEnded is what a body is read with after its call has been answered.
var errEnded = errors.New("server: the call has been answered")

// patientBody is a body of any length, which may take as long as it takes, as long as something comes of it. It may be read by another goroutine than the one that answers the call.
type patientBody struct {
	transport transport
	length    int64 // announced; -1: it was not

	closing atomic.Bool
	mu      sync.Mutex // the transport is being read
	read    int64      // bytes
	err     error      // of the transport
}

// Read reads what comes next.
func (b *patientBody) Read(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.closing.Load() {
		return 0, errEnded
	}
	b.transport.readUntil(time.Now().Add(readTimeout))
	if b.closing.Load() { // close may have set its deadline before
		return 0, errEnded
	}
	n, err := b.transport.Read(p)
	b.read += int64(n)
	// A transport may take a connection that is closed for the end of the body.
	if err == io.EOF && b.read < b.length {
		err = io.ErrUnexpectedEOF
	}
	if err != nil && err != io.EOF && b.err == nil {
		b.err = err
	}
	return n, err
}

// progress returns how many bytes were read, and why no more can be; nil at the end.
func (b *patientBody) progress() (read int64, err error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.read, b.err
}

// drainTime is how long the rest of a body is waited for that is not wanted any more.
const drainTime = time.Second

// drain reads what a client is still sending, for a moment: one who is cut off in the midst of it may never read the answer.
func (b *patientBody) drain() {
	until := time.Now().Add(drainTime)
	b.closing.Store(true)
	b.transport.readUntil(until) // of who is reading
	b.mu.Lock()
	defer b.mu.Unlock()
	b.transport.readUntil(until)
	for rest := make([]byte, 64<<10); b.err == nil && time.Now().Before(until); {
		n, err := b.transport.Read(rest)
		b.read += int64(n)
		if err != nil {
			return
		}
	}
}

// interrupt has Read fail, also one that is under way.
func (b *patientBody) interrupt() {
	b.closing.Store(true)
	b.transport.readUntil(time.Unix(1, 0))
}

// close waits until nobody reads the transport any more.
func (b *patientBody) close() {
	b.interrupt()
	b.mu.Lock()
	defer b.mu.Unlock()
	b.transport.readUntil(time.Now().Add(readTimeout)) // of what is left of the request
}
