// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package badgerstore

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"sync/atomic"
	"testing"
	"time"

	"github.com/uproar-db/uproar/store"
)

// smallFile is a size of value-log files so small that tests can fill many.
const smallFile = 2 << 20

func mustOpen(t *testing.T, opts *Options) *Store { return mustOpenFiles(t, opts, smallFile) }

func mustOpenFiles(t *testing.T, opts *Options, fileSize int64) *Store {
	t.Helper()
	s, err := openStore(t.TempDir(), opts, fileSize)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Close(); err != nil && !errors.Is(err, store.ErrClosed) {
			t.Error(err)
		}
	})
	return s
}

const pageSize = 32 << 10

// pages rewrites pages as the layers above do: under a new key each time, deleting the old one.
type pages struct {
	generation []int
	value      []byte
}

func newPages(n int) *pages {
	p := &pages{make([]int, n), make([]byte, pageSize)}
	for i := range p.value {
		p.value[i] = byte(rand.Uint32())
	}
	return p
}

func (p *pages) key(i int) []byte { return fmt.Appendf(nil, "page/%05d/%05d", i, p.generation[i]) }

// rewrite writes each step-th of the pages from first to before last in a new generation.
func (p *pages) rewrite(t *testing.T, s *Store, first, last, step int) {
	t.Helper()
	for first < last {
		b := new(store.Batch)
		for ; first < last && b.Len() < 100; first += step {
			b.Delete(p.key(first))
			p.generation[first]++
			b.Put(p.key(first), p.value)
		}
		if err := s.Apply(b, false); err != nil {
			t.Fatal(err)
		}
	}
}

func (p *pages) check(t *testing.T, s *Store) {
	t.Helper()
	i := 0
	err := s.Scan([]byte("page/"), nil, func(k, v []byte) error {
		if string(k) != string(p.key(i)) || len(v) != pageSize {
			return fmt.Errorf("page %d: got key %q and %d bytes, want key %q", i, k, len(v), p.key(i))
		}
		i++
		return nil
	})
	if err != nil || i != len(p.generation) {
		t.Fatalf("%d pages, want %d: %v", i, len(p.generation), err)
	}
}

func values(t *testing.T, s *Store) int64 {
	t.Helper()
	size, err := s.Size()
	if err != nil {
		t.Fatal(err)
	}
	return size.Values
}

// TestCompactReclaims rewrites all pages several times, and wants all but the last generation's
// space back.
func TestCompactReclaims(t *testing.T) {
	s := mustOpen(t, nil)
	const n = 600 // 19 MB, many files
	p := newPages(n)
	for range 3 {
		p.rewrite(t, s, 0, n, 1)
	}
	p.check(t, s)
	// Whatever housekeeping has done meanwhile by itself, Compact leaves at most the garbage it
	// may, and the file being written.
	if err := s.Compact(t.Context()); err != nil {
		t.Fatal(err)
	}
	const live = n * pageSize
	if got := values(t, s); got > live*14/10+smallFile {
		t.Errorf("%d MB after Compact, want about the live %d MB", got>>20, live>>20)
	}
	status, err := s.Status()
	if err != nil || status.Passes == 0 || status.Rewritten == 0 || len(status.Levels) == 0 ||
		status.Levels[0].Tables == 0 {
		t.Errorf("got %+v, %v after Compact, want passes, files and levels", status, err)
	}
	p.check(t, s)

	// Deleting everything gives everything back except the file being written.
	b := new(store.Batch)
	for i := range n {
		b.Delete(p.key(i))
		if b.Len() == store.MaxOps || i == n-1 {
			if err := s.Apply(b, false); err != nil {
				t.Fatal(err)
			}
			b.Reset()
		}
	}
	if err := s.Compact(t.Context()); err != nil {
		t.Fatal(err)
	}
	if got := values(t, s); got > smallFile {
		t.Errorf("%d MB of values after everything was deleted, want less than one file", got>>20)
	}
	size, err := s.Size()
	if err != nil || size.Tree > 12<<20 {
		t.Errorf("a tree of %d MB after everything was deleted: %v", size.Tree>>20, err)
	}
}

// TestHousekeepingAlone keeps rewriting, and wants the store to stay within a few times the live
// data without being asked.
func TestHousekeepingAlone(t *testing.T) {
	if testing.Short() {
		t.Skip("writes 500 MB")
	}
	s := mustOpenFiles(t, nil, valueLogFileSize)
	n := 1000 // pages, 32 MB
	if os.Getenv("UPROAR_LONG") == "1" {
		n = 3000
	}
	p := newPages(n)
	largest := int64(0)
	for range 16 {
		for first := 0; first < n; first += 500 {
			p.rewrite(t, s, first, first+500, 1)
			largest = max(largest, values(t, s))
		}
	}
	p.check(t, s)
	// Three times the live data, and two files that are being written and rewritten: however the
	// processor is shared, because writers wait.
	t.Logf("%d MB of files at most", largest>>20)
	if bound := int64(3*n*pageSize + 2*valueLogFileSize); largest > bound {
		t.Errorf("%d MB of files at most, want at most %d", largest>>20, bound>>20)
	}
	// Left in peace, it tidies up: in one or two of its pauses, unless others use the processor and
	// the disk.
	const patience = 60 * quietAfter
	deadline := time.Now().Add(patience)
	bound := int64(n*pageSize*14/10 + valueLogFileSize)
	for values(t, s) > bound && time.Now().Before(deadline) {
		time.Sleep(100 * time.Millisecond)
	}
	if got := values(t, s); got > bound {
		t.Errorf("%d MB after %v of peace, want at most %d", got>>20, patience, bound>>20)
	}
	p.check(t, s)
}

// TestGarbageOfBefore opens a store that was closed with garbage, writes nothing, and wants it
// collected.
func TestGarbageOfBefore(t *testing.T) {
	s := mustOpen(t, nil)
	const n = 300 // 9 MB
	p := newPages(n)
	for range 3 {
		p.rewrite(t, s, 0, n, 1)
	}
	if err := s.house.learn(t.Context(), true); err != nil {
		t.Fatal(err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	s, err := openStore(s.dir, &Options{QuietAfter: 50 * time.Millisecond}, smallFile)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	const bound = n*pageSize*14/10 + smallFile
	for deadline := time.Now().Add(time.Minute); values(t, s) > bound && time.Now().Before(deadline); {
		time.Sleep(10 * time.Millisecond)
	}
	if got := values(t, s); got > bound {
		t.Errorf("%d MB after a minute of peace, want at most %d", got>>20, bound>>20)
	}
	p.check(t, s)
}

// TestScanOutlivesCollection begins a scan, then rewrites and collects everything that it is to
// see.
func TestScanOutlivesCollection(t *testing.T) {
	s := mustOpen(t, nil)
	const n = 300 // several files
	p := newPages(n)
	p.rewrite(t, s, 0, n, 1)
	before := values(t, s)
	want := 0
	err := s.Scan([]byte("page/"), nil, func(k, v []byte) error {
		if string(k) != fmt.Sprintf("page/%05d/00001", want) || len(v) != pageSize {
			return fmt.Errorf("entry %d: got %q and %d bytes", want, k, len(v))
		}
		want++
		return nil
	})
	if err != nil || want != n {
		t.Fatal(want, err)
	}

	// The walk is over keys, outside any value's lock, so that the rest may go on meanwhile. Values
	// are looked at afterwards, in the same walk.
	i := 0
	done := make(chan error, 1)
	collect := func() {
		for range 2 {
			p.rewrite(t, s, 0, n, 1)
		}
		done <- s.Compact(t.Context())
	}
	err = s.Scan([]byte("page/"), nil, func(k, v []byte) error {
		if i == 0 {
			go collect()
		}
		if i < 20 {
			time.Sleep(5 * time.Millisecond) // let it happen in the middle
		}
		if i == n/2 {
			select {
			case err := <-done:
				done <- err
			case <-time.After(2 * time.Second): // it may be waiting for fn
			}
		}
		if string(k) != fmt.Sprintf("page/%05d/00001", i) || len(v) != pageSize {
			return fmt.Errorf("entry %d: got %q and %d bytes", i, k, len(v))
		}
		i++
		return nil
	})
	if err != nil || i != n {
		t.Errorf("the scan saw %d of %d entries: %v", i, n, err)
	}
	if err := <-done; err != nil {
		t.Fatal(err)
	}
	p.check(t, s)
	// The files that the scan held on to are gone once it has ended.
	if err := s.Compact(t.Context()); err != nil {
		t.Fatal(err)
	}
	if after := values(t, s); after > before*3/2+smallFile {
		t.Errorf("%d MB before, %d MB after", before>>20, after>>20)
	}
}

// TestReadsDuringCollection reads while values move between files: no read may fail or see another
// generation.
func TestReadsDuringCollection(t *testing.T) {
	s := mustOpen(t, nil)
	const n = 300
	p := newPages(n)
	p.rewrite(t, s, 0, n, 1)
	var stop atomic.Bool
	errs := make(chan error, 2)
	for r := range 2 {
		go func() {
			rng := rand.New(rand.NewPCG(uint64(r), 1))
			for !stop.Load() {
				key := fmt.Appendf(nil, "page/%05d/00001", rng.IntN(n)/2*2) // even pages stay as they are
				if err := s.Get(key, func(v []byte) error {
					if len(v) != pageSize {
						return fmt.Errorf("%s: got %d bytes", key, len(v))
					}
					return nil
				}); err != nil {
					errs <- err
					return
				}
			}
			errs <- nil
		}()
	}
	rounds := 8
	switch {
	case testing.Short():
		rounds = 3
	case os.Getenv("UPROAR_LONG") == "1":
		rounds = 60
	}
	for range rounds {
		p.rewrite(t, s, 1, n, 2)
		if err := s.Compact(t.Context()); err != nil {
			t.Error(err)
		}
	}
	stop.Store(true)
	for range 2 {
		if err := <-errs; err != nil {
			t.Error(err)
		}
	}
	p.check(t, s)
}

// TestCloseEndsCompact closes the store while it compacts.
func TestCloseEndsCompact(t *testing.T) {
	s := mustOpen(t, nil)
	p := newPages(500)
	p.rewrite(t, s, 0, 500, 1)
	done := make(chan error)
	go func() {
		for {
			if err := s.Compact(context.Background()); err != nil {
				done <- err
				return
			}
		}
	}()
	time.Sleep(20 * time.Millisecond)
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	if err := <-done; !errors.Is(err, store.ErrClosed) {
		t.Errorf("Compact: got %v, want %v", err, store.ErrClosed)
	}
}

// TestFillerIsHidden pushes the memtable out by hand: what that takes must not show, and not stay.
func TestFillerIsHidden(t *testing.T) {
	s := mustOpen(t, nil)
	p := newPages(10)
	for range 3 {
		before := s.newestTable()
		p.rewrite(t, s, 0, 10, 1)
		if _, err := s.house.pushMemtable(t.Context()); err != nil {
			t.Fatal(err)
		}
		// Not the number of tables: Badger may have merged them meanwhile.
		if got := s.newestTable(); got <= before {
			t.Fatalf("newest timestamp in a table: %d before, %d after", before, got)
		}
		n := 0
		if err := s.Keys(nil, nil, func(k []byte) error { n++; return nil }); err != nil || n != 10 {
			t.Fatalf("%d keys, want 10: %v", n, err)
		}
	}
	if err := s.Compact(t.Context()); err != nil {
		t.Fatal(err)
	}
	size := uint32(0)
	for _, table := range s.db.Tables() {
		size += table.OnDiskSize
	}
	if size > 2<<20 { // filler is small, and all but the newest gone
		t.Errorf("%d KB of tables for a store of 10 keys", size>>10)
	}
}

// TestSyncs holds the setting that all durability rests on: a killed process keeps what the kernel
// has, so no crash test can miss it.
func TestSyncs(t *testing.T) {
	if o := mustOpen(t, nil).db.Opts(); !o.SyncWrites {
		t.Error("got Badger without SyncWrites, want every commit synced")
	}
}
