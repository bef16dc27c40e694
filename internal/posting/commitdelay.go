// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package posting

import "time"

// DefaultCommitSiblings is Config.CommitSiblings when that is 0.
const DefaultCommitSiblings = 5

// siblings returns how many commits come together, at least, where one waits for more.
func (c *Config) siblings() int {
	if c.CommitSiblings > 0 {
		return c.CommitSiblings
	}
	return DefaultCommitSiblings
}

// delay returns how long a commit waits for others: not at all where none is synced.
func (c *Config) delay() time.Duration {
	if c.NoSync || c.SyncEvery > 0 {
		return 0
	}
	return max(0, c.CommitDelay)
}

// awaitOthers waits for commits that may share the sync of the one that is about to be done, if
// some came together last time or are there now. It returns early when the index is being closed.
//
// Waiting pays when commits arrive independently, as the clients of a server send them: a sync
// writes a page of the disk, of which a commit needs a hundred bytes. It hurts closed-loop writers:
// each waits for its own commit before it sends the next, so a delay stalls all of them. So it is
// off unless it is asked for, as PostgreSQL's commit_delay is.
func (ix *Index) awaitOthers() {
	delay := ix.config.delay()
	if delay == 0 || max(ix.grouped, 1+len(ix.requests)) < ix.config.siblings() {
		return
	}
	timer := time.NewTimer(delay)
	defer timer.Stop()
	select {
	case <-ix.stopping.Done():
	case <-timer.C:
	}
}
