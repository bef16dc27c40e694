// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package descriptor

import (
	"os"
	"syscall"
	"testing"
)

// TestFree opens files one by one: each is one less, of the number that is asked for no more than
// that.
func TestFree(t *testing.T) {
	const room = 600 // more than are asked about at once
	var before syscall.Rlimit
	if err := syscall.Getrlimit(syscall.RLIMIT_NOFILE, &before); err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := syscall.Setrlimit(syscall.RLIMIT_NOFILE, &before); err != nil {
			t.Error(err)
		}
	}()
	limit := before
	limit.Cur = min(room, before.Max)
	if err := syscall.Setrlimit(syscall.RLIMIT_NOFILE, &limit); err != nil {
		t.Fatal(err)
	}
	all, err := Free(room)
	if err != nil || all >= int(limit.Cur) || all < int(limit.Cur)/2 {
		t.Fatalf("got %d, %v, want most of %d", all, err, limit.Cur)
	}
	for opened := 1; ; opened++ {
		f, err := os.Open(os.DevNull)
		if err != nil {
			if opened != all+1 {
				t.Errorf("opened %d files, want %d", opened-1, all)
			}
			return
		}
		defer f.Close()
		for _, most := range []int{room, 3} {
			if n, err := Free(most); err != nil || n != min(most, all-opened) {
				t.Fatalf("with %d opened and %d asked for: got %d, %v, want %d", opened, most, n, err,
					min(most, all-opened))
			}
		}
	}
}
