// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package badgerstore

import (
	"errors"
	"os"
	"path/filepath"
	"testing"
	"time"
)

// TestLostNewestFile has the disk lose the newest file of the value log, with or without its name.
// The store was closed or killed. The file's number must not be given to another file: all values
// here are as long as each other, so that keys which point to the old one would find whole entries
// of others in the new one.
func TestLostNewestFile(t *testing.T) {
	const n = 40
	for what, lose := range map[string]func(path string) error{
		"empty": func(path string) error { return os.Truncate(path, 0) },
		"empty, and numbers are not known": func(path string) error {
			return errors.Join(os.Truncate(path, 0), os.RemoveAll(filepath.Join(filepath.Dir(path), numbersFile)))
		},
		"gone": os.Remove,
	} {
		if what == "gone" && !locks {
			continue // numbers are not put down
		}
		for _, killed := range []bool{false, true} {
			dir := t.TempDir()
			opts := &Options{QuietAfter: time.Hour}
			s, err := openStore(dir, opts, smallFile)
			if err != nil {
				t.Fatal(err)
			}
			putLarge(t, s, 0, n)
			left := t.TempDir()
			if err := os.CopyFS(left, os.DirFS(dir)); err != nil {
				t.Fatal(err)
			}
			mustClose(t, s)
			if killed {
				dir = left
			}
			newest, err := newestValueLog(dir)
			if err != nil {
				t.Fatal(err)
			}
			if err := lose(valueLogPath(dir, newest)); err != nil {
				t.Fatal(err)
			}
			for opened := range 3 {
				if s, err = openStore(dir, opts, smallFile); err != nil {
					t.Fatal(err)
				}
				from := n * (opened + 1)
				putLarge(t, s, from, from+n)
				if lost := unreadable(t, s, 0, n); len(lost) != n {
					t.Errorf("%s, killed %v, opened %d times: %d values cannot be read, want all %d that were lost",
						what, killed, opened+1, len(lost), n)
				}
				if lost := unreadable(t, s, n, from+n); lost != nil {
					t.Errorf("%s, killed %v, opened %d times: values %v, written since, cannot be read", what, killed,
						opened+1, lost)
				}
				mustClose(t, s)
			}
		}
	}
}

// TestLostUnseen has the disk lose the newest file while the store is open. The store has not
// looked since the file was made: closing must not put down the number before it.
func TestLostUnseen(t *testing.T) {
	if !locks {
		t.Skip("numbers are not put down")
	}
	// how many values are written once there is a second file: into it, and into a third
	for _, more := range []int{1, 600} {
		dir := t.TempDir()
		opts := &Options{QuietAfter: time.Hour}
		s, err := openStore(dir, opts, smallFile)
		if err != nil {
			t.Fatal(err)
		}
		n := 0
		for newest := uint32(0); newest < 2; n++ {
			putLarge(t, s, n, n+1)
			if newest, err = newestValueLog(dir); err != nil {
				t.Fatal(err)
			}
		}
		putLarge(t, s, n, n+more)
		n += more
		newest, err := newestValueLog(dir)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.Remove(valueLogPath(dir, newest)); err != nil {
			t.Fatal(err)
		}
		mustClose(t, s)
		if given, damage, err := numberGiven(dir); given < newest || damage != "" || err != nil {
			t.Errorf("closed after %d more: number %d, %q, %v, want at least %d", more, given, damage, err, newest)
		}
		if s, err = openStore(dir, opts, smallFile); err != nil {
			t.Fatal(err)
		}
		putLarge(t, s, n, n+300)
		if lost := unreadable(t, s, 0, n); lost == nil { // which fails for values that are others
			t.Errorf("%d more: all values can be read, want some that were lost", more)
		}
		if lost := unreadable(t, s, n, n+300); lost != nil {
			t.Errorf("%d more: values %v, written since, cannot be read", more, lost)
		}
		mustClose(t, s)
		if given, damage, err := numberGiven(dir); given == 0 || damage != "" || err != nil {
			t.Errorf("closed again: number %d, %q, %v, want the newest", given, damage, err)
		} else if newest, err := newestValueLog(dir); err != nil || given != newest {
			t.Errorf("closed again: number %d, want the newest, %d, %v", given, newest, err)
		}
	}
}
