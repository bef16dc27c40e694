// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package posting

import (
	"bytes"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"testing"
	"time"

	"github.com/uproar-db/uproar/internal/posting/format"
	"github.com/uproar-db/uproar/internal/posting/model"
	"github.com/uproar-db/uproar/store"
	"github.com/uproar-db/uproar/store/memstore"
	"github.com/uproar-db/uproar/store/storetest"
)

// stored returns how many pages are in the store.
func stored(t *testing.T, s store.Store) (n int) {
	t.Helper()
	if err := s.Keys([]byte{format.KindPage}, nil, func([]byte) error { n++; return nil }); err != nil {
		t.Error(err)
	}
	return n
}

// awaitSwept waits until the store has the pages of the manifest and no others.
func awaitSwept(t *testing.T, ix *Index, s store.Store) {
	t.Helper()
	within(t, "deleting the pages that nobody sees", func() {
		for stored(t, s) != ix.source.State.Load().Version.Count() {
			time.Sleep(time.Millisecond)
		}
	})
}

// refusing is a store that takes no deletions while the disk is full. It acts as if the remaining
// room were for others.
type refusing struct {
	store.Store
	err error // nil: it takes them
}

func (r *refusing) Apply(b *store.Batch, sync bool) error {
	for op := range b.Ops() {
		if op.Delete && r.err != nil {
			return r.err
		}
	}
	return r.Store.Apply(b, sync)
}

// TestDeletionsWaitForRoom: pages that a full disk did not let go are deleted when there is room
// again, and not only at the next opening.
func TestDeletionsWaitForRoom(t *testing.T) {
	s := storetest.NewFaulty(memstore.New())
	config := testConfig(t, 1<<20)
	config.pause = time.Millisecond
	ix := open(t, s, config)
	defer ix.Close()
	commitNumbered(t, ix, 0, 3)
	if err := ix.Flush(t.Context()); err != nil {
		t.Fatal(err)
	}
	for n := range 4 {
		snap := ix.Snapshot()
		if _, err := ix.Commit(t.Context(), numbered(10+n)); err != nil {
			t.Fatal(err)
		}
		if err := ix.Flush(t.Context()); err != nil {
			t.Fatal(err)
		}
		s.Inject(storetest.Fault{Call: storetest.Apply, Nth: 1, Err: store.ErrFull})
		snap.Close() // the collector may go on, and cannot
		within(t, "trying again", func() {
			for before := s.Count(storetest.Apply); s.Count(storetest.Apply) < before+3; {
				time.Sleep(time.Millisecond)
			}
		})
		s.Heal()
		awaitSwept(t, ix, s)
	}
}

// TestGivenUpFlushLeavesNothing: the pages of a flush that the disk was too full for are deleted
// when there is room again.
func TestGivenUpFlushLeavesNothing(t *testing.T) {
	s := storetest.NewFaulty(memstore.New())
	config := testConfig(t, 1<<20)
	config.pause = time.Millisecond
	ix := open(t, s, config)
	defer ix.Close()
	for n := range 20 {
		if _, err := ix.Commit(t.Context(), numbered(n)); err != nil {
			t.Fatal(err)
		}
	}
	// the session is noted and the pages are there, the manifest is not
	s.Inject(storetest.Fault{Call: storetest.Apply, Nth: 3, Err: store.ErrFull})
	if err := ix.Flush(t.Context()); !errors.Is(err, store.ErrFull) {
		t.Fatalf("got %v, want ErrFull", err)
	}
	if stored(t, s) == 0 {
		t.Fatal("got no page, want those of the flush")
	}
	s.Heal()
	awaitSwept(t, ix, s)
	if err := ix.Flush(t.Context()); err != nil {
		t.Fatal(err)
	}
	awaitSwept(t, ix, s)
	checkNumbered(t, ix, commitNumbered(t, ix, 20, 20), nil, 20)
}

// TestOpenWithoutRoom opens an index with orphans on a store that cannot delete them, now or ever.
func TestOpenWithoutRoom(t *testing.T) {
	for _, refusal := range []error{store.ErrFull, store.ErrReadOnly} {
		s := &refusing{Store: memstore.New()}
		config := testConfig(t, 1<<20)
		config.pause = time.Millisecond
		ix := open(t, s, config)
		acknowledged := commitNumbered(t, ix, 0, 10)
		if err := errors.Join(ix.Flush(t.Context()), ix.Close()); err != nil {
			t.Fatal(err)
		}
		orphan := format.Ref{Field: country, First: 1 << 40, Generation: 1 << 20}
		var b store.Batch
		b.Delete(format.SessionKey(config.ID))
		b.Put(format.AppendPageKey(nil, config.ID, &orphan), []byte("a flush that was killed"))
		if err := s.Apply(&b, false); err != nil {
			t.Fatal(err)
		}
		s.err = refusal
		ix = open(t, s, config)
		checkNumbered(t, ix, acknowledged, nil, 10)
		if n, want := stored(t, s), ix.source.State.Load().Version.Count()+1; n != want {
			t.Errorf("%v: got %d pages, want %d", refusal, n, want)
		}
		if err := ix.Close(); err != nil {
			t.Fatal(err)
		}
		s.err = nil
		ix = open(t, s, config)
		awaitSwept(t, ix, s)
		if err := ix.Close(); err != nil {
			t.Fatal(err)
		}
	}
}

// TestOrphansKeepTheirGenerations: an orphan that cannot be deleted at opening goes later, and no
// page that was written meanwhile with it. A flush that is repeated would have the same pages, with
// the same generations, if those of orphans were given again.
func TestOrphansKeepTheirGenerations(t *testing.T) {
	inner := memstore.New()
	config := testConfig(t, 1<<20)
	config.pause = time.Hour
	ix := open(t, inner, config)
	commitNumbered(t, ix, 0, 10)
	if err := ix.Flush(t.Context()); err != nil {
		t.Fatal(err)
	}
	commitNumbered(t, ix, 10, 20)
	before := entries(t, inner)
	if err := errors.Join(ix.Flush(t.Context()), ix.Close()); err != nil {
		t.Fatal(err)
	}
	for _, op := range entries(t, inner) { // what a flush leaves that is killed before it changes the manifest
		if op.Key[0] == format.KindPage {
			before = append(before, op)
		}
	}
	s := storetest.NewFaulty(restore(t, before))
	s.Inject(storetest.Fault{Call: storetest.Apply, Nth: 1, Err: store.ErrFull})
	ix = open(t, s, config)
	defer ix.Close()
	s.Heal()
	if err := ix.Flush(t.Context()); err != nil {
		t.Fatal(err)
	}
	ix.source.Collect()
	within(t, "deleting orphans", func() {
		for stored(t, s) > ix.source.State.Load().Version.Count() {
			time.Sleep(time.Millisecond)
		}
	})
	if err := ix.Verify(t.Context(), nil); err != nil {
		t.Error(err)
	}
}

// TestMissingPages: a page of the manifest that is not in the store costs its rows, also when an
// orphan stands in its place; wherever it is in the order of pages. Verify finds it, and after a
// kill opening does.
func TestMissingPages(t *testing.T) {
	s := memstore.New()
	config := testConfig(t, 1<<20)
	ix := open(t, s, config)
	commitNumbered(t, ix, 0, 10)
	if err := errors.Join(ix.Flush(t.Context()), ix.Close()); err != nil {
		t.Fatal(err)
	}
	whole := entries(t, s)
	check := func(what string, ops []store.Op, killed bool) {
		t.Helper()
		s := restore(t, ops)
		if killed {
			removeSession(t, s)
		}
		log := new(lockedBuffer)
		config := config
		config.Logger = slog.New(slog.NewTextHandler(log, nil))
		ix := open(t, s, config)
		defer ix.Close()
		if err := ix.Verify(t.Context(), nil); !errors.Is(err, model.ErrCorrupt) {
			t.Errorf("%s: got %v of Verify, want ErrCorrupt", what, err)
		}
		if killed {
			awaitLooked(t, ix)
			if !strings.Contains(log.String(), "pages are missing") {
				t.Errorf("%s: got log %q, want the page that is missing", what, log)
			}
		}
	}
	for i := range whole {
		if whole[i].Key[0] != format.KindPage {
			continue
		}
		// The same generation under another row is not that page.
		moved := append([]store.Op(nil), whole...)
		moved[i].Key = bytes.Clone(moved[i].Key)
		moved[i].Key[14] ^= 1
		for _, killed := range []bool{false, true} {
			check(fmt.Sprintf("without %x", whole[i].Key),
				append(append([]store.Op(nil), whole[:i]...), whole[i+1:]...), killed)
			check(fmt.Sprintf("moved %x", whole[i].Key), moved, killed)
		}
	}
	if u := config.Memory.Usage(); u.Indexes != 0 {
		t.Errorf("got %d bytes of indexes that are closed, want none", u.Indexes)
	}
}
