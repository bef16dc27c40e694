// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package transport

import (
	"sync"
	"time"
)

// connDeadline is the deadline of reading from a connection, or of writing to it, that is set when
// it is needed. Three are asked for with each request (idle, the request, the answer), and each
// would move a timer of the runtime; most are replaced before anything waits, or are so little
// later than the last one that it does as well. Safe for concurrent use: a deadline that is asked
// for while somebody waits holds for that one.
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

// begin has the deadline that was asked for last hold for what is read or written next, until end;
// nothing is with an error.
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
