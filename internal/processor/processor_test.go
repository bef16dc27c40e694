// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package processor

import (
	"testing"
	"time"
)

// Work counts, waiting does not.
func TestTook(t *testing.T) {
	if Time() < 0 {
		if _, used := Begin().Took(); used != 0 {
			t.Errorf("got %v of work where the system does not tell, want 0", used)
		}
		return
	}
	const some = 50 * time.Millisecond
	work := Begin()
	for passed, used := work.Took(); used < some; passed, used = work.Took() {
		if passed > 5*time.Minute {
			t.Fatalf("got %v of work after %v, want %v", used, passed, some)
		}
	}
	work = Begin()
	time.Sleep(10 * some)
	if passed, used := work.Took(); passed < 10*some || used >= passed {
		t.Errorf("got %v and %v of work after sleeping for %v, want less work than time", passed, used, 10*some)
	}
}
