// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package posting

import "time"

// A sync writes at least a page of the disk, 4 KB, of which a small commit needs a few hundred bytes. With Config.CommitDelay a commit that comes soon after a sync
// waits for company, as PostgreSQL's commit_delay has it: it is acknowledged later, and still not before it is synced.

const (
	// company is how many commits need no more: together they fill the page. Where groups are as large by themselves nobody waits.
	company = 8

	// The committer looks whether company has come each sixteenth of the delay, within these bounds.
	looksPerDelay = 16
	leastLook     = time.Millisecond / 4
	longestLook   = 4 * time.Millisecond
)

// awaitCompany waits until there is company for a commit that is about to be done, or the delay since the last sync is over, or the index is being closed.
func (ix *Index) awaitCompany() {
	delay := ix.config.CommitDelay
	if delay <= 0 || ix.grouped >= company {
		return
	}
	for {
		left := delay - time.Since(ix.synced)
		if left <= 0 || 1+len(ix.requests) >= company {
			return
		}
		look := time.NewTimer(min(left, max(leastLook, min(delay/looksPerDelay, longestLook))))
		select {
		case <-ix.stopping.Done():
			look.Stop()
			return
		case <-look.C:
		}
	}
}
