// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package bboltstore

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"hash/fnv"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"sync"
	"testing"

	"github.com/uproar-db/uproar/store"
	"github.com/uproar-db/uproar/store/groupcommit"
)

// compactPut stores n entries, of size bytes each, under a prefix.
func compactPut(t *testing.T, s *Store, prefix string, n, size int) {
	t.Helper()
	b := new(store.Batch)
	for i := range n {
		b.Put(fmt.Appendf(nil, "%s%05d", prefix, i), bytes.Repeat([]byte{byte(i)}, size))
		if b.Size() > 1<<20 || b.Len() == store.MaxOps || i == n-1 {
			if err := s.Apply(b, true); err != nil {
				t.Fatal(err)
			}
			b.Reset()
		}
	}
}

// compactDelete deletes what compactPut has stored, except every keep-th entry.
func compactDelete(t *testing.T, s *Store, prefix string, n, keep int) {
	t.Helper()
	b := new(store.Batch)
	for i := range n {
		if i%keep != 0 {
			b.Delete(fmt.Appendf(nil, "%s%05d", prefix, i))
		}
	}
	if err := s.Apply(b, true); err != nil {
		t.Fatal(err)
	}
}

// content returns a hash of all entries, and their number.
func content(t *testing.T, s *Store) string {
	t.Helper()
	h, n := fnv.New128a(), 0
	err := s.Scan(nil, nil, func(k, v []byte) error {
		fmt.Fprintf(h, "%d %d ", len(k), len(v))
		h.Write(k)
		h.Write(v)
		n++
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return fmt.Sprintf("%d entries %x", n, h.Sum(nil))
}

func sizeOf(t *testing.T, s *Store) int64 {
	t.Helper()
	size, err := s.Size()
	if err != nil {
		t.Fatal(err)
	}
	return size.Total()
}

func wantNoCopy(t *testing.T, s *Store) {
	t.Helper()
	if _, err := os.Stat(s.path + copySuffix); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("the copy is still there: got %v, want %v", err, fs.ErrNotExist)
	}
}

// TestCompactShrinks deletes nine tenths, and wants their room back, and the same entries then and
// when opened again.
func TestCompactShrinks(t *testing.T) {
	dir := t.TempDir()
	s, err := Open(dir, nil)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(s.path, 0o640); err != nil {
		t.Fatal(err)
	}
	compactPut(t, s, "page", 1000, 16<<10)
	compactPut(t, s, "small", 20_000, 20) // more than one transaction of the copy by their number
	compactDelete(t, s, "page", 1000, 10)
	want, before := content(t, s), sizeOf(t, s)
	if err := s.Compact(t.Context()); err != nil {
		t.Fatal(err)
	}
	if got := content(t, s); got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	if after := sizeOf(t, s); after > before/3 {
		t.Errorf("%d bytes before, %d after, want at most a third", before, after)
	}
	wantNoCopy(t, s)
	if _, err := Open(dir, nil); !errors.Is(err, store.ErrLocked) {
		t.Errorf("a second user after Compact: got %v, want %v", err, store.ErrLocked)
	}
	compactPut(t, s, "more", 10, 100)
	want = content(t, s)
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	if s, err = Open(dir, nil); err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	if got := content(t, s); got != want {
		t.Errorf("opened again: got %s, want %s", got, want)
	}
	info, err := os.Stat(s.path)
	if err != nil || info.Mode().Perm() != 0o640 {
		t.Errorf("got permissions %v, %v, want those of before, 0640", info.Mode(), err)
	}
}

// TestCompactKilled copies the files at each milestone, as a kill there leaves them, and opens the
// copies: the entries are there, and nothing else is.
func TestCompactKilled(t *testing.T) {
	s := mustOpen(t)
	compactPut(t, s, "page", 1000, 12<<10)
	compactDelete(t, s, "page", 1000, 2)
	want := content(t, s)
	seen := map[milestone]int{}
	s.reached = func(at milestone) error {
		seen[at]++
		dir := t.TempDir()
		if err := os.CopyFS(dir, os.DirFS(s.dir)); err != nil {
			return err
		}
		_, err := os.Stat(filepath.Join(dir, FileName+copySuffix))
		if there := err == nil; there != (at < copyRenamed) {
			t.Errorf("milestone %d: the copy is there: %v", at, there)
		}
		left, err := Open(dir, nil)
		if err != nil {
			return err
		}
		defer left.Close()
		if got := content(t, left); got != want {
			t.Errorf("killed at milestone %d: got %s, want %s", at, got, want)
		}
		wantNoCopy(t, left)
		return nil
	}
	if err := s.Compact(t.Context()); err != nil {
		t.Fatal(err)
	}
	if seen[copyBegun] != 1 || seen[copyPart] == 0 || seen[copyWhole] != 1 || seen[copyRenamed] != 1 {
		t.Errorf("milestones %v, want all", seen)
	}
}

// TestCompactFails has Compact fail, and be cancelled, at each milestone: the store is as it was,
// and can be written and compacted.
func TestCompactFails(t *testing.T) {
	s := mustOpen(t)
	compactPut(t, s, "page", 1000, 8<<10)
	disk := errors.New("input/output error")
	for at := copyBegun; at <= copyWhole; at++ {
		want, engine := content(t, s), s.engine.Load()
		s.reached = func(now milestone) error {
			if now == at {
				return disk
			}
			return nil
		}
		if err := s.Compact(t.Context()); !errors.Is(err, disk) {
			t.Errorf("milestone %d: got %v, want the disk's error", at, err)
		}
		ctx, cancel := context.WithCancel(t.Context())
		s.reached = func(now milestone) error {
			if now == at {
				cancel()
			}
			return nil
		}
		if err := s.Compact(ctx); !errors.Is(err, context.Canceled) {
			t.Errorf("milestone %d: got %v, want %v", at, err, context.Canceled)
		}
		if got := content(t, s); got != want || s.engine.Load() != engine {
			t.Errorf("milestone %d: got %s, want %s in the same file", at, got, want)
		}
		wantNoCopy(t, s)
		compactPut(t, s, fmt.Sprint("after", at), 1, 1)
	}
	want := content(t, s)
	s.reached = func(now milestone) error { // a rename that fails: the copy is gone
		if now == copyWhole {
			return os.Remove(s.path + copySuffix)
		}
		return nil
	}
	if err := s.Compact(t.Context()); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("rename: got %v, want %v", err, fs.ErrNotExist)
	}
	s.reached = func(milestone) error { return nil }
	s.room = func(string) int64 { return reserve }
	if err := s.Compact(t.Context()); !errors.Is(err, store.ErrFull) {
		t.Errorf("a full disk: got %v, want %v", err, store.ErrFull)
	}
	s.room = diskRoom
	wantNoCopy(t, s)
	if err := s.Compact(t.Context()); err != nil {
		t.Error(err)
	}
	if got := content(t, s); got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

// TestCompactUnsynced has the sync of the folder fail: nothing is acknowledged any more, because a
// power cut may bring the old file back.
func TestCompactUnsynced(t *testing.T) {
	s := mustOpen(t)
	compactPut(t, s, "a", 10, 100)
	want := content(t, s)
	disk := errors.New("input/output error")
	s.reached = func(at milestone) error {
		if at == copyRenamed {
			return disk
		}
		return nil
	}
	for i, call := range []func() error{
		func() error { return s.Compact(t.Context()) },
		func() error { return s.Apply(one("b", 1), true) },
		s.Sync,
		func() error { return s.Compact(t.Context()) },
	} {
		if err := call(); !errors.Is(err, disk) {
			t.Errorf("call %d: got %v, want the disk's error", i, err)
		}
	}
	if got := content(t, s); got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

// TestCompactReaders keeps a reader in the old file over the whole of Compact but its end: others
// read and write meanwhile, it sees its own state, and the old file is closed after it.
func TestCompactReaders(t *testing.T) {
	s := mustOpen(t)
	compactPut(t, s, "a", 100, 10_000)
	old := s.engine.Load()
	renamed := make(chan struct{})
	s.reached = func(at milestone) error {
		if at == copyRenamed {
			close(renamed)
		}
		return nil
	}
	done := make(chan error, 1)
	n := 0
	err := s.Scan(nil, nil, func(k, v []byte) error {
		if n++; n == 1 {
			go func() { done <- s.Compact(t.Context()) }()
			<-renamed
			s.turn.Lock() // Compact gives it back with the engine replaced
			replaced := s.engine.Load() != old
			s.turn.Unlock()
			if !replaced {
				t.Error("the engine was not replaced")
			}
			var others sync.WaitGroup // a new reader and a writer need not wait for this one
			others.Go(func() {
				if err := s.Apply(one("b", 1), true); err != nil {
					t.Error(err)
				}
				if err := s.Get([]byte("b"), func([]byte) error { return nil }); err != nil {
					t.Error(err)
				}
			})
			others.Wait()
		}
		select {
		case err := <-done:
			t.Errorf("Compact returned %v before the reader of the old file ended", err)
		default:
		}
		if string(k) == "b" || len(v) != 10_000 || v[0] != byte(n-1) || v[9999] != byte(n-1) {
			t.Errorf("got %q with %d bytes, want the state of before", k, len(v))
		}
		return nil
	})
	if err != nil || n != 100 {
		t.Errorf("%d entries, %v, want 100", n, err)
	}
	if err := <-done; err != nil {
		t.Error(err)
	}
	if old.file.Fd() != ^uintptr(0) {
		t.Error("the old file is still open")
	}
}

// TestCompactRefused asks what cannot be: of a store for reading only, of one that is being closed,
// and of one that is closed.
func TestCompactRefused(t *testing.T) {
	dir := t.TempDir()
	s, err := Open(dir, nil)
	if err != nil {
		t.Fatal(err)
	}
	compactPut(t, s, "a", 10, 100)
	closed := make(chan error, 1)
	s.reached = func(at milestone) error {
		if at == copyBegun {
			go func() { closed <- s.Close() }()
			for s.line.Enter(false) == nil {
				s.line.Leave()
				runtime.Gosched()
			}
		}
		return nil
	}
	if err := s.Compact(t.Context()); !errors.Is(err, store.ErrClosed) {
		t.Errorf("Close meanwhile: got %v, want %v", err, store.ErrClosed)
	}
	if err := <-closed; err != nil {
		t.Error(err)
	}
	if err := s.Compact(t.Context()); !errors.Is(err, store.ErrClosed) {
		t.Errorf("closed: got %v, want %v", err, store.ErrClosed)
	}
	wantNoCopy(t, s)
	if s, err = Open(dir, &Options{ReadOnly: true}); err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	if err := s.Compact(t.Context()); !errors.Is(err, store.ErrReadOnly) {
		t.Errorf("for reading only: got %v, want %v", err, store.ErrReadOnly)
	}
}

// TestOpenReplaced puts another file into the place of one that was opened and not yet locked. A
// Compact that ends just then does so.
func TestOpenReplaced(t *testing.T) {
	dir := t.TempDir()
	s, err := Open(dir, nil)
	if err != nil {
		t.Fatal(err)
	}
	compactPut(t, s, "a", 10, 100)
	want, path := content(t, s), s.path
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	file, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	s = newStore(dir, new(Options))
	opened := 0
	s.reached = func(at milestone) error {
		if opened++; at != fileOpened || opened > 2 {
			return nil
		}
		return errors.Join(os.WriteFile(path+".other", file, 0o600), os.Rename(path+".other", path))
	}
	if err := s.open(); err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	if opened != 3 {
		t.Errorf("opened %d times, want 3", opened)
	}
	if same, err := groupcommit.IsAt(s.engine.Load().file, path); !same || err != nil {
		t.Errorf("got another file than the one at %s, %v", path, err)
	}
	if got := content(t, s); got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

// TestCompactLink compacts a store whose file is elsewhere, behind a symbolic link, which stays
// one.
func TestCompactLink(t *testing.T) {
	elsewhere, dir := t.TempDir(), t.TempDir()
	s, err := Open(elsewhere, nil)
	if err != nil {
		t.Fatal(err)
	}
	compactPut(t, s, "a", 10, 100)
	want := content(t, s)
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(filepath.Join(elsewhere, FileName), filepath.Join(dir, FileName)); err != nil {
		t.Skip(err)
	}
	if s, err = Open(dir, nil); err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	if err := s.Compact(t.Context()); err != nil {
		t.Fatal(err)
	}
	if got := content(t, s); got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	info, err := os.Lstat(filepath.Join(dir, FileName))
	if err != nil || info.Mode()&fs.ModeSymlink == 0 {
		t.Errorf("got %v, %v, want a symbolic link", info, err)
	}
}
