// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package uproar_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/uproar-db/uproar"
	"github.com/uproar-db/uproar/store"
	"github.com/uproar-db/uproar/store/memstore"
	"github.com/uproar-db/uproar/store/storetest"
)

func TestRestoreOrder(t *testing.T) {
	db, files, infos := chain(t)
	full2, _ := backup(t, db, nil)
	_, others, _ := chain(t)
	skipping, _ := backup(t, db, infos[0])
	twin, twins := backup(t, db, infos[0]) // of the same state as the one above
	onTwin, _ := backup(t, db, twins)
	for name, c := range map[string]struct {
		files [][]byte
		want  error
	}{
		"in order":                          {files, nil},
		"one left out by another":           {[][]byte{files[0], skipping}, nil},
		"no full one":                       {files[1:], uproar.ErrBackupBase},
		"one missing":                       {[][]byte{files[0], files[2]}, uproar.ErrBackupBase},
		"reversed":                          {[][]byte{files[0], files[2], files[1]}, uproar.ErrBackupBase},
		"one twice":                         {[][]byte{files[0], files[1], files[1]}, uproar.ErrBackupBase},
		"a full one in the middle":          {[][]byte{files[0], full2}, uproar.ErrBackupBase},
		"an increment of another":           {[][]byte{files[0], others[1]}, uproar.ErrBackupBase},
		"on a twin of the one before it":    {[][]byte{files[0], skipping, onTwin}, uproar.ErrBackupBase},
		"on its own":                        {[][]byte{files[0], twin, onTwin}, nil},
		"none":                              {nil, uproar.ErrInvalid},
		"something else":                    {[][]byte{[]byte("hello, world, this is no backup")}, uproar.ErrNotBackup},
		"nothing":                           {[][]byte{{}}, uproar.ErrNotBackup},
		"another version":                   {[][]byte{[]byte("\xBBuproar\x02 and so on")}, uproar.ErrVersion},
		"bytes of two, one above the other": {[][]byte{slices.Concat(files[0], files[1])}, uproar.ErrCorrupt},
	} {
		s := memstore.New()
		_, err := restoreAll(s, c.files...)
		if !errors.Is(err, c.want) {
			t.Errorf("%s: got %v, want %v", name, err, c.want)
		}
		var base *uproar.BaseError
		if errors.Is(c.want, uproar.ErrBackupBase) && (!errors.As(err, &base) || base.Reason == "") {
			t.Errorf("%s: got %v, want a BaseError with a reason", name, err)
		}
		if c.want == nil {
			continue
		}
		if got, err := uproar.Open(t.Context(), s, nil); !errors.Is(err, uproar.ErrRestoring) && len(c.files) > 0 {
			t.Errorf("%s: opening what is left: got %v, %v, want %v", name, got, err, uproar.ErrRestoring)
		}
	}
}

// TestRestoreLeavesNothing compares what a chain leaves in the store with what one full backup of
// the same state does.
func TestRestoreLeavesNothing(t *testing.T) {
	db, files, _ := chain(t)
	full, _ := backup(t, db, nil)
	entries := func(files ...[]byte) string {
		s := memstore.New()
		if _, err := restoreAll(s, files...); err != nil {
			t.Fatal(err)
		}
		var out strings.Builder
		err := s.Scan(nil, nil, func(k, v []byte) error {
			if k[0] != 5 { // which has the ID of the last backup, and a random one
				fmt.Fprintf(&out, "%x %x\n", k, v)
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
		return out.String()
	}
	if got, want := entries(files...), entries(full); got != want {
		t.Errorf("after the chain the store has\n%s\nwant\n%s", got, want)
	}
}

// TestBackupOfAnotherHistory has a copy of a database go its own way.
func TestBackupOfAnotherHistory(t *testing.T) {
	s, f := memstore.New(), memstore.New()
	db := openDB(t, keepOpen{s}, nil)
	ix := newShop(t, db, "shop")
	writeShop(t, ix, rand.New(rand.NewPCG(1, 1)), 3)
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	var all store.Batch
	if err := s.Scan(nil, nil, func(k, v []byte) error {
		all.Put(bytes.Clone(k), bytes.Clone(v))
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	if err := f.Apply(&all, true); err != nil {
		t.Fatal(err)
	}
	var infos [2]*uproar.BackupInfo
	var dbs [2]*uproar.DB
	for i, s := range []store.Store{s, f} {
		dbs[i] = openDB(t, s, nil)
		defer dbs[i].Close()
		ix, err := dbs[i].Index("shop")
		if err != nil {
			t.Fatal(err)
		}
		writeShop(t, ix, rand.New(rand.NewPCG(5, uint64(i))), 3+i)
		_, infos[i] = backup(t, dbs[i], nil)
	}
	for i := range dbs {
		if _, err := dbs[i].Backup(t.Context(), io.Discard, &uproar.BackupOptions{Since: infos[1-i]}); !errors.Is(err,
			uproar.ErrBackupBase) {
			t.Errorf("database %d since a backup of its copy: got %v, want %v", i, err, uproar.ErrBackupBase)
		}
	}
	if _, err := dbs[0].Backup(t.Context(), io.Discard,
		&uproar.BackupOptions{Since: new(uproar.BackupInfo)}); !errors.Is(err, uproar.ErrInvalid) {
		t.Errorf("since a made-up backup: got %v, want %v", err, uproar.ErrInvalid)
	}
	other := openDB(t, memstore.New(), nil)
	defer other.Close()
	if _, err := other.Backup(t.Context(), io.Discard, &uproar.BackupOptions{Since: infos[0]}); !errors.Is(err,
		uproar.ErrBackupBase) {
		t.Errorf("another database: got %v, want %v", err, uproar.ErrBackupBase)
	}
}

// TestDamagedBackup cuts backups everywhere, and flips their bytes: nothing of them becomes a
// database.
func TestDamagedBackup(t *testing.T) {
	_, files, _ := chain(t)
	step := 1
	if testing.Short() {
		step = 7
	}
	try := func(what string, damaged ...[]byte) {
		t.Helper()
		s := memstore.New()
		_, err := restoreAll(s, damaged...)
		if err == nil {
			t.Errorf("%s: restored", what)
			return
		}
		if !errors.Is(err, uproar.ErrCorrupt) && !errors.Is(err, uproar.ErrVersion) &&
			!errors.Is(err, uproar.ErrNotBackup) && !errors.Is(err, uproar.ErrBackupBase) {
			t.Errorf("%s: got %v, want one of the errors of damage", what, err)
		}
		if _, err := uproar.Open(context.Background(), s, nil); !errors.Is(err, uproar.ErrRestoring) {
			t.Errorf("%s: opening what is left: got %v, want %v", what, err, uproar.ErrRestoring)
		}
	}
	for i, file := range files[:2] {
		for n := 0; n < len(file); n += step {
			with := slices.Clone(files[:i+1])
			with[i] = file[:n]
			try(fmt.Sprintf("backup %d cut to %d bytes", i, n), with...)
			with[i] = slices.Clone(file)
			with[i][n] ^= byte(1 << (n % 8))
			try(fmt.Sprintf("backup %d with byte %d flipped", i, n), with...)
		}
		with := slices.Clone(files[:i+1])
		with[i] = append(slices.Clone(file), 0)
		try(fmt.Sprintf("backup %d with a byte more", i), with...)
	}
	for n := range len(files[0]) {
		if _, err := uproar.ReadBackup(bytes.NewReader(files[0][:n])); !errors.Is(err, uproar.ErrCorrupt) &&
			!errors.Is(err, uproar.ErrNotBackup) {
			t.Fatalf("ReadBackup of the first %d bytes: got %v, want %v", n, err, uproar.ErrCorrupt)
		}
	}
}

// TestInterruptedRestore cuts the power at every batch of a restore: what is left is no database,
// and the next restore succeeds.
func TestInterruptedRestore(t *testing.T) {
	db, files, _ := chain(t)
	want := dump(t, db)
	for call := 1; ; call++ {
		mem := memstore.New()
		faulty := storetest.NewFaulty(mem)
		faulty.Inject(storetest.Fault{Call: storetest.Apply, Nth: call, Err: errNoRoom})
		_, err := restoreAll(faulty, files...)
		if err == nil {
			if call < 5 {
				t.Fatalf("the restore took %d batches, want more", call)
			}
			return
		}
		left := 0
		if err := mem.Keys(nil, nil, func([]byte) error { left++; return nil }); err != nil {
			t.Fatal(err)
		}
		if left > 0 {
			if _, err := uproar.Open(t.Context(), keepOpen{mem}, nil); !errors.Is(err, uproar.ErrRestoring) {
				t.Fatalf("batch %d failed: opening: got %v, want %v", call, err, uproar.ErrRestoring)
			}
		}
		again := mustRestore(t, keepOpen{mem}, files...)
		if got := dump(t, again); got != want {
			t.Fatalf("batch %d failed: restored again: got\n%s\nwant\n%s", call, got, want)
		}
		if _, err := restoreAll(mem, files...); err == nil {
			t.Fatal("restored above a database")
		}
	}
}

func TestRestoreNotEmpty(t *testing.T) {
	db, files, _ := chain(t)
	mem := memstore.New()
	mustRestore(t, keepOpen{mem}, files...)
	if _, err := restoreAll(mem, files...); !errors.Is(err, uproar.ErrNotEmpty) {
		t.Errorf("above a database: got %v, want %v", err, uproar.ErrNotEmpty)
	}
	other := memstore.New()
	var b store.Batch
	b.Put([]byte("mine"), nil)
	if err := other.Apply(&b, true); err != nil {
		t.Fatal(err)
	}
	if _, err := restoreAll(other, files...); !errors.Is(err, uproar.ErrNotEmpty) {
		t.Errorf("above something else: got %v, want %v", err, uproar.ErrNotEmpty)
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := db.Backup(t.Context(), io.Discard, nil); !errors.Is(err, uproar.ErrClosed) {
		t.Errorf("backup of a closed database: got %v, want %v", err, uproar.ErrClosed)
	}
}

// failingWriter fails after some bytes.
type failingWriter struct{ left int }

var errNoRoom = errors.New("no room")

func (w *failingWriter) Write(p []byte) (int, error) {
	if w.left -= len(p); w.left < 0 {
		return 0, errNoRoom
	}
	return len(p), nil
}

// TestBackupThatFails lets the writer fail, or the context end: nothing is held any more
// afterwards.
func TestBackupThatFails(t *testing.T) {
	db, files, infos := chain(t)
	for n := 0; n < len(files[1]); n += 100 {
		if _, err := db.Backup(t.Context(), &failingWriter{n}, &uproar.BackupOptions{Since: infos[0]}); !errors.Is(err,
			errNoRoom) {
			t.Fatalf("with room for %d bytes: got %v, want the writer's error", n, err)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if info, err := db.Backup(ctx, io.Discard, nil); !errors.Is(err, context.Canceled) || info != nil {
		t.Errorf("cancelled: got %v, %v, want %v", info, err, context.Canceled)
	}
	if _, err := uproar.Restore(ctx, memstore.New(), bytes.NewReader(files[0])); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: got %v, want %v", err, context.Canceled)
	}
}
