// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package live

import (
	"sync/atomic"
	"time"
)

// Figures says what a Follower has done so far.
type Figures struct {
	Events      int64            `json:"events"`
	Changes     int64            `json:"changes"`
	Commits     int64            `json:"commits"`
	Skipped     map[string]int64 `json:"skipped"` // events by reason, those without left out
	Connections int64            `json:"connections"`
	Syncs       int64            `json:"syncs"`     // accounts whose records were void
	Held        int64            `json:"held"`      // of them, those whose records still come
	Lost        int64            `json:"lost"`      // accounts that were held, and whose #sync did not come again
	Repaired    int64            `json:"repaired"`  // accounts that were fetched anew
	Repairs     int64            `json:"repairs"`   // accounts that are to be, of the queue
	Repairing   int64            `json:"repairing"` // of them, those that the source is at
	Failed      int64            `json:"failed"`    // repairs that failed; all are tried once more
	Stored      bool             `json:"stored"`    // more accounts are to be fetched than the queue takes
	Position    int64            `json:"position"`  // in the graph
	Lag         float64          `json:"lag"`       // seconds from the last event to its commit
}

// figures counts while others read.
type figures struct {
	events, changes, commits, connections, syncs, held, repaired, repairs, position, lag atomic.Int64

	repairing, failed, lost atomic.Int64
	stored                  atomic.Bool

	skipped [numberOfReasons]atomic.Int64
}

// read returns the figures. Each is exact, all together are of nearly one moment.
func (f *figures) read() Figures {
	all := Figures{Events: f.events.Load(), Changes: f.changes.Load(), Commits: f.commits.Load(),
		Connections: f.connections.Load(), Syncs: f.syncs.Load(), Held: f.held.Load(), Repaired: f.repaired.Load(),
		Repairs: f.repairs.Load(), Position: f.position.Load(), Lag: time.Duration(f.lag.Load()).Seconds(),
		Repairing: f.repairing.Load(), Lost: f.lost.Load(), Failed: f.failed.Load(),
		Stored: f.stored.Load(), Skipped: make(map[string]int64)}
	for why := range f.skipped {
		if n := f.skipped[why].Load(); n > 0 {
			all.Skipped[Reason(why).String()] = n
		}
	}
	return all
}
