// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package posting

import "time"

// defaultCommitSiblings is Config.CommitSiblings when that is 0.
const defaultCommitSiblings = 5

// siblings returns the least number of concurrent commits with which a commit waits for more.
func (c *Config) siblings() int {
	if c.CommitSiblings > 0 {
		return c.CommitSiblings
	}
	return defaultCommitSiblings
}

// delay returns how long a commit waits for others: 0 if commits are not synced one by one.
func (c *Config) delay() time.Duration {
	if c.NoSync || c.SyncEvery > 0 {
		return 0
	}
	return max(0, c.CommitDelay)
}
