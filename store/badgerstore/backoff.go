// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package badgerstore

import "time"

// backoff spaces out the tries of something that fails: each time twice as far apart as before, up
// to a bound. Not safe for concurrent use.
type backoff struct {
	pause time.Duration // after the last failure; 0: none since the last success
	next  time.Time     // before that nothing is to be tried
}

const (
	firstPause = time.Second
	mostPause  = time.Minute
)

// isOver reports whether it may be tried.
func (b *backoff) isOver() bool { return !time.Now().Before(b.next) }

// note takes what became of a try that has just ended.
func (b *backoff) note(err error) {
	if err == nil {
		*b = backoff{}
		return
	}
	b.pause = min(max(firstPause, 2*b.pause), mostPause)
	b.next = time.Now().Add(b.pause)
}
