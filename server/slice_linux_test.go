// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package server

import (
	"errors"
	"os"
	"runtime"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// TestShortenSlices asks the scheduler what slice it gives to a thread that was there before, and to the one that asked.
func TestShortenSlices(t *testing.T) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	before, err := unix.SchedGetAttr(0, 0)
	if errors.Is(err, unix.ENOSYS) {
		t.Skip("the system does not tell of slices:", err)
	}
	if err != nil {
		t.Fatal(err)
	}
	const slice = 300 * time.Microsecond
	if err := shortenSlices(slice); err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := shortenSlices(time.Duration(before.Runtime)); err != nil {
			t.Error(err)
		}
	}()
	for _, thread := range []int{unix.Gettid(), os.Getpid()} {
		got, err := unix.SchedGetAttr(thread, 0)
		if err != nil {
			t.Fatal(err)
		}
		if got.Nice != before.Nice || got.Policy != before.Policy {
			t.Errorf("thread %d: got %+v, want all but the slice as in %+v", thread, *got, *before)
		}
		if before.Runtime != 0 && got.Runtime != uint64(slice) { // older systems do not tell of slices, nor heed them
			t.Errorf("thread %d: got a slice of %d ns, want %v", thread, got.Runtime, slice)
		}
	}
	yield()
}
