// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

// Package processor tells how long processors have worked for this process: unlike the time that
// has passed, it is the same on a machine that does much else.
package processor

import "time"

// Work is something of which it is measured how long it takes.
type Work struct {
	start time.Time
	used  time.Duration
}

// Begin begins to measure.
func Begin() Work { return Work{time.Now(), Time()} }

// Took returns the time that has passed since Begin, and the time that processors have worked
// meanwhile, in all threads of the process: 0 where the system does not tell. Time counts waiting,
// for a processor as well as for a disk; used counts what other goroutines did.
func (w Work) Took() (passed, used time.Duration) {
	return time.Since(w.start), max(0, Time()-w.used)
}
