// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package main

import "time"

// delayOption returns uproar.Options.CommitDelay for a flag, where 0 is no delay and not the
// default one.
func delayOption(flag time.Duration) time.Duration {
	if flag == 0 {
		return -1
	}
	return flag
}
