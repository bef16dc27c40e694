// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

// Package processor tells how long processors have worked for this process: unlike the time that
// has passed, it is the same on a machine that does much else.
package processor

import "time"

// Work measures how long something takes.
type Work struct {
	start time.Time
	used  time.Duration
}

// Begin begins to measure.
func Begin() Work { return Work{time.Now(), Time()} }

// Took returns the time since Begin, and the time that processors have worked meanwhile. passed
// counts waiting, for a processor as well as for a disk. used counts all threads of the process, so
// also what other goroutines did; it is 0 where the system does not tell.
func (w Work) Took() (passed, used time.Duration) {
	return time.Since(w.start), max(0, Time()-w.used)
}
