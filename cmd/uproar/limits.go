// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"cmp"
	"fmt"
	"time"

	"github.com/uproar-db/uproar/cmd/uproar/terminal"
	"github.com/uproar-db/uproar/server"
)

// limitFlags are the flags about how much a server takes on.
type limitFlags struct {
	Timeout       time.Duration      `default:"10s" placeholder:"TIME" help:"Longest time for an answer (${default})."`
	MaxBody       *terminal.ByteSize `placeholder:"SIZE" help:"Largest body of a request. Default: 4 MiB, at most a 32nd of --memory."`
	MaxQuery      terminal.ByteSize  `placeholder:"SIZE" help:"Pages, sets and scratch memory of a query at a time; one that needs more is refused. Default: a quarter of --memory."`
	MaxConcurrent int                `placeholder:"N" help:"Requests worked on at a time. Default: 16 for each processor."`
	MaxWaiting    int                `default:"1024" placeholder:"N" help:"Requests that may wait for their turn; others get 503 (${default})."`
	MaxWait       time.Duration      `default:"500ms" placeholder:"TIME" help:"How long they may wait, before they get 503 (${default})."`
	MaxStreams    int                `default:"16" placeholder:"N" help:"Lists sent at a time as CSV, NDJSON, Parquet or Arrow, of up to 24 MiB; others get 503 (${default})."`
	Connections   connectionFlags    `embed:""`
}

// connectionFlags are the flags about connections.
type connectionFlags struct {
	MaxConnections           *int `placeholder:"N" help:"Connections at a time, of up to 80 KiB; one more has the place of one that waits for a request, or gets 503. Default: 1024, at most a sixth of --memory."`
	MaxConnectionsPerAddress int  `placeholder:"N" help:"Connections of one client address at a time, but of this machine; -1: all, for a proxy on another machine. Default: a quarter of --max-connections, at least 16."`
}

// leastQuery is the least --max-query.
const leastQuery terminal.ByteSize = 1 << 20

// check fails for limits that cannot be.
func (f *limitFlags) check() error {
	switch {
	case f.MaxConcurrent < 0 || f.MaxWaiting < 1 || f.MaxStreams < 1 ||
		*cmp.Or(f.Connections.MaxConnections, new(1)) < 1:
		return fmt.Errorf("got --max-concurrent %d, --max-waiting %d, --max-streams %d and --max-connections %d, want 1 or "+
			"more", f.MaxConcurrent, f.MaxWaiting, f.MaxStreams, *cmp.Or(f.Connections.MaxConnections, new(1024)))
	case f.MaxBody != nil && *f.MaxBody < 1:
		return fmt.Errorf("--max-body: got %s, want 1 or more", *f.MaxBody)
	case f.MaxQuery != 0 && f.MaxQuery < leastQuery:
		return fmt.Errorf("--max-query: got %s, want at least %s", f.MaxQuery, leastQuery)
	case f.MaxWait <= 0:
		return fmt.Errorf("--max-wait: got %v, want more than 0", f.MaxWait)
	}
	return nil
}

// connectionBytes is what a connection takes at most, beside the answers on it.
const connectionBytes = 80 << 10

// scale sets the limits that were not given to what fits into the memory of the server.
func (f *limitFlags) scale(memory terminal.ByteSize) {
	if f.MaxQuery == 0 {
		f.MaxQuery = max(memory/4, leastQuery)
	}
	if f.MaxBody == nil {
		f.MaxBody = new(min(4<<20, memory/32))
	}
	if f.Connections.MaxConnections == nil {
		f.Connections.MaxConnections = new(int(min(1024, memory/6/connectionBytes)))
	}
}

// set puts the limits into the options of a server.
func (f *limitFlags) set(o *server.Options) {
	o.Timeout, o.MaxBody, o.MaxQueryBytes = f.Timeout, int64(*f.MaxBody), int64(f.MaxQuery)
	o.MaxConcurrent, o.MaxWaiting, o.MaxWait, o.MaxConnections = f.MaxConcurrent, f.MaxWaiting, f.MaxWait,
		*f.Connections.MaxConnections
	o.MaxConnectionsPerAddress, o.MaxStreams = f.Connections.MaxConnectionsPerAddress, f.MaxStreams
}
