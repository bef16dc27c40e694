// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package transport

import (
	"sync"
	"time"
)

// connDeadline sets a connection's deadline of reading or writing only when it is needed. Each
// request asks for three (idle, the request, the answer), and each would move a timer of the
// runtime. Most are replaced before anything waits, or are so little later than the last one that
// the last one does. Safe for concurrent use: a deadline also holds for a read or write that
// already waits.
type connDeadline struct {
	set   func(time.Time) error // of the connection
	slack time.Duration         // by how much a deadline may come too early

	mu       sync.Mutex
	wanted   time.Time
	held     time.Time // of the connection
	inFlight int       // who reads, or writes, at present
}

// until asks for a deadline; the zero time is none.
func (d *connDeadline) until(t time.Time) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.wanted = t
	if d.inFlight > 0 {
		return d.apply()
	}
	return nil
}

// begin applies the deadline asked for last to the next read or write, until end. After an error
// nothing has begun.
func (d *connDeadline) begin() error {
	d.mu.Lock()
	defer d.mu.Unlock()
	if err := d.apply(); err != nil {
		return err
	}
	d.inFlight++
	return nil
}

// end follows begin when that was read or written; several may be under way, as on any connection.
func (d *connDeadline) end() {
	d.mu.Lock()
	d.inFlight--
	d.mu.Unlock()
}

func (d *connDeadline) apply() error {
	if d.wanted.IsZero() == d.held.IsZero() {
		if later := d.wanted.Sub(d.held); later == 0 || later > 0 && later < d.slack {
			return nil
		}
	}
	if err := d.set(d.wanted); err != nil {
		return err
	}
	d.held = d.wanted
	return nil
}
