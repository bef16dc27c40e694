// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package storetest

import (
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/uproar-db/uproar/store"
)

// Opener opens a store in a folder, which may have one.
type Opener func(dir string) (store.Store, error)

// Bounds of the contract of stores that live in files.
const (
	closeHealthy = 2 * time.Second // Close, while the disk does its work
	closeAnyhow  = 5 * time.Second // Close, whatever the disk does
	noticed      = time.Second     // until a folder that is gone ends acknowledging
)

// RunFiles runs the tests of stores that live in files: what the system refuses them, and what
// happens to their folder meanwhile. Whatever that is, nothing is lost that was acknowledged, an
// error says what is wrong, reading goes on, and Close ends in time. Some run in a process of their
// own, which is the test binary again; those that the system does not allow are skipped.
func RunFiles(t *testing.T, open Opener) {
	for name, change := range folderChanges {
		t.Run("folder/"+name, func(t *testing.T) { testFolder(t, open, change) })
	}
	t.Run("close/compact", func(t *testing.T) { testCloseCompact(t, open) })
	t.Run("descriptors", func(t *testing.T) { testDescriptors(t, open) })
	t.Run("forbidden", func(t *testing.T) { testForbidden(t, open) })
	t.Run("small-disk/inodes", func(t *testing.T) { testSmallDisk(t, open, "nr_inodes=64", fillInodes) })
	t.Run("small-disk/bytes", func(t *testing.T) { testSmallDisk(t, open, "size=200m", fillBytes) })
}

// ledger is what was acknowledged of a store that lives in files.
type ledger struct {
	store store.Store
	dir   string
	acked int
}

const ledgerValue = 256 << 10

func ledgerKey(n int) string { return fmt.Sprintf("k%06d", n) }

func mustOpen(t *testing.T, open Opener, dir string) *ledger {
	t.Helper()
	s, err := open(dir)
	if err != nil {
		t.Fatal(err)
	}
	return &ledger{store: s, dir: dir}
}

// write writes batches until one is refused: at most so many, and for no longer than patience. A
// call that waits is waited for so long, too, and then sends its error.
func (l *ledger) write(most int, patience time.Duration) (waiting <-chan error, err error) {
	end := time.Now().Add(patience)
	for most += l.acked; l.acked < most && time.Now().Before(end); {
		done := make(chan error, 1)
		b := put(ledgerKey(l.acked), strings.Repeat("v", ledgerValue))
		go func() { done <- l.store.Apply(b, true) }()
		select {
		case err := <-done:
			if err != nil {
				return nil, err
			}
			l.acked++
		case <-time.After(time.Until(end)):
			return done, nil
		}
	}
	return nil, nil
}

// check looks for what was acknowledged, and for nothing else but the batch behind it. full allows
// reads to fail for lack of descriptors.
func (l *ledger) check(t *testing.T, what string, allowed ...error) {
	t.Helper()
	n := 0
	err := l.store.Scan(nil, nil, func(k, v []byte) error {
		if string(k) != ledgerKey(n) || len(v) != ledgerValue {
			return fmt.Errorf("entry %d is %q, with %d bytes", n, k, len(v))
		}
		n++
		return nil
	})
	for _, a := range allowed {
		if errors.Is(err, a) {
			return
		}
	}
	if err != nil || n < l.acked || n > l.acked+1 {
		t.Errorf("%s: got %d entries and %v, want the %d that were acknowledged", what, n, err, l.acked)
	}
}

// close closes the store in time.
func (l *ledger) close(t *testing.T, most time.Duration) error {
	t.Helper()
	began := time.Now()
	err := l.store.Close()
	if took := time.Since(began); took > most {
		t.Errorf("Close took %v, want at most %v", took, most)
	}
	return err
}

// reopen opens the store again, wherever it is, and looks for what was acknowledged.
func (l *ledger) reopen(t *testing.T, open Opener, dir string) {
	t.Helper()
	s, err := open(dir)
	if err != nil {
		t.Fatalf("opened again: %v", err)
	}
	l.store = s
	l.check(t, "opened again")
	if err := l.close(t, closeHealthy); err != nil {
		t.Error(err)
	}
}

// folderChanges are what happens to the folder of an open store. away is another name beside it.
// They return where the store is afterwards, "" for nowhere.
var folderChanges = map[string]func(dir, away string) (now string, err error){
	"moved": func(dir, away string) (string, error) { return away, os.Rename(dir, away) },
	"replaced": func(dir, away string) (string, error) {
		return away, errors.Join(os.Rename(dir, away), os.CopyFS(dir, os.DirFS(away)))
	},
	"deleted": func(dir, _ string) (string, error) { return "", os.RemoveAll(dir) },
	"emptied": func(dir, _ string) (string, error) {
		names, err := filepath.Glob(filepath.Join(dir, "*"))
		for _, name := range names {
			err = errors.Join(err, os.RemoveAll(name))
		}
		return "", err
	},
}

func testFolder(t *testing.T, open Opener, change func(dir, away string) (string, error)) {
	dir := filepath.Join(t.TempDir(), "db")
	l := mustOpen(t, open, dir)
	if err := l.store.Apply(put(ledgerKey(0), strings.Repeat("v", ledgerValue)), true); err != nil {
		t.Fatal(err)
	}
	l.acked = 1
	now, err := change(dir, dir+"-away")
	if err != nil {
		t.Fatal(err)
	}
	began := time.Now()
	waiting, err := l.write(math.MaxInt32, 2*noticed)
	if took := time.Since(began); err == nil || !strings.Contains(err.Error(), "moved or deleted") || took > noticed {
		t.Errorf("got %v after %v (waiting: %v), want within %v that it was moved or deleted", err, took, waiting != nil,
			noticed)
	}
	if err := l.store.Apply(put("later", ""), true); err == nil {
		t.Error("acknowledges again")
	}
	l.check(t, "readers")
	if err := l.close(t, closeAnyhow); err == nil || !strings.Contains(err.Error(), "acknowledged") {
		t.Errorf("Close: got %v, want what is on the disk", err)
	}
	if now != "" {
		l.reopen(t, open, now)
	}
}

// testCloseCompact closes a healthy store while it is compacted.
func testCloseCompact(t *testing.T, open Opener) {
	dir := filepath.Join(t.TempDir(), "db")
	l := mustOpen(t, open, dir)
	compacter, ok := l.store.(store.Compacter)
	if !ok {
		t.Skip("the store has no Compact")
	}
	size := 400 // of 256 KB
	if testing.Short() {
		size = 100
	}
	if _, err := l.write(size, time.Minute); err != nil || l.acked < size {
		t.Fatalf("%d batches, then %v", l.acked, err)
	}
	compacted := make(chan error, 1)
	go func() { compacted <- compacter.Compact(t.Context()) }()
	time.Sleep(30 * time.Millisecond)
	if err := l.close(t, closeHealthy); err != nil {
		t.Error(err)
	}
	if err := <-compacted; err != nil && !errors.Is(err, store.ErrClosed) {
		t.Errorf("Compact: got %v, want nothing or %v", err, store.ErrClosed)
	}
	l.reopen(t, open, dir)
}

// refused judges what a writer got while the system refused something: nothing, ErrFull with
// advice, or to wait.
func refused(t *testing.T, what string, err error) {
	t.Helper()
	if err != nil && (!errors.Is(err, store.ErrFull) || !strings.Contains(err.Error(), "Try:")) {
		t.Errorf("%s: got %v, want %v and advice", what, err, store.ErrFull)
	}
}

// starve has the system refuse something while the store is written, read, and then closed or
// written again.
func starve(t *testing.T, open Opener, dir string, take, give func() error) {
	for _, closing := range []bool{false, true} {
		l := mustOpen(t, open, filepath.Join(dir, fmt.Sprint("db", closing)))
		if _, err := l.write(4, time.Minute); err != nil || l.acked == 0 {
			t.Fatalf("%d batches, then %v", l.acked, err)
		}
		if err := take(); err != nil {
			t.Fatal(err)
		}
		waiting, err := l.write(160, 3*time.Second)
		refused(t, "Apply", err)
		if _, told := store.SpaceOf(l.store); told == nil && err != nil {
			t.Errorf("Space: got nothing against writing, want the %v that Apply got", err)
		}
		l.check(t, "readers", store.ErrFull)
		if _, err := open(l.dir + "-another"); err != nil {
			refused(t, "opening another", err)
		} else {
			t.Error("opening another: no error")
		}
		if closing {
			if err := l.close(t, closeAnyhow); err != nil && !strings.Contains(err.Error(), "acknowledged") {
				t.Errorf("Close: got %v, want what is on the disk", err)
			}
		}
		if err := give(); err != nil {
			t.Fatal(err)
		}
		if !closing {
			if waiting != nil {
				if err := <-waiting; err == nil {
					l.acked++
				}
			}
			before, began := l.acked, time.Now()
			for l.acked == before && time.Since(began) < 5*time.Second {
				if _, err = l.write(4, 100*time.Millisecond); err != nil {
					time.Sleep(10 * time.Millisecond)
				}
			}
			if l.acked == before {
				t.Errorf("room again: got %v for 5 s", err)
			}
			if space, err := store.SpaceOf(l.store); err != nil || space.Free == 0 || space.Reserve == 0 {
				t.Errorf("room again: Space: got %+v, %v", space, err)
			}
			l.check(t, "room again")
			if err := l.close(t, closeAnyhow); err != nil {
				t.Errorf("room again: Close: %v", err)
			}
		}
		l.reopen(t, open, l.dir)
	}
}
