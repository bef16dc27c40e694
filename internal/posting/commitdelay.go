// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package posting

import "time"

// defaultCommitSiblings is Config.CommitSiblings when that is 0.
const defaultCommitSiblings = 5

// siblings returns how many commits come together, at least, where one waits for more.
func (c *Config) siblings() int {
	if c.CommitSiblings > 0 {
		return c.CommitSiblings
	}
	return defaultCommitSiblings
}

// delay returns how long a commit waits for others: not at all where none is synced.
func (c *Config) delay() time.Duration {
	if c.NoSync || c.SyncEvery > 0 {
		return 0
	}
	return max(0, c.CommitDelay)
}
