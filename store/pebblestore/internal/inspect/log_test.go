// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package inspect

import (
	"bytes"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/cockroachdb/pebble/v2"
	"github.com/cockroachdb/pebble/v2/sstable/block"
	"github.com/cockroachdb/pebble/v2/vfs"

	"github.com/uproar-db/uproar/store"
	"github.com/uproar-db/uproar/store/pebblestore/internal/disk"
)

const batches = 20

// written makes an engine's files with some batches in the log and the mark behind them. It returns
// the log.
func written(t *testing.T) (files *Files, log string) {
	t.Helper()
	dir := t.TempDir()
	made := disk.New(nil, nil, slog.New(slog.DiscardHandler))
	db, err := pebble.Open(dir, &pebble.Options{FormatMajorVersion: disk.Format,
		Logger: made.Options(1<<20, 1<<20, block.NoCompression).Logger})
	if err != nil {
		t.Fatal(err)
	}
	var sequence uint64
	for i := range batches {
		b := db.NewBatch()
		err = errors.Join(err, b.Set(fmt.Append(nil, i), make([]byte, 3000), nil), db.Apply(b, pebble.Sync))
		sequence = uint64(b.SeqNum()) + uint64(b.Count())
	}
	if err = errors.Join(err, db.Close()); err != nil {
		t.Fatal(err)
	}
	names, err := filepath.Glob(filepath.Join(dir, "*.log"))
	if err != nil || len(names) == 0 {
		t.Fatalf("got logs %q, %v", names, err)
	}
	log = names[len(names)-1]
	mark, err := os.Create(filepath.Join(dir, "mark"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = mark.Close() })
	if err := (Mark{Log: disk.LogNumber(log), Sequence: sequence}).write(mark); err != nil {
		t.Fatal(err)
	}
	return &Files{Dir: filepath.Dir(log), Mark: mark, FS: vfs.Default}, log
}

// TestMark flips each bit of a mark: it says nothing, and is told from one that is not there.
func TestMark(t *testing.T) {
	f, err := os.Create(filepath.Join(t.TempDir(), "mark"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if m, whole := readMark(f); m != (Mark{}) || !whole {
		t.Errorf("an empty file: got %+v, %v", m, whole)
	}
	want := Mark{7, 1 << 40, 9, 1 << 30}
	if err := want.write(f); err != nil {
		t.Fatal(err)
	}
	if m, whole := readMark(f); m != want || !whole {
		t.Errorf("got %+v, %v, want %+v", m, whole, want)
	}
	mark, err := os.ReadFile(f.Name())
	if err != nil {
		t.Fatal(err)
	}
	for bit := range 8 * len(mark) {
		mark[bit/8] ^= 1 << (bit % 8)
		if _, err := f.WriteAt(mark, 0); err != nil {
			t.Fatal(err)
		}
		if m, whole := readMark(f); m != (Mark{}) || whole {
			t.Errorf("bit %d flipped: got %+v, %v, want nothing", bit, m, whole)
		}
		mark[bit/8] ^= 1 << (bit % 8)
	}
}

// TestCheckLog cuts a log, changes bytes or one bit of it, and deletes it: each is told. A salvage
// puts the bit right, and else reads the batches before.
func TestCheckLog(t *testing.T) {
	files, log := written(t)
	if err := files.CheckLog(); err != nil {
		t.Fatalf("a whole log: %v", err)
	}
	whole, err := os.ReadFile(log)
	if err != nil {
		t.Fatal(err)
	}
	end, found := readLog(bytes.NewReader(whole), disk.LogNumber(log), func(_, _ uint64) bool { return false })
	if found || end < batches*3000 {
		t.Fatalf("got %d bytes of records, found %v, want all", end, found)
	}
	for at := int64(0); at < end; at += 997 {
		for what, content := range map[string][]byte{
			"cut":     whole[:at],
			"changed": slices.Concat(whole[:at], []byte{whole[at] ^ 5}, whole[at+1:]),
			"flipped": slices.Concat(whole[:at], []byte{whole[at] ^ 4}, whole[at+1:]),
		} {
			if err := os.WriteFile(log, content, 0o600); err != nil {
				t.Fatal(err)
			}
			if err := files.CheckLog(); !errors.Is(err, store.ErrCorrupt) || !strings.Contains(err.Error(), "Try:") {
				t.Errorf("%s at byte %d of %d: got %v, want %v and advice", what, at, end, err, store.ErrCorrupt)
			}
			f, err := Salvaged{FS: vfs.Default, Mended: new(Mended)}.Open(log)
			if err != nil {
				t.Fatal(err)
			}
			info, err := f.Stat()
			least, most := at-4000, at
			if what == "flipped" {
				least, most = end, end
			}
			if err != nil || info.Size() > most || info.Size() < least {
				t.Errorf("%s at byte %d: a salvage reads %d bytes, %v, want %d to %d", what, at, info.Size(), err, least, most)
			}
		}
	}
	if err := os.Remove(log); err != nil {
		t.Fatal(err)
	}
	if err := files.CheckLog(); !errors.Is(err, store.ErrCorrupt) {
		t.Errorf("without the log: got %v, want %v", err, store.ErrCorrupt)
	}
	newer := filepath.Join(filepath.Dir(log), fmt.Sprintf("%06d.log", disk.LogNumber(log)+1))
	if err := os.WriteFile(newer, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := files.CheckLog(); err != nil {
		t.Errorf("a newer log, to whose tables the entries went: %v", err)
	}
}

// TestVerifyAgain has a log that goes on while it is read: that is no damage, and a mark that stays
// ahead of it is.
func TestVerifyAgain(t *testing.T) {
	files, log := written(t)
	mark, _ := readMark(files.Mark)
	sequence := mark.Sequence
	db, err := pebble.Open(files.Dir, &pebble.Options{ReadOnly: true,
		Logger: disk.New(nil, nil, slog.New(slog.DiscardHandler)).Options(1<<20, 1<<20, block.NoCompression).Logger})
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	write := func(sequence uint64) {
		if err := (Mark{Log: disk.LogNumber(log), Sequence: sequence}).write(files.Mark); err != nil {
			t.Error(err)
		}
	}
	write(sequence + 1)
	if err := files.Verify(t.Context(), db); !errors.Is(err, store.ErrCorrupt) {
		t.Errorf("a mark ahead of the log: got %v, want %v", err, store.ErrCorrupt)
	}
	for range 5 { // a machine may be busy for as long as Verify looks
		write(sequence + 1)
		done := make(chan struct{})
		time.AfterFunc(disk.RoomPause/2, func() {
			write(sequence)
			close(done)
		})
		err = files.Verify(t.Context(), db)
		if <-done; err == nil {
			return
		}
	}
	t.Errorf("a mark that the log has soon: got %v, want nil", err)
}

// TestSalvagedList shows the manifest that was made in the place of the others.
func TestSalvagedList(t *testing.T) {
	files, _ := written(t)
	names, err := Salvaged{FS: vfs.Default, Manifest: []byte{1}}.List(files.Dir)
	manifests := 0
	for _, name := range names {
		if strings.HasPrefix(name, "MANIFEST-") {
			manifests++
		}
	}
	f, failed := Salvaged{FS: vfs.Default, Manifest: []byte{1}}.Open(files.path(madeManifest))
	if err = errors.Join(err, failed); err != nil || manifests != 1 {
		t.Fatalf("got %d manifests of %q, %v, want that which was made", manifests, names, err)
	}
	if info, err := f.Stat(); err != nil || info.Size() != 1 {
		t.Errorf("got %v, %v, want the manifest that was made", info, err)
	}
}
