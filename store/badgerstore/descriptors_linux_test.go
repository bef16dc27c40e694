// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package badgerstore

import (
	"encoding/binary"
	"errors"
	"os"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/uproar-db/uproar/internal/descriptor"
	"github.com/uproar-db/uproar/store"
)

// roomForFiles bounds how many files the process can open, until the test ends. No other test runs
// meanwhile: parallel tests wait for the others.
func roomForFiles(t *testing.T, files int) {
	t.Helper()
	limit := fileLimit(t)
	most := min(uint64(files)+256, limit.Max)
	for limit.Cur = most; ; limit.Cur-- {
		if err := syscall.Setrlimit(syscall.RLIMIT_NOFILE, &limit); err != nil {
			t.Fatal(err)
		}
		switch n, err := descriptor.Free(files + 1); {
		case err != nil:
			t.Fatal(err)
		case n == files:
			return
		case n < files && limit.Cur == most:
			t.Skipf("got room for %d files with a limit of %d, want %d", n, most, files)
		case n < files:
			t.Fatalf("got room for %d files, want %d", n, files)
		}
	}
}

// fileLimit returns how many files the process may have open. It restores the limit when the test
// ends.
func fileLimit(t *testing.T) (limit syscall.Rlimit) {
	t.Helper()
	if err := syscall.Getrlimit(syscall.RLIMIT_NOFILE, &limit); err != nil {
		t.Fatal(err)
	}
	before := limit
	t.Cleanup(func() {
		if err := syscall.Setrlimit(syscall.RLIMIT_NOFILE, &before); err != nil {
			t.Error(err)
		}
	})
	return limit
}

// manyOpen fails unless an error is that of too many open files.
func manyOpen(t *testing.T, what string, err error) {
	t.Helper()
	if !errors.Is(err, store.ErrFull) || !errors.Is(err, syscall.EMFILE) ||
		!strings.Contains(err.Error(), "ulimit -n") {
		t.Errorf("%s: got %v, want ErrFull and EMFILE, and what to do", what, err)
	}
}

// scattered returns a batch of 200 small entries under keys of no order.
func scattered(n int) *store.Batch {
	b := new(store.Batch)
	for i := range 200 {
		b.Put(scatteredKey(n, i), make([]byte, 60))
	}
	return b
}

func scatteredKey(n, i int) []byte {
	return binary.BigEndian.AppendUint64(nil, uint64(n*200+i+1)*0x9e3779b97f4a7c15)
}

// TestTooManyOpenFiles writes while the process comes near its limit of open files, over memtables
// and merges: what was acknowledged is there, what was refused can be written later.
func TestTooManyOpenFiles(t *testing.T) {
	dir := t.TempDir()
	s, err := Open(dir, nil)
	if err != nil {
		t.Fatal(err)
	}
	// Badger opens and closes tables meanwhile, by merges of its own.
	const merged = 32
	few, enough := spareFiles(s.db.Opts())-merged, spareFiles(s.db.Opts())+merged
	batches := 1200
	if testing.Short() {
		batches = 300
	}
	acknowledged, refused := 0, 0
	for n := range batches {
		if n%100 == 50 {
			t.Run("", func(t *testing.T) {
				roomForFiles(t, few)
				time.Sleep(descriptorsEvery)
				for range 2 {
					err := s.Apply(scattered(n), true)
					manyOpen(t, "Apply", err)
					refused++
				}
				manyOpen(t, "Compact", s.Compact(t.Context()))
				if err := s.Get(scatteredKey(0, 0), func([]byte) error { return nil }); err != nil {
					t.Errorf("Get: %v", err)
				}
				roomForFiles(t, enough)
				if err := s.Apply(scattered(n), true); err != nil {
					t.Errorf("with room for %d files: %v", enough, err)
				}
			})
		}
		if err := s.Apply(scattered(n), true); err != nil {
			t.Fatal(err)
		}
		acknowledged++
	}
	if want := batches / 100 * 2; refused != want {
		t.Errorf("got %d batches refused, want %d", refused, want)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	if s, err = Open(dir, nil); err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	for n := range acknowledged {
		for i := range 200 {
			if err := s.Get(scatteredKey(n, i), func([]byte) error { return nil }); err != nil {
				t.Fatalf("batch %d, entry %d: %v", n, i, err)
			}
		}
	}
}

// TestLookingTakesNoFiles has a store look all the time whether there is room for its files. The
// process has room for one less. Meanwhile others can open as many as there is room for, as Badger
// may have to for a merge that is under way.
func TestLookingTakesNoFiles(t *testing.T) {
	s := mustOpen(t, nil)
	room := spareFiles(s.db.Opts()) - 1
	roomForFiles(t, room)
	stop, looks := make(chan struct{}), make(chan int)
	go func() {
		for n := 0; ; n++ {
			select {
			case <-stop:
				looks <- n
				return
			default:
				manyOpen(t, "looking", s.checkDescriptors())
			}
		}
	}()
	for range 500 {
		var opened []*os.File
		for range room {
			f, err := os.Open(os.DevNull)
			if err != nil {
				t.Errorf("file %d of %d: %v", len(opened)+1, room, err)
				break
			}
			opened = append(opened, f)
		}
		for _, f := range opened {
			_ = f.Close()
		}
	}
	close(stop)
	if n := <-looks; n == 0 {
		t.Error("got no look, want many")
	}
}

// TestTooManyOpenFilesAtOpening opens a store in a process that may open too few files for it. It
// does so for reading and for writing.
func TestTooManyOpenFilesAtOpening(t *testing.T) {
	dir := t.TempDir()
	s, err := Open(dir, nil)
	if err != nil {
		t.Fatal(err)
	}
	for n := range 100 {
		if err := s.Apply(scattered(n), true); err != nil {
			t.Fatal(err)
		}
	}
	want := spareFiles(s.db.Opts())
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	tables, err := filesOf(dir, ".sst")
	logs, err2 := filesOf(dir, ".vlog")
	if err := errors.Join(err, err2); err != nil || len(tables) == 0 || len(logs) == 0 {
		t.Fatalf("got %d tables and %d value logs, %v, want some", len(tables), len(logs), err)
	}
	files := len(tables) + len(logs)
	t.Run("", func(t *testing.T) {
		roomForFiles(t, want+files-1)
		_, err := Open(dir, nil)
		manyOpen(t, "opened for writing", err)
		roomForFiles(t, openingFiles+files-1)
		_, err = Open(dir, &Options{ReadOnly: true})
		manyOpen(t, "opened for reading", err)
		roomForFiles(t, openingFiles+files)
		if s, err = Open(dir, &Options{ReadOnly: true}); err != nil {
			t.Fatal(err)
		}
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
		roomForFiles(t, want+files)
		if s, err = Open(dir, nil); err != nil {
			t.Fatal(err)
		}
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
	})
}
