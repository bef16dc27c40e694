// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package posting

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/uproar-db/uproar/internal/posting/format"
	"github.com/uproar-db/uproar/internal/posting/model"
	"github.com/uproar-db/uproar/store"
	"github.com/uproar-db/uproar/store/memstore"
)

// lockedBuffer is a buffer of a log.
type lockedBuffer struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (b *lockedBuffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.b.Write(p)
}

func (b *lockedBuffer) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.b.String()
}

// removeSession leaves a store as a version before sessions does: nobody knows what is left over.
func removeSession(t *testing.T, s store.Store) {
	t.Helper()
	var b store.Batch
	b.Delete(format.SessionKey(testConfig(t, 1).ID))
	if err := s.Apply(&b, true); err != nil {
		t.Fatal(err)
	}
}

// awaitLooked waits until an index has collected what sessions before have left.
func awaitLooked(t *testing.T, ix *Index) {
	t.Helper()
	within(t, "looking for orphans", func() {
		for !ix.manifests.session.looked.Load() {
			time.Sleep(time.Millisecond)
		}
	})
}

// metered counts the entries that are read.
type metered struct {
	store.Store
	pages, entries atomic.Int64
}

func (m *metered) Get(key []byte, fn func(value []byte) error) error {
	return m.Store.Get(key, func(value []byte) error {
		m.entries.Add(1)
		return fn(value)
	})
}

func (m *metered) Scan(prefix, start []byte, fn func(key, value []byte) error) error {
	return m.Store.Scan(prefix, start, func(key, value []byte) error {
		m.entries.Add(1)
		return fn(key, value)
	})
}

func (m *metered) Keys(prefix, start []byte, fn func(key []byte) error) error {
	return m.Store.Keys(prefix, start, func(key []byte) error {
		m.entries.Add(1)
		m.pages.Add(1)
		return fn(key)
	})
}

// TestOpenReadsLittle: opening after a clean close reads the manifest and nothing else, whatever
// the index has of pages and log. After a kill it looks for orphans while answers are given.
func TestOpenReadsLittle(t *testing.T) {
	s := memstore.New()
	config := testConfig(t, 1<<20)
	config.Retention = Retention{Entries: 1 << 20}
	ix := open(t, s, config)
	acknowledged := commitNumbered(t, ix, 0, 2000)
	if err := ix.Flush(t.Context()); err != nil {
		t.Fatal(err)
	}
	logged := ix.changes.bytes.Load()
	if logged == 0 {
		t.Fatal("got no log, want some that is kept")
	}
	if err := ix.Close(); err != nil {
		t.Fatal(err)
	}
	records := 0
	if err := s.Keys([]byte{format.KindManifest}, nil, func([]byte) error { records++; return nil }); err != nil {
		t.Fatal(err)
	}
	m := &metered{Store: s}
	ix = open(t, m, config)
	// the session, the log's oldest entry
	if n, most := m.entries.Load(), int64(records+2); n > most {
		t.Errorf("got %d entries read at opening, want at most %d", n, most)
	}
	if n := ix.changes.bytes.Load(); n != logged {
		t.Errorf("got %d bytes of log after opening, want the %d before", n, logged)
	}
	checkNumbered(t, ix, acknowledged, nil, 2000)
	// commits alone leave no pages, and the log is still known
	commitNumbered(t, ix, 2000, 2010)
	logged = ix.changes.bytes.Load()
	if err := ix.Close(); err != nil {
		t.Fatal(err)
	}
	if m.pages.Load() > 0 {
		t.Errorf("got %d keys of pages looked at, want none", m.pages.Load())
	}
	ix = open(t, s, config)
	if n := ix.changes.bytes.Load(); n != logged {
		t.Errorf("got %d bytes of log after commits, want %d", n, logged)
	}
	if err := ix.Close(); err != nil {
		t.Fatal(err)
	}
}

// held is a store whose keys of pages are not read before it is told.
type held struct {
	store.Store
	open chan struct{}
}

func (h *held) Keys(prefix, start []byte, fn func(key []byte) error) error {
	<-h.open
	return h.Store.Keys(prefix, start, fn)
}

// TestOpenAfterKill: an index whose process was killed answers, takes writes and flushes before the
// keys of its pages are read. What is left over goes; what was written meanwhile stays.
func TestOpenAfterKill(t *testing.T) {
	inner := memstore.New()
	config := testConfig(t, 1<<20)
	ix := open(t, inner, config)
	acknowledged := commitNumbered(t, ix, 0, 600)
	if err := ix.Flush(t.Context()); err != nil {
		t.Fatal(err)
	}
	commitNumbered(t, ix, 600, 1200)
	before := entries(t, inner)
	if err := errors.Join(ix.Flush(t.Context()), ix.Close()); err != nil {
		t.Fatal(err)
	}
	orphans := 0
	for _, op := range entries(t, inner) { // what a flush leaves that is killed before it changes the manifest
		if op.Key[0] == format.KindPage && !slices.ContainsFunc(before, func(o store.Op) bool {
			return bytes.Equal(o.Key, op.Key)
		}) {
			before = append(before, op)
			orphans++
		}
	}
	if orphans == 0 {
		t.Fatal("got no page of the second flush")
	}
	for n := range 600 {
		acknowledged[600+n] = true
	}
	s := &held{Store: restore(t, before), open: make(chan struct{})}
	ix = open(t, s, config)
	checkNumbered(t, ix, acknowledged, nil, 1200)
	for n := range 200 {
		if _, err := ix.Commit(t.Context(), numbered(1200+n)); err != nil {
			t.Fatal(err)
		}
		acknowledged[1200+n] = true
	}
	if err := ix.Flush(t.Context()); err != nil {
		t.Fatal(err)
	}
	if ix.manifests.session.looked.Load() {
		t.Fatal("got orphans looked for, want that to wait")
	}
	close(s.open)
	awaitLooked(t, ix)
	awaitSwept(t, ix, s)
	checkNumbered(t, ix, acknowledged, nil, 1400)
	if err := errors.Join(ix.Verify(t.Context(), nil), ix.Close()); err != nil {
		t.Fatal(err)
	}
	s.open = make(chan struct{}) // a clean close: nobody looks
	ix = open(t, s, config)
	if err := ix.Close(); err != nil {
		t.Fatal(err)
	}
}

// TestSecondKill: what a session has left that was itself opened after a kill, and that changed no
// manifest, is not passed over.
func TestSecondKill(t *testing.T) {
	s := memstore.New()
	config := testConfig(t, 1<<20)
	ix := open(t, s, config)
	commitNumbered(t, ix, 0, 100)
	if err := errors.Join(ix.Flush(t.Context()), ix.Close()); err != nil {
		t.Fatal(err)
	}
	for kill := range 3 {
		ix = open(t, s, config)
		awaitLooked(t, ix)
		awaitSwept(t, ix, s)
		if err := ix.manifests.mayLeave(); err != nil { // a flush begins
			t.Fatal(err)
		}
		var b store.Batch
		for range 5 {
			r := format.Ref{Field: country, First: 1 << 30, Generation: ix.manifests.generation.Add(1) - 1}
			b.Put(format.AppendPageKey(nil, config.ID, &r), []byte("of a flush"))
		}
		if err := s.Apply(&b, true); err != nil {
			t.Fatal(err)
		}
		left := entries(t, s)
		ix.Close()
		s = restore(t, left).(*memstore.Store)
		if n := stored(t, s); n != ix.source.State.Load().Version.Count()+5 {
			t.Fatalf("kill %d: got %d pages, want 5 left over", kill, n)
		}
	}
	ix = open(t, s, config)
	awaitSwept(t, ix, s)
	ix.Close()
}

// TestSessionDamaged: damage to what is known of the last session costs a look for orphans, and no
// answer.
func TestSessionDamaged(t *testing.T) {
	s := memstore.New()
	config := testConfig(t, 1<<20)
	ix := open(t, s, config)
	acknowledged := commitNumbered(t, ix, 0, 20)
	if err := errors.Join(ix.Flush(t.Context()), ix.Close()); err != nil {
		t.Fatal(err)
	}
	whole := entries(t, s)
	i := slices.IndexFunc(whole, func(op store.Op) bool { return op.Key[0] == format.KindSession })
	value := whole[i].Value
	for bit := range 8 * len(value) {
		damaged := bytes.Clone(value)
		damaged[bit/8] ^= 1 << (bit % 8)
		whole[i].Value = damaged
		ix := open(t, restore(t, whole), config)
		checkNumbered(t, ix, acknowledged, nil, 20)
		if ix.manifests.session.known.Clean {
			t.Errorf("bit %d flipped: got a clean session, want one that is not known", bit)
		}
		ix.Close()
	}
}

// TestClosedWithSnapshot: pages that a snapshot holds while the index closes are deleted after the
// next opening.
func TestClosedWithSnapshot(t *testing.T) {
	s := memstore.New()
	config := testConfig(t, 1<<20)
	ix := open(t, s, config)
	commitNumbered(t, ix, 0, 50)
	if err := ix.Flush(t.Context()); err != nil {
		t.Fatal(err)
	}
	snap := ix.Snapshot()
	commitNumbered(t, ix, 50, 100)
	if err := errors.Join(ix.Flush(context.Background()), ix.Close()); err != nil {
		t.Fatal(err)
	}
	snap.Close()
	if n, want := stored(t, s), ix.source.State.Load().Version.Count(); n <= want {
		t.Fatalf("got %d pages, want more than the %d of the manifest", n, want)
	}
	ix = open(t, s, config)
	awaitSwept(t, ix, s)
	ix.Close()
}

// TestWalkGoesOn: more keys than one part of a walk has are all looked at, beside missing pages.
func TestWalkGoesOn(t *testing.T) {
	s := memstore.New()
	config := testConfig(t, 1<<20)
	ix := open(t, s, config)
	acknowledged := commitNumbered(t, ix, 0, 100)
	if err := errors.Join(ix.Flush(t.Context()), ix.Close()); err != nil {
		t.Fatal(err)
	}
	removeSession(t, s)
	var b store.Batch
	for i := range 3*256 + 7 {
		r := format.Ref{Field: country, First: uint64(1000 + i), Generation: uint64(1<<20 + i)}
		b.Put(format.AppendPageKey(nil, config.ID, &r), []byte(fmt.Sprint("orphan ", strings.Repeat("x", i%9))))
	}
	if err := s.Apply(&b, true); err != nil {
		t.Fatal(err)
	}
	ix = open(t, s, config)
	awaitSwept(t, ix, s)
	checkNumbered(t, ix, acknowledged, nil, 100)
	ix.Close()
}

// TestCloseLeavesLittleToReplay: what commits have written is in pages after a clean close.
func TestCloseLeavesLittleToReplay(t *testing.T) {
	s := memstore.New()
	config := testConfig(t, 8<<20)
	ix := open(t, s, config)
	n := 0
	for ; ; n++ {
		if _, err := ix.Commit(t.Context(), numbered(n)); err != nil {
			t.Fatal(err)
		}
		ix.writer.mu.Lock()
		logged := ix.writer.active.Logged
		ix.writer.mu.Unlock()
		if logged > 2*replayed {
			break
		}
	}
	began := time.Now()
	if err := ix.Close(); err != nil {
		t.Fatal(err)
	}
	if took := time.Since(began); took > 20*time.Second { // 2 on a machine that does nothing else
		t.Errorf("Close took %v", took)
	}
	ix = open(t, s, config)
	defer ix.Close()
	if logged := ix.writer.active.Logged; logged > 0 {
		t.Errorf("got %d bytes of log replayed after a clean close, want none", logged)
	}
	snap := ix.Snapshot()
	defer snap.Close()
	if _, ok, err := snap.Lookup(model.RecordSpace, fmt.Sprintf("r%d-0", n)); err != nil || !ok {
		t.Error(ok, err)
	}
}
