// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package uproar_test

import (
	"bytes"
	"context"
	"errors"
	"io"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/uproar-db/uproar"
	"github.com/uproar-db/uproar/store"
	"github.com/uproar-db/uproar/store/memstore"
	"github.com/uproar-db/uproar/store/storetest"
)

// TestRestoreErrors are those of package dump as users see them: each is one of this package, and
// what is left is no database. Which backups go on from which is tested there.
func TestRestoreErrors(t *testing.T) {
	_, files, infos := chain(t)
	for name, c := range map[string]struct {
		files [][]byte
		want  error
	}{
		"in order":                          {files, nil},
		"none":                              {nil, uproar.ErrInvalid},
		"no full one":                       {files[1:], uproar.ErrBackupBase},
		"one missing":                       {[][]byte{files[0], files[2]}, uproar.ErrBackupBase},
		"something else":                    {[][]byte{[]byte("hello, world, this is no backup")}, uproar.ErrNotBackup},
		"another version":                   {[][]byte{[]byte("\xBBuproar\x02 and so on")}, uproar.ErrVersion},
		"cut short":                         {[][]byte{files[0][:len(files[0])-1]}, uproar.ErrCorrupt},
		"bytes of two, one above the other": {[][]byte{slices.Concat(files[0], files[1])}, uproar.ErrCorrupt},
	} {
		s := memstore.New()
		_, err := restoreAll(s, c.files...)
		if !errors.Is(err, c.want) {
			t.Errorf("%s: got %v, want %v", name, err, c.want)
		}
		var base *uproar.BaseError
		if errors.Is(c.want, uproar.ErrBackupBase) && (!errors.As(err, &base) || base.Reason == "" ||
			base.Backup != infos[len(files)-1].ID && base.Backup != infos[1].ID) {
			t.Errorf("%s: got %v, want a BaseError that names the backup, with a reason", name, err)
		}
		if c.want == nil || len(c.files) == 0 {
			continue
		}
		if got, err := uproar.Open(t.Context(), s, nil); !errors.Is(err, uproar.ErrRestoring) {
			t.Errorf("%s: opening what is left: got %v, %v, want %v", name, got, err, uproar.ErrRestoring)
		}
	}
	for n := range len(files[0]) {
		if _, err := uproar.ReadBackup(bytes.NewReader(files[0][:n])); !errors.Is(err, uproar.ErrCorrupt) &&
			!errors.Is(err, uproar.ErrNotBackup) {
			t.Fatalf("ReadBackup of the first %d bytes: got %v, want %v", n, err, uproar.ErrCorrupt)
		}
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
