// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package upload

import (
	"errors"
	"fmt"
	"io"
	"os"
	"sync"
	"sync/atomic"
	"time"

	"github.com/uproar-db/uproar/server/call"
)

// ReadTimeout bounds how long the bytes of a request may take to arrive. For a body of any length
// it bounds the wait for the next bytes.
const ReadTimeout = 30 * time.Second

// errEnded is what a body is read with after its call has been answered.
var errEnded = errors.New("server: the call has been answered")

// The server waits for leastTime, all in all, for leastBytes of a body, and no longer: who sends a
// byte now and then would hold what others wait for as long as they like.
const (
	leastBytes = 1 << 20
	leastTime  = 5 * time.Minute
)

// errSlow is what a body is read with that comes more slowly than that.
var errSlow = fmt.Errorf("server: less than %d bytes came in the %v in which they were waited for", leastBytes,
	leastTime)

// patientBody is a body of any length. It may take any time, as long as enough of it comes. Another
// goroutine than the one that answers the call may read it.
type patientBody struct {
	transport call.Carrier
	length    int64 // announced; -1: it was not

	closing atomic.Bool
	mu      sync.Mutex // the transport is being read
	read    int64      // bytes
	err     error      // of the transport, or errSlow

	waited time.Duration // for the part of the body that is coming
	came   int64         // bytes of it

	setting sync.Mutex // the transport's deadline is being set
	closed  bool       // the call has been answered: the transport is that of another one, or of none
}

// Read reads what comes next.
func (b *patientBody) Read(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.closing.Load() {
		return 0, errEnded
	}
	if b.err == errSlow {
		return 0, b.err
	}
	start := time.Now()
	b.until(start.Add(ReadTimeout))
	if b.closing.Load() { // close may have set its deadline before
		return 0, errEnded
	}
	n, err := b.transport.Read(p)
	b.read += int64(n)
	// A transport may take a connection that is closed for the end of the body.
	if err == io.EOF && b.read < b.length {
		err = io.ErrUnexpectedEOF
	}
	if err == nil && b.isSlow(n, time.Since(start)) {
		err = errSlow
	}
	if err != nil && err != io.EOF && b.err == nil {
		b.err = err
	}
	return n, err
}

// isSlow reports whether a body comes too slowly. n more bytes have come after wait.
func (b *patientBody) isSlow(n int, wait time.Duration) bool {
	b.came, b.waited = b.came+int64(n), b.waited+wait
	if b.came >= leastBytes {
		b.came, b.waited = 0, 0
	}
	return b.waited > leastTime
}

// until sets the deadline of reading, unless the call has been answered.
func (b *patientBody) until(deadline time.Time) {
	b.setting.Lock()
	defer b.setting.Unlock()
	if !b.closed {
		b.transport.ReadUntil(deadline)
	}
}

// progress returns how many bytes were read, and why no more can be; nil at the end.
func (b *patientBody) progress() (read int64, err error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.read, b.err
}

// DrainTime is how long the rest of a body is waited for that is not wanted any more.
const DrainTime = time.Second

// drain reads for a moment what the client is still sending: a client that is cut off while it
// sends may never read the answer.
func (b *patientBody) drain() {
	until := time.Now().Add(DrainTime)
	b.closing.Store(true)
	b.until(until) // of who is reading
	b.mu.Lock()
	defer b.mu.Unlock()
	b.until(until)
	for rest := make([]byte, 64<<10); (b.err == nil || b.err == errSlow) && time.Now().Before(until); {
		n, err := b.transport.Read(rest)
		b.read += int64(n)
		if err != nil {
			return
		}
	}
}

// interrupt has Read fail, also one that is under way. After close it does nothing: what calls it
// when a context ends may come late.
func (b *patientBody) interrupt() {
	b.closing.Store(true)
	b.until(time.Unix(1, 0))
}

// close waits until nobody reads the transport any more, and leaves it alone from then on.
func (b *patientBody) close() {
	b.interrupt()
	b.mu.Lock()
	defer b.mu.Unlock()
	b.until(time.Now().Add(ReadTimeout)) // of what is left of the request
	b.setting.Lock()
	defer b.setting.Unlock()
	b.closed = true
}

// IsTimeout reports whether reading took longer than it may.
func IsTimeout(err error) bool {
	timeout, ok := errors.AsType[interface {
		error
		Timeout() bool
	}](err)
	return errors.Is(err, os.ErrDeadlineExceeded) || ok && timeout.Timeout()
}
