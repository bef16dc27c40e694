// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package uproar_test

import (
	"bytes"
	"errors"
	"io"
	"math/rand/v2"
	"testing"

	"github.com/uproar-db/uproar"
	"github.com/uproar-db/uproar/store/memstore"
)

// TestCopyBackup copies a backup, whole and then damaged in every way: a copy that ends without an
// error is a backup.
func TestCopyBackup(t *testing.T) {
	db, err := uproar.Open(t.Context(), memstore.New(), nil)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	ix := newShop(t, db, "shop")
	writeShop(t, ix, rand.New(rand.NewPCG(5, 5)), 20)
	if err := ix.Flush(t.Context()); err != nil {
		t.Fatal(err)
	}
	var whole bytes.Buffer
	want, err := db.Backup(t.Context(), &whole, nil)
	if err != nil {
		t.Fatal(err)
	}
	stats, err := db.Stats()
	if err != nil || stats.Memory.Backups != 0 {
		t.Errorf("got %d bytes of memory for backups, %v, when there is none under way, want 0", stats.Memory.Backups,
			err)
	}
	var copied bytes.Buffer
	var last, total int64
	got, err := uproar.CopyBackup(&copied, bytes.NewReader(whole.Bytes()), func(d, of int64) { last, total = d, of })
	if err != nil || got.ID != want.ID || !bytes.Equal(copied.Bytes(), whole.Bytes()) {
		t.Fatalf("got backup %v, %d bytes, %v, want %s and %d", got, copied.Len(), err, want.ID, whole.Len())
	}
	if pages := int64(want.Indexes[0].Bytes); last != pages || total != pages || pages == 0 {
		t.Errorf("progress ended at %d of %d bytes, want %d", last, total, pages)
	}
	for n := 0; n < whole.Len(); n += 1 + n/50 {
		if _, err := uproar.CopyBackup(io.Discard, bytes.NewReader(whole.Bytes()[:n]), nil); !errors.Is(err,
			uproar.ErrCorrupt) && !errors.Is(err, uproar.ErrNotBackup) {
			t.Fatalf("the first %d of %d bytes: got error %v, want one that they are no backup", n, whole.Len(), err)
		}
	}
	for n := 0; n < whole.Len(); n += 1 + n/50 {
		damaged := bytes.Clone(whole.Bytes())
		damaged[n] ^= 4
		if _, err := uproar.CopyBackup(io.Discard, bytes.NewReader(damaged), nil); err == nil {
			t.Fatalf("byte %d damaged: got no error", n)
		}
	}
	if _, err := uproar.CopyBackup(io.Discard, io.MultiReader(bytes.NewReader(whole.Bytes()),
		bytes.NewReader([]byte{0})), nil); !errors.Is(err, uproar.ErrCorrupt) {
		t.Errorf("a byte after the end: got error %v, want ErrCorrupt", err)
	}
}

// TestBackupHead makes an increment from nothing but the head of the backup before it.
func TestBackupHead(t *testing.T) {
	db, err := uproar.Open(t.Context(), memstore.New(), nil)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	ix := newShop(t, db, "shop")
	rng := rand.New(rand.NewPCG(6, 6))
	writeShop(t, ix, rng, 20)
	var full, head, increment bytes.Buffer
	info, err := db.Backup(t.Context(), &full, nil)
	if err != nil {
		t.Fatal(err)
	}
	if err := info.WriteHead(&head); err != nil || !bytes.HasPrefix(full.Bytes(), head.Bytes()) {
		t.Fatalf("got a head of %d bytes, %v, want the first of the backup", head.Len(), err)
	}
	base, err := uproar.ReadBackup(struct{ io.Reader }{&head})
	if err != nil || base.ID != info.ID {
		t.Fatalf("got base %v, %v, want %s", base, err, info.ID)
	}
	writeShop(t, ix, rng, 20)
	if _, err := db.Backup(t.Context(), &increment, &uproar.BackupOptions{Since: base}); err != nil {
		t.Fatal(err)
	}
	again := memstore.New()
	if _, err := uproar.Restore(t.Context(), again, &full, &increment); err != nil {
		t.Fatal(err)
	}
	restored, err := uproar.Open(t.Context(), again, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer restored.Close()
	if got, want := dump(t, restored), dump(t, db); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	if err := new(uproar.BackupInfo).WriteHead(io.Discard); !errors.Is(err, uproar.ErrInvalid) {
		t.Errorf("the head of nothing: got error %v, want ErrInvalid", err)
	}
}

// TestBackupMemory: what a backup holds is counted while it runs.
func TestBackupMemory(t *testing.T) {
	db, err := uproar.Open(t.Context(), memstore.New(), nil)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	ix := newShop(t, db, "shop")
	writeShop(t, ix, rand.New(rand.NewPCG(7, 7)), 20)
	if err := ix.Flush(t.Context()); err != nil {
		t.Fatal(err)
	}
	most := int64(0)
	_, err = db.Backup(t.Context(), io.Discard, &uproar.BackupOptions{Progress: func(int64, int64) {
		stats, err := db.Stats()
		if err != nil {
			t.Error(err)
		}
		most = max(most, stats.Memory.Backups)
	}})
	if err != nil || most < 1<<20 {
		t.Errorf("got at most %d bytes counted, %v, want a block of a megabyte", most, err)
	}
}
