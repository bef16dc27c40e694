// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"fmt"
	"time"

	"github.com/uproar-db/uproar/server"
)

// limitFlags are the flags about how much a server takes on.
type limitFlags struct {
	Timeout        time.Duration `default:"10s" placeholder:"TIME" help:"Longest time for an answer (${default})."`
	MaxBody        byteSize      `default:"4MiB" placeholder:"SIZE" help:"Largest body of a request (${default})."`
	MaxQuery       byteSize      `placeholder:"SIZE" help:"Posting lists that one query may read; one that would read more is refused. Default: a quarter of --memory."`
	MaxConcurrent  int           `placeholder:"N" help:"Requests that are worked on at a time. Default: 16 for each processor."`
	MaxWaiting     int           `default:"1024" placeholder:"N" help:"Requests beyond those that may wait for their turn; others are answered with 503 (${default})."`
	MaxWait        time.Duration `default:"500ms" placeholder:"TIME" help:"How long they may wait, before they are answered with 503 (${default})."`
	MaxConnections int           `default:"1024" placeholder:"N" help:"Connections at a time, each of which takes up to 80 KiB. One more has the place of one that waits for a request, or gets 503 (${default})."`

	MaxConnectionsPerAddress int `placeholder:"N" help:"Connections of one client address at a time, but of this machine; -1: as many as there may be, for a proxy on another machine. Default: a quarter of --max-connections, at least 16."`
}

// leastQuery is the least --max-query.
const leastQuery byteSize = 1 << 20

// check fails for limits that cannot be.
func (f *limitFlags) check() error {
	switch {
	case f.MaxConcurrent < 0 || f.MaxWaiting < 1 || f.MaxConnections < 1:
		return fmt.Errorf("got --max-concurrent %d, --max-waiting %d and --max-connections %d, want 1 or more", f.MaxConcurrent, f.MaxWaiting, f.MaxConnections)
	case f.MaxBody < 1:
		return fmt.Errorf("--max-body: got %s, want 1 or more", f.MaxBody)
	case f.MaxQuery != 0 && f.MaxQuery < leastQuery:
		return fmt.Errorf("--max-query: got %s, want at least %s", f.MaxQuery, leastQuery)
	case f.MaxWait <= 0:
		return fmt.Errorf("--max-wait: got %v, want more than 0", f.MaxWait)
	}
	return nil
}

// set puts the limits into the options of a server.
func (f *limitFlags) set(o *server.Options) {
	o.Timeout, o.MaxBody, o.MaxQueryBytes = f.Timeout, int64(f.MaxBody), int64(f.MaxQuery)
	o.MaxConnectionsPerAddress = f.MaxConnectionsPerAddress
	o.MaxConcurrent, o.MaxWaiting, o.MaxWait, o.MaxConnections = f.MaxConcurrent, f.MaxWaiting, f.MaxWait, f.MaxConnections
}
