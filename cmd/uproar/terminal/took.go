// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package terminal

import (
	"fmt"
	"time"
)

// Took returns a duration for people, to about three digits: 340 µs, 1.52 ms, 2.4 s, 3m12s.
func Took(d time.Duration) string {
	switch {
	case d < time.Millisecond:
		return fmt.Sprintf("%d µs", d.Microseconds())
	case d < 10*time.Millisecond:
		return fmt.Sprintf("%.2f ms", d.Seconds()*1e3)
	case d < time.Second:
		return fmt.Sprintf("%.0f ms", d.Seconds()*1e3)
	case d < time.Minute:
		return fmt.Sprintf("%.1f s", d.Seconds())
	}
	return d.Round(time.Second).String()
}

// Seconds returns a number of seconds for people, as Took does.
func Seconds(s float64) string { return Took(time.Duration(s * float64(time.Second))) }

// Short returns a number of seconds for people, with microseconds below a millisecond.
func Short(s float64) string {
	if s < 1e-3 {
		return fmt.Sprintf("%.1f µs", s*1e6)
	}
	return Seconds(s)
}

// PerSecond returns how many there were a second since a time.
func PerSecond(n int64, since time.Time) int64 {
	return int64(float64(n) / max(time.Since(since).Seconds(), 1e-6))
}
