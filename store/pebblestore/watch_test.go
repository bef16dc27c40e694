// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package pebblestore

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/uproar-db/uproar/store"
	"github.com/uproar-db/uproar/store/pebblestore/internal/disk"
)

// TestFilesVanish removes files beneath an open store, one at a time: within a second nothing is
// acknowledged any more, the error names the file, and what is read is right or damage.
func TestFilesVanish(t *testing.T) {
	for _, pattern := range []string{"*.sst", "*.log", "MANIFEST-*", "marker.manifest.*", "marker.format-version.*"} {
		dir := t.TempDir()
		fill(t, dir, false)
		s, err := Open(dir, nil)
		if err != nil {
			t.Fatal(err)
		}
		if err := s.Apply(one("before", 1), true); err != nil {
			t.Fatal(err)
		}
		time.Sleep(2 * watchEvery) // it is looked at a whole folder, too
		if err := s.Apply(one("before", 1), true); err != nil {
			t.Fatalf("%s: %v", pattern, err)
		}
		files := filesOf(t, dir, pattern)
		name := files[len(files)-1]
		if err := os.Remove(name); err != nil {
			t.Fatal(err)
		}
		began := time.Now()
		for err == nil && time.Since(began) < 10*time.Second {
			err = s.Apply(one("after", 1), true)
		}
		if took := time.Since(began); took > 2*time.Second {
			t.Errorf("%s: took %v, want a second", pattern, took)
		}
		want, _, _ := strings.Cut(filepath.Base(name), ".0") // of markers their kind
		if err == nil || !errors.Is(err, store.ErrCorrupt) || !strings.Contains(err.Error(), want) ||
			!strings.Contains(err.Error(), "Try:") {
			t.Errorf("%s: got %v, want %v, %s and a way out", pattern, err, store.ErrCorrupt, want)
		}
		if n := countDamaged(t, pattern, s); n != damagedKeys && n != 0 {
			t.Errorf("%s: got %d entries, want all or damage", pattern, n)
		}
		if err := closeInTime(t, s); err == nil || strings.Contains(err.Error(), "open the store again") ||
			!strings.Contains(err.Error(), "on the disk only as far as its files are whole") ||
			!strings.Contains(err.Error(), "uproar backup --url") {
			t.Errorf("%s: Close: got %v, want what is on the disk, and where the rest is", pattern, err)
		}
	}
}

// TestForeignFilesVanish removes files that the engine has not written from the folder of an open
// store: that is nobody's loss.
func TestForeignFilesVanish(t *testing.T) {
	dir := t.TempDir()
	fill(t, dir, false)
	foreign := []string{"foo.sst", "1.sst", "ingest-foo.sst", "foo.log", "MANIFEST-old", "marker.foo",
		"marker.manifest.old"}
	for _, name := range foreign {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(name), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	d := disk.New(nil, nil, nil)
	if err := d.Expect(dir); err != nil {
		t.Fatal(err)
	}
	watch := disk.Watch{Disk: d, Dir: dir}
	for _, name := range foreign {
		if err := errors.Join(watch.Look(), os.Remove(filepath.Join(dir, name)), watch.Look()); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	for _, pattern := range []string{"*.sst", "MANIFEST-*", "marker.manifest.*", "marker.format-version.*"} {
		name := filesOf(t, dir, pattern)[0]
		if err := os.Rename(name, name+".away"); err != nil {
			t.Fatal(err)
		}
		if err := watch.Look(); !errors.Is(err, store.ErrCorrupt) {
			t.Errorf("%s: got %v, want %v", name, err, store.ErrCorrupt)
		}
		if err := os.Rename(name+".away", name); err != nil {
			t.Fatal(err)
		}
	}
}

// TestFilesCut cuts the newest log beneath an open store, and its manifest: the next write to the
// log is refused, which would make its size fit again, and the manifest is looked at.
func TestFilesCut(t *testing.T) {
	for _, pattern := range []string{"*.log", "MANIFEST-*"} {
		dir := t.TempDir()
		s, err := Open(dir, nil)
		if err != nil {
			t.Fatal(err)
		}
		if err := s.Apply(one("before", 10_000), true); err != nil {
			t.Fatal(err)
		}
		files := filesOf(t, dir, pattern)
		name := files[len(files)-1]
		if err := os.Truncate(name, 10); err != nil {
			t.Fatal(err)
		}
		if pattern == "*.log" {
			err = s.Apply(one("after", 10_000), true)
		} else {
			err = (&disk.Watch{Disk: s.disk, Dir: dir}).Look()
		}
		if !errors.Is(err, store.ErrCorrupt) || !strings.Contains(err.Error(), filepath.Base(name)+" was cut") {
			t.Errorf("%s: got %v, want %v and that it was cut", name, err, store.ErrCorrupt)
		}
		_ = closeInTime(t, s)
	}
}

// TestWatchIsQuiet writes, merges and ingests while the folder is looked at all the time: nothing
// is missing.
func TestWatchIsQuiet(t *testing.T) {
	dir := t.TempDir()
	s, err := Open(dir, &Options{Memory: 16 << 20})
	if err != nil {
		t.Fatal(err)
	}
	done := make(chan struct{})
	var looks sync.WaitGroup
	n := 0
	looks.Go(func() {
		for {
			select {
			case <-done:
				return
			default:
			}
			watch := disk.Watch{Disk: s.disk, Dir: dir}
			if err := watch.Look(); err != nil {
				t.Error(err)
				return
			}
			n++
		}
	})
	for i := range 60 {
		b := new(store.Batch)
		for k := range 20 {
			b.Put([]byte{byte(i), byte(k)}, make([]byte, 20_000))
		}
		if err := s.Apply(b, true); err != nil {
			t.Fatal(err)
		}
		if i%20 == 19 {
			if err := s.Compact(t.Context()); err != nil {
				t.Fatal(err)
			}
		}
	}
	close(done)
	looks.Wait()
	if t.Logf("%d looks", n); n < 10 {
		t.Errorf("%d looks test too little", n)
	}
	if err := s.Close(); err != nil {
		t.Error(err)
	}
}

// TestCompactDropsLogs: after a merge there are no logs but the newest ones, and what is written
// then, more than a memtable, is there at the next opening.
func TestCompactDropsLogs(t *testing.T) {
	dir := t.TempDir()
	s, err := Open(dir, &Options{Memory: 16 << 20})
	if err != nil {
		t.Fatal(err)
	}
	write := func(first byte) {
		for i := range 60 {
			b := new(store.Batch)
			b.Put([]byte{first, byte(i)}, make([]byte, 100_000))
			if err := s.Apply(b, true); err != nil {
				t.Fatal(err)
			}
		}
	}
	write(1)
	if logs := filesOf(t, dir, "*.log"); len(logs) < 3 {
		t.Fatalf("got logs %q, want some that are kept", logs)
	}
	if err := s.Compact(t.Context()); err != nil {
		t.Fatal(err)
	}
	if logs := filesOf(t, dir, "*.log"); len(logs) > 2 {
		t.Errorf("got logs %q, want the newest", logs)
	}
	write(2)
	killed := filepath.Join(t.TempDir(), "db")
	if err := errors.Join(os.CopyFS(killed, os.DirFS(dir)), s.Close()); err != nil {
		t.Fatal(err)
	}
	for _, dir := range []string{dir, killed} {
		s, err := Open(dir, nil)
		if err != nil {
			t.Fatal(err)
		}
		n := 0
		if err := s.Keys(nil, nil, func([]byte) error { n++; return nil }); err != nil || n != 120 {
			t.Errorf("got %d keys, %v, want 120", n, err)
		}
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	}
}

// TestLogsVanish removes, cuts or replaces the log before the newest one, whose entries are in no
// table yet: within a second nothing is acknowledged any more, and the error names it.
func TestLogsVanish(t *testing.T) {
	for want, change := range map[string]func(name string) error{
		"deleted": os.Remove,
		"cut":     func(name string) error { return os.Truncate(name, 100) },
		"replaced": func(name string) error {
			content, err := os.ReadFile(name)
			if err == nil {
				err = errors.Join(os.WriteFile(name+".copy", content, 0o600), os.Rename(name+".copy", name))
			}
			return err
		},
	} {
		dir := t.TempDir()
		s, err := Open(dir, &Options{Memory: 16 << 20})
		if err != nil {
			t.Fatal(err)
		}
		// No table can be written: flushes are tried again, and logs stay.
		held := errors.New("no table for now")
		s.disk.Fault = func(operation, name string) error {
			if operation == "create" && disk.TableNumber(name) > 0 {
				return held
			}
			return nil
		}
		for i := 0; len(filesOf(t, dir, "*.log")) < 2; i++ {
			if err := s.Apply(one(string(rune('a'+i)), 100_000), true); err != nil && !errors.Is(err, held) {
				t.Fatal(err)
			}
		}
		name := filesOf(t, dir, "*.log")[0]
		watch := disk.Watch{Disk: s.disk, Dir: dir}
		if err := watch.Look(); err != nil {
			t.Fatal(err)
		}
		if err := change(name); err != nil {
			t.Fatal(err)
		}
		err = watch.Look()
		if !errors.Is(err, store.ErrCorrupt) || !strings.Contains(err.Error(), filepath.Base(name)+" was "+want) ||
			!strings.Contains(err.Error(), "Try:") {
			t.Errorf("%s: got %v, want %v, the name of the log and a way out", want, err, store.ErrCorrupt)
		}
		<-s.line.Broken() // the store looks, too
		if err := s.Apply(one("after", 1), true); !errors.Is(err, store.ErrCorrupt) {
			t.Errorf("%s: Apply: got %v, want %v", want, err, store.ErrCorrupt)
		}
		_ = closeInTime(t, s)
	}
}
