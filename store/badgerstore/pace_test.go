// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package badgerstore

import (
	"errors"
	"os"
	"path/filepath"
	"testing"
	"testing/synctest"
	"time"

	"github.com/uproar-db/uproar/store"
)

func TestPace(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const file = 64
		var p pace
		p.start(file)
		p.measured(100, 0)
		p.allow(20)
		limit := int64(3*20 + 2*file - 20 - file/4)
		p.added.Add(limit - 100)
		p.begin()
		p.wait(t.Context()) // not over
		p.added.Add(1)
		waited := make(chan struct{})
		wait := func() {
			p.wait(t.Context())
			waited <- struct{}{}
		}
		still := func(why string) {
			t.Helper()
			select {
			case <-waited:
				t.Fatal("a writer went on while " + why)
			case <-time.After(time.Hour):
			}
		}
		go wait()
		still("the value log is larger than its limit")
		p.measured(limit+1, p.added.Load())
		still("a measurement has changed nothing")
		p.measured(limit, 0)
		<-waited // a file was deleted

		p.added.Add(1)
		go wait()
		still("the value log has grown again")
		p.exempt.Add(1)
		p.ease()
		<-waited // a measurement of the disk has begun
		p.exempt.Add(-1)

		go wait()
		still("a pass is under way")
		p.end(false, 10)
		<-waited
		if p.wait(t.Context()); !p.isOver() {
			t.Error("the limit was raised though there is more to collect")
		}
		p.begin()
		go wait()
		still("another pass is under way")
		p.end(true, 10)
		<-waited
		p.added.Add(10)
		p.begin()
		p.wait(t.Context()) // so much more was allowed
		p.added.Add(1)
		if !p.isBehind() {
			t.Error("more than allowed is allowed")
		}
		p.allow(-1 << 40)
		if got := p.limit.Load(); got != 2*file-file/4 {
			t.Errorf("more garbage than there are bytes: got a limit of %d, want that of an empty store", got)
		}
	})
}

// TestWritersWait has a pass that cannot go on. Writers must stop at the bound, and go on when it
// does.
func TestWritersWait(t *testing.T) {
	const fileSize = 8 << 20 // two batches
	s := mustOpenFiles(t, nil, fileSize)
	const n = 300 // 9.4 MB
	p := newPages(n)
	p.rewrite(t, s, 0, n, 1)
	if err := s.Compact(t.Context()); err != nil {
		t.Fatal(err)
	}
	s.house.step.Lock()
	const rounds = 5 // the limit is reached in the third
	done := make(chan struct{})
	go func() {
		defer close(done)
		for range rounds {
			p.rewrite(t, s, 0, n, 1)
		}
	}()
	for !s.house.pace.isBehind() {
		select {
		case <-done:
			s.house.step.Unlock()
			t.Fatalf("writers got through, %d MB of files", values(t, s)>>20)
		case <-time.After(time.Millisecond):
		}
	}
	select {
	case <-done:
		t.Error("writers got through")
	case <-time.After(100 * time.Millisecond):
	}
	const live = n * pageSize
	if got, bound := values(t, s), int64(3*live+2*fileSize); got > bound {
		t.Errorf("%d MB of files, want at most %d", got>>20, bound>>20)
	}
	s.house.step.Unlock()
	<-done
	p.check(t, s)
}

// TestCloseLetsWritersGo closes a store whose writers wait for a pass.
func TestCloseLetsWritersGo(t *testing.T) {
	s := mustOpen(t, nil)
	s.house.step.Lock()
	compacted := make(chan error)
	go func() { compacted <- s.Compact(t.Context()) }()
	for !s.house.pace.passing.Load() {
		time.Sleep(time.Millisecond)
	}
	s.house.pace.limit.Store(-1)
	applied := make(chan error)
	go func() {
		b := new(store.Batch)
		b.Put([]byte("key"), []byte("value"))
		applied <- s.Apply(b, true)
	}()
	select {
	case err := <-applied:
		t.Errorf("a writer did not wait: %v", err)
	case <-time.After(20 * time.Millisecond):
	}
	time.AfterFunc(20*time.Millisecond, s.house.step.Unlock)
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	if err := <-compacted; !errors.Is(err, store.ErrClosed) {
		t.Errorf("Compact: got %v, want %v", err, store.ErrClosed)
	}
	if err := <-applied; !errors.Is(err, store.ErrClosed) {
		t.Errorf("Apply: got %v, want %v", err, store.ErrClosed)
	}
}

func TestKnownGarbage(t *testing.T) {
	s := mustOpen(t, nil)
	const n = 200
	p := newPages(n)
	p.rewrite(t, s, 0, n, 1)
	if err := s.house.learn(t.Context(), true); err != nil {
		t.Fatal(err)
	}
	if known := knownGarbage(s.dir); known != 0 {
		t.Errorf("%d bytes of garbage, want none", known)
	}
	p.rewrite(t, s, 0, n/2, 1)
	if err := s.house.learn(t.Context(), true); err != nil {
		t.Fatal(err)
	}
	if known, want := knownGarbage(s.dir), int64(n/2*pageSize); known < want || known > want+n*100 {
		t.Errorf("%d bytes of garbage, want %d and some for keys", known, want)
	}
	if known := knownGarbage(t.TempDir()); known != 0 {
		t.Errorf("%d bytes of garbage in an empty folder", known)
	}
	torn := t.TempDir()
	for name, bytes := range map[string]string{"DISCARD": "\x00\x00\x00\x00\x00\x00\x00\x01\xff\xff\xff\xff\xff\xff\xff\xff\x00\x00", "000001.vlog": "four"} {
		if err := os.WriteFile(filepath.Join(torn, name), []byte(bytes), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if known := knownGarbage(torn); known != 4 {
		t.Errorf("%d bytes of garbage in a file of 4", known)
	}
}
