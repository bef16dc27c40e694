// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package dump

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/uproar-db/uproar/internal/posting/model"
	"github.com/uproar-db/uproar/internal/schema"
	"github.com/uproar-db/uproar/store"
	"github.com/uproar-db/uproar/store/memstore"
	"github.com/uproar-db/uproar/store/storetest"
)

// TestRestoreOrder restores backups in every order: each goes on from the one before, or is
// refused, and what is left is no database.
func TestRestoreOrder(t *testing.T) {
	s, of := chain(t)
	full2, skipping, twin := s.backup(nil), s.backup(of[0]), s.backup(of[0])
	onTwin := s.backup(twin)
	_, others := chain(t)
	elsewhere := newShop(t)
	elsewhere.origin = "another"
	elsewhere.write()
	first := of[0].id.String()
	renamed := bytes.Clone(of[1].file) // its checksums are those of another backup
	renamed[len(magic)+1] ^= 1
	for name, c := range map[string]struct {
		files  [][]byte
		want   error  // nil: a BaseError, where there is a reason
		reason string // of the BaseError
	}{
		"in order":                {files: files(of...)},
		"one left out by another": {files: files(of[0], skipping)},
		"on its own":              {files: files(of[0], twin, onTwin)},
		"no full one":             {files(of[1:]...), nil, "it goes on from another backup, want a full one first"},
		"one missing":             {files(of[0], of[2]), nil, "want one that goes on from backup " + first},
		"reversed": {files(of[0], of[2], of[1]), nil,
			"want one that goes on from backup " + first},
		"one twice": {files(of[0], of[1], of[1]), nil,
			"want one that goes on from backup " + of[1].id.String()},
		"a full one in the middle":       {files(of[0], full2), nil, "it is a full one, want one that goes on from backup "},
		"an increment of another":        {files(of[0], others[1]), nil, "want one that goes on from backup "},
		"on a twin of the one before it": {files(of[0], skipping, onTwin), nil, "want one that goes on from backup "},
		"something else":                 {files: [][]byte{[]byte("hello, world, this is none")}, want: ErrNotBackup},
		"nothing":                        {files: [][]byte{{}}, want: ErrNotBackup},
		"another version":                {files: [][]byte{[]byte("\xBBuproar\x02 and so on")}, want: model.ErrVersion},
		"two, one above the other":       {files: [][]byte{slices.Concat(files(of[:2]...)...)}, want: model.ErrCorrupt},
		"an ID that is not its own":      {files: [][]byte{of[0].file, renamed}, want: model.ErrCorrupt},
	} {
		s := memstore.New()
		_, err := restore(t.Context(), s, c.files...)
		var base *BaseError
		switch {
		case c.reason != "":
			if !errors.As(err, &base) || !strings.Contains(base.Error(), c.reason) || base.Backup == "" {
				t.Errorf("%s: got %v, want a BaseError: %s", name, err, c.reason)
			}
		case !errors.Is(err, c.want):
			t.Errorf("%s: got %v, want %v", name, err, c.want)
		}
		if err != nil {
			mustBeRestoring(t, name, s)
		}
	}
}

// TestBackupsOfOtherDatabases: a head does not go on from one of another database or history, and
// says why.
func TestBackupsOfOtherDatabases(t *testing.T) {
	s, of := chain(t)
	base, id := of[2].head, of[2].id.String()
	for name, c := range map[string]struct {
		change func(h *Head) // of what it is to go on from
		reason string
	}{
		"another database": {func(h *Head) { h.Origin = "0123" }, `it is of database "0123", want ""`},
		"an index more": {func(h *Head) { h.Catalog.Indexes[0].ID = 99 },
			`it has an index "shop" that is not in this database`},
		"an index of the same number": {func(h *Head) { h.Catalog.Indexes[1].Secret = NewID().String() },
			`it has an index "other" that is not in this database`},
		"commits that are not there": {func(h *Head) { h.Indexes[0].To.Sequence += 100 }, `index "shop": `},
		"pages that are not there":   {func(h *Head) { h.Indexes[1].To.Generation += 100 }, `index "other": `},
		"another last commit":        {func(h *Head) { h.Indexes[1].To.Tail ^= 5 }, `index "other": `},
	} {
		from := *base
		from.Catalog, from.Indexes = base.Catalog.Clone(), slices.Clone(base.Indexes)
		c.change(&from)
		err := s.head().GoOn(id, &from, s.export())
		var e *BaseError
		if !errors.As(err, &e) || !strings.HasPrefix(e.Reason, c.reason) || e.Base != id || e.Backup != "" {
			t.Errorf("%s: got %#v, want a BaseError: %s", name, err, c.reason)
		}
	}
	h := s.head()
	if err := h.GoOn(id, base, s.export()); err != nil || h.Size() != 0 || h.Base != id || h.Indexes[1].Since == nil {
		t.Errorf("of the same state: got %+v, %v, want no pages", h.Indexes, err)
	}
}

// TestRestoreLeavesNothing compares what a chain leaves in the store with what one full backup of
// the same state does, and both with what was backed up.
func TestRestoreLeavesNothing(t *testing.T) {
	s, of := chain(t)
	full := s.backup(nil)
	var got [2]string
	for i, files := range [][][]byte{files(of...), files(full)} {
		to := memstore.New()
		last, err := restore(t.Context(), to, files...)
		if err != nil {
			t.Fatal(err)
		}
		got[i] = entries(t, to)
		from, err := schema.ReadOrigin(to)
		if err != nil || from.State != schema.Restored || from.Backup != last.ID.String() || len(from.ID) != 2*idLen {
			t.Errorf("got the origin %+v, %v, want one restored from %s", from, err, last.ID)
		}
		if got, want := says(t, to), saysOf(t, s.lists); got != want {
			t.Errorf("got\n%s\nwant\n%s", got, want)
		}
	}
	if got[0] != got[1] {
		t.Errorf("after the chain the store has\n%s\nwant\n%s", got[0], got[1])
	}
}

// TestDamagedBackup cuts backups everywhere, and flips their bytes: nothing of them becomes a
// database.
func TestDamagedBackup(t *testing.T) {
	_, of := chain(t)
	try := func(what string, damaged ...[]byte) {
		t.Helper()
		s := memstore.New()
		_, err := restore(t.Context(), s, damaged...)
		if _, base := errors.AsType[*BaseError](err); !base && !errors.Is(err, model.ErrCorrupt) &&
			!errors.Is(err, model.ErrVersion) && !errors.Is(err, ErrNotBackup) {
			t.Errorf("%s: got %v, want one of the errors of damage", what, err)
		}
		mustBeRestoring(t, what, s)
	}
	for i := range of[:2] {
		file, with := of[i].file, files(of[:i+1]...)
		for n := 0; n < len(file); n += step() {
			with[i] = file[:n]
			try(fmt.Sprintf("backup %d cut to %d bytes", i, n), with...)
			with[i] = slices.Clone(file)
			with[i][n] ^= byte(1 << (n % 8))
			try(fmt.Sprintf("backup %d with byte %d flipped", i, n), with...)
		}
		with[i] = append(slices.Clone(file), 0)
		try(fmt.Sprintf("backup %d with a byte more", i), with...)
	}
}

// TestRestoreInterrupted has each write to the store fail: what is left is no database, and the
// next restore begins anew.
func TestRestoreInterrupted(t *testing.T) {
	s, of := chain(t)
	want := saysOf(t, s.lists)
	noRoom := errors.New("no room")
	for call := 1; ; call++ {
		mem := memstore.New()
		faulty := storetest.NewFaulty(mem)
		faulty.Inject(storetest.Fault{Call: storetest.Apply, Nth: call, Err: noRoom})
		_, err := restore(t.Context(), faulty, files(of...)...)
		if err == nil {
			if call < 5 {
				t.Fatalf("the restore took %d batches, want more", call)
			}
			return
		}
		if !errors.Is(err, noRoom) {
			t.Fatalf("batch %d: got %v, want %v", call, err, noRoom)
		}
		if entries(t, mem) != "" {
			mustBeRestoring(t, fmt.Sprint("batch ", call), mem)
		}
		if _, err := restore(t.Context(), mem, files(of...)...); err != nil {
			t.Fatalf("batch %d: restored again: %v", call, err)
		}
		if got := says(t, mem); got != want {
			t.Fatalf("batch %d: restored again: got\n%s\nwant\n%s", call, got, want)
		}
	}
}

// TestRestoreNotEmpty: a store with a database, or something else, stays as it is.
func TestRestoreNotEmpty(t *testing.T) {
	_, of := chain(t)
	restored, other := memstore.New(), memstore.New()
	if _, err := restore(t.Context(), restored, of[0].file); err != nil {
		t.Fatal(err)
	}
	var b store.Batch
	b.Put([]byte("mine"), nil)
	if err := other.Apply(&b, true); err != nil {
		t.Fatal(err)
	}
	for text, s := range map[string]store.Store{"it holds a database": restored, "it begins with key 6d696e65": other} {
		before := entries(t, s)
		if _, err := restore(t.Context(), s, of[0].file); !errors.Is(err, ErrNotEmpty) ||
			!strings.HasSuffix(err.Error(), ": "+text) {
			t.Errorf("got %v, want %v: %s", err, ErrNotEmpty, text)
		}
		if entries(t, s) != before {
			t.Errorf("%s: the store has changed", text)
		}
	}
}

// TestRestoreEndsWithContext: the context ends a restore at each of its steps.
func TestRestoreEndsWithContext(t *testing.T) {
	_, of := chain(t)
	s := memstore.New()
	ctx, cancel := context.WithCancel(t.Context())
	r, err := NewRestorer(ctx, s)
	if err != nil {
		t.Fatal(err)
	}
	if err := r.Add(bytes.NewReader(of[0].file)); err != nil {
		t.Fatal(err)
	}
	cancel()
	if err := r.Add(bytes.NewReader(of[1].file)); !errors.Is(err, context.Canceled) {
		t.Errorf("Add: got %v, want context.Canceled", err)
	}
	if _, err := r.End(); !errors.Is(err, context.Canceled) {
		t.Errorf("End: got %v, want context.Canceled", err)
	}
	mustBeRestoring(t, "after the context has ended", s)
	if _, err := NewRestorer(ctx, s); !errors.Is(err, context.Canceled) { // which has something to clear
		t.Errorf("NewRestorer: got %v, want context.Canceled", err)
	}
}
