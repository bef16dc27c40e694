// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package bboltstore

import (
	"errors"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/uproar-db/uproar/store"
)

// TestWriteFaults has the engine's own writes fail or hang, of pages and of the root. Nothing that
// was acknowledged is lost, nothing else is seen, and without room the store goes on later.
func TestWriteFaults(t *testing.T) {
	errHang := errors.New("hangs")
	for _, failure := range []error{syscall.ENOSPC, syscall.EIO, syscall.EROFS, errHang} {
		for _, root := range []bool{false, true} {
			if testing.Short() && failure == errHang && !root {
				continue
			}
			t.Run(failure.Error(), func(t *testing.T) {
				t.Parallel()
				dir, hung := t.TempDir(), make(chan struct{})
				s, err := Open(dir, nil)
				if err != nil {
					t.Fatal(err)
				}
				if err := s.Apply(one("a", 1), true); err != nil {
					t.Fatal(err)
				}
				hook := writeHook(s.engine.Load())
				write := *hook
				var failing atomic.Bool
				failing.Store(true)
				begun := make(chan struct{}, 100)
				*hook = func(b []byte, offset int64) (int, error) {
					if !failing.Load() || root != (offset < 2*pageSize) {
						return write(b, offset)
					}
					begun <- struct{}{}
					if failure == errHang {
						<-hung
						return write(b, offset)
					}
					return 0, failure
				}
				writing := make(chan error, 1)
				go func() { writing <- s.Apply(one("b", 1), true) }()
				<-begun
				if failure == errHang {
					go func() { _ = s.Get([]byte("a"), func([]byte) error { return nil }) }()
					time.Sleep(50 * time.Millisecond) // beside a root that is written it hangs too
				} else if err := <-writing; err == nil || errors.Is(err, store.ErrFull) != (failure == syscall.ENOSPC) {
					t.Errorf("Apply: got %v, want the disk's error", err)
				} else if got := keys(t, s); got != "a" {
					t.Errorf("readers see %q, want a", got)
				}
				if failing.Store(failure == errHang); failure == syscall.ENOSPC {
					if err := s.Apply(one("c", 1), true); err != nil {
						t.Errorf("room again: %v", err)
					}
				}
				if err := closeInTime(t, s); err != nil && !strings.Contains(err.Error(), "acknowledged") ||
					(err == nil) != (failure == syscall.ENOSPC) {
					t.Errorf("Close: got %v", err)
				}
				want := "a"
				if failure == syscall.ENOSPC {
					want = "ac"
				}
				if failure == errHang {
					if err := <-writing; err == nil {
						t.Error("Apply: acknowledged what did not end")
					}
				}
				again, err := Open(dir, &Options{ReadOnly: true})
				if err == nil {
					_ = again.Close()
				}
				if reading := failure == errHang && root; errors.Is(err, store.ErrLocked) != reading {
					t.Errorf("opened again: got %v, want an error while somebody reads: %v", err, reading)
				}
				close(hung) // what goes on now finds its file closed
				for range 100 {
					if again, err = Open(dir, nil); err == nil {
						err = again.Close()
						break
					}
					time.Sleep(20 * time.Millisecond)
				}
				if err != nil {
					t.Error(err)
				}
				if got := reopened(t, dir); got != want {
					t.Errorf("opened again: got %q, want %q", got, want)
				}
			})
		}
	}
}
