// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package badgerstore

import (
	"bytes"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/dgraph-io/badger/v4"

	"github.com/uproar-db/uproar/store"
)

// TestNumbers opens a store that was closed, that was killed, and whose numbers are damaged or
// missing: they go on from the newest file where nothing is to be feared or known, and otherwise
// from what may have been given out.
func TestNumbers(t *testing.T) {
	if !locks {
		t.Skip("nobody is kept away while numbers are put down")
	}
	const n = 10
	dir := filepath.Join(t.TempDir(), "db")
	var out bytes.Buffer
	opts := &Options{Logger: slog.New(slog.NewTextHandler(&out, nil))}
	opened := func(dir string) (s *Store, newest uint32) {
		t.Helper()
		out.Reset()
		s, err := openStore(dir, opts, smallFile)
		if err != nil {
			t.Fatal(err)
		}
		if newest, err = newestValueLog(dir); err != nil {
			t.Fatal(err)
		}
		return s, newest
	}
	s, newest := opened(dir)
	if given, damage, err := numberGiven(dir); newest != 1 || given != 1+numbersAhead || damage != "" || err != nil {
		t.Fatalf("a new store: file %d and number %d, %q, %v, want 1 and %d", newest, given, damage, err,
			1+numbersAhead)
	}
	putLarge(t, s, 0, n)
	killed := filepath.Join(t.TempDir(), "db")
	if err := os.CopyFS(killed, os.DirFS(dir)); err != nil {
		t.Fatal(err)
	}
	mustClose(t, s)
	if given, damage, err := numberGiven(dir); given != 1 || damage != "" || err != nil {
		t.Errorf("closed: number %d, %q, %v, want 1", given, damage, err)
	}
	for what, c := range map[string]struct {
		dir    string
		change func(path string) error
		newest uint32
		warned bool
	}{
		"closed":           {dir, func(string) error { return nil }, 2, false},
		"killed":           {killed, func(string) error { return nil }, 1 + numbersAhead + 1, false},
		"missing":          {killed, os.Remove, 2, false},
		"empty":            {killed, func(path string) error { return os.Truncate(path, 0) }, 2, true},
		"cut":              {killed, func(path string) error { return os.Truncate(path, 2) }, 2, true},
		"another number":   {killed, func(path string) error { flip(t, path, 0); return nil }, 2, true},
		"another checksum": {killed, func(path string) error { flip(t, path, 8); return nil }, 2, true},
		"too great": {killed, func(path string) error {
			return os.WriteFile(path, numberText(maxValueLog+1), 0o600)
		}, 2, true},
		"too long": {killed, func(path string) error {
			return os.WriteFile(path, bytes.Repeat(numberText(7), 100), 0o600)
		}, 2, true},
	} {
		t.Run(what, func(t *testing.T) {
			db := filepath.Join(t.TempDir(), "db")
			if err := os.CopyFS(db, os.DirFS(c.dir)); err != nil {
				t.Fatal(err)
			}
			if err := c.change(filepath.Join(db, numbersFile)); err != nil {
				t.Fatal(err)
			}
			for again := range uint32(2) { // the second time it is closed and in order
				s, newest := opened(db)
				if newest != c.newest+again {
					t.Errorf("opened %d times: the newest file is %d, want %d", again+1, newest, c.newest+again)
				}
				if warned := strings.Contains(out.String(), numbersFile); warned != (c.warned && again == 0) {
					t.Errorf("opened %d times: the log has %q, want a warning: %v", again+1, out.String(), c.warned)
				}
				if lost := unreadable(t, s, 0, n); lost != nil {
					t.Errorf("values %v cannot be read", lost)
				}
				mustClose(t, s)
			}
			if files, err := filesOf(db, ".vlog"); err != nil || len(files) > 3 {
				t.Errorf("files %v, %v, want that those without an entry go away", files, err)
			}
			if info, err := os.Stat(valueLogPath(db, 1)); err != nil || info.Size() > 2*n*largeValueBytes {
				t.Errorf("the first file: got %v, %v, want it cut off where its entries end", info, err)
			}
		})
	}
}

// TestNumbersAhead puts down more numbers before there are none left. Nothing is written when they
// cannot be put down.
func TestNumbersAhead(t *testing.T) {
	if !locks {
		t.Skip("nobody is kept away while numbers are put down")
	}
	dir := t.TempDir()
	var n numbers
	has := func(what string, want uint32) {
		t.Helper()
		if given, damage, err := numberGiven(dir); given != want || damage != "" || err != nil {
			t.Errorf("%s: got number %d, %q, %v, want %d", what, given, damage, err, want)
		}
	}
	add := func(file uint32) {
		t.Helper()
		if err := addValueLog(dir, file); err != nil {
			t.Fatal(err)
		}
	}
	add(7)
	if err := n.start(dir, 1000); err != nil {
		t.Fatal(err)
	}
	has("opened", 7+numbersAhead)
	add(7 + numbersAhead/2)
	if err := n.look(); err != nil {
		t.Fatal(err)
	}
	has("half of them taken", 7+numbersAhead)
	add(8 + numbersAhead/2)
	if err := n.note(1000*lookAfter - 1); err != nil {
		t.Fatal(err)
	}
	has("little written", 7+numbersAhead)
	// where there is a folder that is not empty no file can be made
	unfinished := filepath.Join(dir, numbersFile+".new")
	if err := os.MkdirAll(filepath.Join(unfinished, "folder"), 0o700); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		if err := n.note(1); err == nil || !strings.HasPrefix(err.Error(), "badgerstore: ") {
			t.Errorf("got %v, want that it cannot be put down", err)
		}
	}
	if err := n.look(); err == nil || strings.HasPrefix(err.Error(), "badgerstore: ") {
		t.Errorf("got %v, want that it cannot be put down, in words that others are put before", err)
	}
	if err := os.RemoveAll(unfinished); err != nil {
		t.Fatal(err)
	}
	if err := n.note(1); err != nil {
		t.Fatal(err)
	}
	has("much written", 8+numbersAhead/2+numbersAhead)
	n.stop()
	has("closed, and the newest file is not the one that is written to", 8+numbersAhead/2+numbersAhead)
	if err := os.Truncate(valueLogPath(dir, 8+numbersAhead/2), 2*1000); err != nil { // as Badger makes it
		t.Fatal(err)
	}
	n.stop()
	has("closed", 8+numbersAhead/2)
	if err := n.start(dir, 1000); err != nil {
		t.Fatal(err)
	}
	if err := os.Remove(valueLogPath(dir, 8+numbersAhead/2)); err != nil {
		t.Fatal(err)
	}
	before, _, _ := numberGiven(dir)
	n.stop()
	has("closed, and the newest file lost before", before)
	n = numbers{}
	if err := n.start(dir, 1000); err != nil {
		t.Fatal(err)
	}
	has("opened by another, that does not know of it", before+numbersAhead)
}

// TestNumbersUnreadable cannot read what says which numbers were given out: it may be whole, so
// that nothing is opened for writing.
func TestNumbersUnreadable(t *testing.T) {
	if !locks {
		t.Skip("numbers are not put down")
	}
	dir := t.TempDir()
	s, err := openStore(dir, nil, smallFile)
	if err != nil {
		t.Fatal(err)
	}
	putLarge(t, s, 0, 3)
	mustClose(t, s)
	path := filepath.Join(dir, numbersFile)
	whole, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(os.Remove(path), os.Mkdir(path, 0o700)); err != nil { // which can be opened, and not be read
		t.Fatal(err)
	}
	before := sizesOf(t, dir)
	if _, err := openStore(dir, nil, smallFile); !errors.Is(err, errNumbers) || !strings.Contains(err.Error(), path) ||
		!strings.Contains(err.Error(), "Try: ") {
		t.Errorf("got %v, want %v, naming the file and what to do", err, errNumbers)
	}
	if now := sizesOf(t, dir); !maps.Equal(now, before) {
		t.Errorf("got files %v, want %v, as before", now, before)
	}
	if s, err = openStore(dir, &Options{ReadOnly: true}, smallFile); err != nil {
		t.Errorf("opened for reading only: %v", err)
	} else {
		mustClose(t, s)
	}
	for cause, want := range map[error]string{
		syscall.EIO: "look after the disk", syscall.EACCES: "another user", syscall.EMFILE: "ulimit -n",
		syscall.ENFILE: "file-max",
	} {
		err := openError(dir, false, fmt.Errorf("%w: %w", errNumbers, &os.PathError{Op: "open", Path: path,
			Err: cause}))
		if !errors.Is(err, cause) || strings.Count(err.Error(), "Try: ") != 1 || !strings.Contains(err.Error(), want) {
			t.Errorf("got %v, want %q to be tried", err, want)
		}
		if full := cause == syscall.EMFILE || cause == syscall.ENFILE; errors.Is(err, store.ErrFull) != full {
			t.Errorf("%v is %v: %v, want %v", err, store.ErrFull, !full, full)
		}
	}
	if err := errors.Join(os.Remove(path), os.WriteFile(path, whole, 0o600)); err != nil {
		t.Fatal(err)
	}
	if s, err = openStore(dir, nil, smallFile); err != nil {
		t.Fatal(err)
	}
	if lost := unreadable(t, s, 0, 3); lost != nil {
		t.Errorf("values %v cannot be read", lost)
	}
	mustClose(t, s)
}

// TestMakeRoom has errors of making a file.
func TestMakeRoom(t *testing.T) {
	for cause, full := range map[error]bool{syscall.ENOSPC: true, syscall.EMFILE: true, syscall.ENFILE: true,
		syscall.EIO: false} {
		err := makeRoom(&os.PathError{Op: "open", Path: numbersFile, Err: cause})
		if !errors.Is(err, cause) || errors.Is(err, store.ErrFull) != full ||
			strings.Contains(err.Error(), "Try: ") != full {
			t.Errorf("%v: got %v, want %v, saying what to do: %v", cause, err, store.ErrFull, full)
		}
	}
}

// TestNumbersLookedAt has commits, and what rewrites files, see to it that there are numbers left.
func TestNumbersLookedAt(t *testing.T) {
	if !locks {
		t.Skip("nobody is kept away while numbers are put down")
	}
	s := mustOpen(t, &Options{QuietAfter: time.Hour})
	none := func(wrote int64) {
		s.numbers.mu.Lock()
		defer s.numbers.mu.Unlock()
		s.numbers.limit, s.numbers.wrote = 0, wrote
	}
	some := func(what string) {
		t.Helper()
		s.numbers.mu.Lock()
		defer s.numbers.mu.Unlock()
		if s.numbers.limit < numbersAhead {
			t.Errorf("%s: got numbers up to %d, want %d more than are taken", what, s.numbers.limit, numbersAhead)
		}
	}
	none(lookAfter * smallFile)
	putLarge(t, s, 0, 1)
	some("a commit")
	none(0)
	if err := s.collectFile(quietRatio); !errors.Is(err, badger.ErrNoRewrite) {
		t.Errorf("got %v, want %v", err, badger.ErrNoRewrite)
	}
	some("collecting")
}
