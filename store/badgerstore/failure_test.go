// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package badgerstore

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"math"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"

	"github.com/uproar-db/uproar/store"
)

func TestLogger(t *testing.T) {
	var out bytes.Buffer
	l := newLogger(slog.New(slog.NewTextHandler(&out, nil)))
	l.Infof("Set nextTxnTs to %d\n", 7)
	l.Debugf("detail")
	l.Errorf("Unable to read: Key: %v, Version : %v", "k", 1)
	l.Warningf("\n")
	if out.Len() > 0 {
		t.Errorf("told users: %s", out.String())
	}
	if l.lost() != nil || l.damaged() != nil {
		t.Error("remarks taken for failures")
	}
	l.Warningf("While running doCompact: %s\n", "why")
	if got := out.String(); !strings.Contains(got, `level=WARN msg="badger: While running doCompact: why"`) {
		t.Errorf("a warning came out as %q", got)
	}
	l.Errorf("Error while curlf sync: %v\n", errors.New("input/output error"))
	if err := l.lost(); err == nil || !strings.Contains(err.Error(), "input/output error") {
		t.Errorf("a failed sync: got %v", err)
	}
	l.Errorf("Ignoring table %s", "000003.sst")
	if err := l.damaged(); err == nil || !strings.Contains(err.Error(), "000003.sst") {
		t.Errorf("a table left out: got %v", err)
	}
	if got := strings.Count(out.String(), "level=ERROR"); got != 2 {
		t.Errorf("%d errors told, want 2: %s", got, out.String())
	}
	newLogger(nil).Errorf("nobody listens")
}

// TestLogged opens a store with a logger that wants to hear everything.
func TestLogged(t *testing.T) {
	var out bytes.Buffer
	s := mustOpen(t, &Options{Logger: slog.New(slog.NewTextHandler(&out,
		&slog.HandlerOptions{Level: slog.LevelDebug}))})
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(out.String(), "level=DEBUG") || strings.Contains(out.String(), "level=INFO") {
		t.Errorf("logged %s", out.String())
	}
}

// TestFailedSync has Badger report a failed sync while it says that the commit is done: it must not
// be acknowledged, nor any later one, nor seen.
func TestFailedSync(t *testing.T) {
	s := mustOpen(t, nil)
	one := func(key string) *store.Batch {
		b := new(store.Batch)
		b.Put([]byte(key), []byte(key))
		return b
	}
	if err := s.Apply(one("a"), true); err != nil {
		t.Fatal(err)
	}
	s.log.Errorf("Error while curlf sync: %v\n", errors.New("input/output error"))
	for i, call := range []func() error{
		func() error { return s.Apply(one("b"), true) },
		func() error { return s.Apply(one("c"), false) },
		func() error { return s.Apply(new(store.Batch), true) },
		s.Sync,
		func() error { return s.Compact(t.Context()) },
	} {
		if err := call(); err == nil || !strings.Contains(err.Error(), "input/output error") {
			t.Errorf("call %d: got %v, want the disk's error", i, err)
		}
	}
	var keys []string
	err := s.Keys(nil, nil, func(k []byte) error { keys = append(keys, string(k)); return nil })
	if err != nil || fmt.Sprint(keys) != "[a]" {
		t.Errorf("readers see %v, %v, want [a]", keys, err)
	}
}

// TestFull has a disk that gets full and has room again.
func TestFull(t *testing.T) {
	s := mustOpen(t, nil)
	room := int64(reserve + 1<<20)
	s.room = func(string) int64 { return room }
	large, small := new(store.Batch), new(store.Batch)
	large.Put([]byte("large"), make([]byte, 2<<20))
	small.Put([]byte("small"), make([]byte, 1<<10))
	if err := s.Apply(large, true); !errors.Is(err, store.ErrFull) || !strings.Contains(err.Error(), "Try:") {
		t.Errorf("a batch larger than the room: got %v, want %v and advice", err, store.ErrFull)
	}
	if err := s.Apply(small, true); err != nil {
		t.Errorf("a batch that there is room for: %v", err)
	}
	room = 0
	if err := s.Apply(small, true); !errors.Is(err, store.ErrFull) {
		t.Errorf("a full disk: got %v, want %v", err, store.ErrFull)
	}
	if err := s.Sync(); err != nil {
		t.Errorf("Sync on a full disk: %v", err)
	}
	if err := s.Get([]byte("large"), func([]byte) error { return nil }); !errors.Is(err, store.ErrNotFound) {
		t.Errorf("the refused batch: got %v, want %v", err, store.ErrNotFound)
	}
	room = 1 << 40
	if err := s.Apply(large, true); err != nil {
		t.Errorf("room again: %v", err)
	}
}

// TestFilesFull has a disk with room for bytes but not for more files. Badger has to make some, and
// writing fails until there is room for them.
func TestFilesFull(t *testing.T) {
	var free atomic.Int64
	opts := &Options{inodes: func(string) int64 { return free.Load() }}
	if _, err := Open(t.TempDir(), opts); !errors.Is(err, store.ErrFull) || !strings.Contains(err.Error(), "Try: ") {
		t.Fatalf("Open: got %v, want ErrFull and what to do", err)
	}
	free.Store(1000)
	s := mustOpen(t, opts)
	want := int64(spareFiles(s.db.Opts()))
	free.Store(want - 1)
	b := new(store.Batch)
	b.Put([]byte("key"), []byte("value"))
	for what, call := range map[string]func() error{"Apply": func() error {
		return s.Apply(b, true)
	}, "Compact": func() error { return s.Compact(t.Context()) }} {
		if err := call(); !errors.Is(err, store.ErrFull) || !strings.Contains(err.Error(), "Try: ") {
			t.Errorf("%s: got %v, want ErrFull and what to do", what, err)
		}
	}
	free.Store(want)
	if err := s.Apply(b, true); err != nil {
		t.Errorf("with room for %d files: %v", want, err)
	}
}

// TestReserve has the room that is kept free be enough for what the engine writes by itself.
func TestReserve(t *testing.T) {
	for name, test := range map[string]struct {
		opts Options
		want int64
	}{
		"pages":            {Options{}, reserve},
		"entries":          {Options{SmallEntries: true}, (40*16 + 128 + 5*2*16 + 4) << 20},
		"larger memtables": {Options{MemTable: 64 << 20}, (15*64 + 10 + 6*2*64 + 4) << 20},
	} {
		if got := reserveOf(engineOptions(t.TempDir(), &test.opts, valueLogFileSize, nil)); got != test.want {
			t.Errorf("%s: got %d MB, want %d", name, got>>20, test.want>>20)
		}
	}
}

// TestFullGroup has a large and a small batch in one group, and room for the small one.
func TestFullGroup(t *testing.T) {
	s := mustOpen(t, nil)
	asked, queued := make(chan struct{}), make(chan struct{})
	var once sync.Once
	s.room = func(string) int64 {
		once.Do(func() { close(asked); <-queued })
		return reserve + 1<<19
	}
	put := func(key string, size int) *commit {
		b := new(store.Batch)
		b.Put([]byte(key), make([]byte, size))
		return &commit{batch: b, weight: 100, done: make(chan error, 1)}
	}
	first := make(chan error, 1)
	go func() { first <- s.writes.run(put("first", 10)) }()
	<-asked // the others go into one group while the first is held
	large, small := put("large", 1<<20), put("small", 10)
	s.writes.mu.Lock()
	s.writes.queue = append(s.writes.queue, large, small)
	s.writes.mu.Unlock()
	close(queued)
	if err := <-first; err != nil {
		t.Fatal(err)
	}
	if err := <-large.done; !errors.Is(err, store.ErrFull) {
		t.Errorf("the large batch: got %v, want %v", err, store.ErrFull)
	}
	if err := <-small.done; err != nil {
		t.Errorf("the small batch: got %v, want none", err)
	}
}

// TestFullAtOpening opens a store on a disk that has become full: a store that a killed process has
// left needs more room than one that was closed, and one that is only read needs none. Without a
// look beforehand Badger would write the beginnings of its files through mapped memory, which ends
// the process.
func TestFullAtOpening(t *testing.T) {
	free := int64(math.MaxInt64)
	opts := &Options{room: func(string) int64 { return free }}
	s := mustOpen(t, opts)
	b := new(store.Batch)
	b.Put([]byte("key"), []byte("value"))
	if err := s.Apply(b, true); err != nil {
		t.Fatal(err)
	}
	killed := filepath.Join(t.TempDir(), "killed")
	if err := os.CopyFS(killed, os.DirFS(s.dir)); err != nil {
		t.Fatal(err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		dir  string
		free int64
		full bool
	}{{s.dir, openReserve - 1, true}, {killed, openReserve, true}, {s.dir, openReserve, false},
		{killed, openReserve + 1<<30, false}} {
		free = c.free
		again, err := openStore(c.dir, opts, smallFile)
		if c.full {
			if !errors.Is(err, store.ErrFull) || !strings.Contains(err.Error(), c.dir) ||
				!strings.Contains(err.Error(), "Try: make room") {
				t.Errorf("%d bytes free: got %v, want %v, the folder and advice", c.free, err, store.ErrFull)
			}
			continue
		}
		if err != nil {
			t.Fatalf("%d bytes free: %v", c.free, err)
		}
		if err := again.Close(); err != nil {
			t.Fatal(err)
		}
	}
	free = 0
	reader, err := openStore(s.dir, &Options{ReadOnly: true, room: opts.room}, smallFile)
	if err != nil {
		t.Fatalf("for reading only, on a full disk: %v", err)
	}
	if err := errors.Join(reader.Get([]byte("key"), func([]byte) error { return nil }), reader.Close()); err != nil {
		t.Error(err)
	}
}

// TestOpenErrorFull has what the system says of files that cannot be made, as Badger passes it on.
func TestOpenErrorFull(t *testing.T) {
	for _, full := range []syscall.Errno{syscall.ENOSPC, syscall.EDQUOT, syscall.EFBIG} {
		for _, err := range []error{&fs.PathError{Op: "write", Path: "LOCK", Err: full},
			fmt.Errorf("cannot create memtable err: %v\nerror while truncation", full)} {
			if got := openError("dir", false, err); !errors.Is(got, store.ErrFull) ||
				!strings.Contains(got.Error(), full.Error()) || strings.Contains(got.Error(), "for reading") {
				t.Errorf("%v: got %v, want %v", err, got, store.ErrFull)
			}
		}
	}
}

func TestDiskRoom(t *testing.T) {
	if got := diskRoom(t.TempDir()); got <= 0 {
		t.Errorf("%d bytes of room for this very test", got)
	}
}

// TestRegistryNotRead checks that a file that cannot be read for a passing reason is not called
// damaged.
func TestRegistryNotRead(t *testing.T) {
	for _, text := range []string{
		"Error while opening key registry. error: open /db/KEYREGISTRY: too many open files",
		"Error while writing key registry. error: interrupted system call",
		"Error while reading IV for key registry. error: read /db/KEYREGISTRY: input/output error",
		"Error while reading sanity text. error: read /db/KEYREGISTRY: input/output error",
	} {
		if err := openError("/db", false, errors.New(text)); errors.Is(err, store.ErrCorrupt) {
			t.Errorf("got %v, want no %v", err, store.ErrCorrupt)
		}
	}
}
