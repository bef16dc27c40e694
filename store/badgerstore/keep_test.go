// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package badgerstore

import (
	"bytes"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/dgraph-io/badger/v4/options"
	"github.com/dgraph-io/badger/v4/table"

	"github.com/uproar-db/uproar/store"
)

// TestDamagedValueLog changes single bits of the newest value-log file, in values and in what is
// before them. The store was closed or killed. Opening for writing must keep all other values, each
// time, and closing must not wait for the damaged one.
func TestDamagedValueLog(t *testing.T) {
	const n = 40
	closed, killed := filepath.Join(t.TempDir(), "db"), filepath.Join(t.TempDir(), "db")
	s, err := openStore(closed, nil, smallFile)
	if err != nil {
		t.Fatal(err)
	}
	putLarge(t, s, 0, n)
	if err := os.CopyFS(killed, os.DirFS(closed)); err != nil {
		t.Fatal(err)
	}
	mustClose(t, s)
	newest, err := newestValueLog(closed)
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Base(valueLogPath(closed, newest))
	for what, dir := range map[string]string{"closed": closed, "killed": killed} {
		for _, damaged := range []int{0, n / 2, n - 1} {
			begin := entryAt(t, filepath.Join(dir, file), largeKey(damaged))
			for _, at := range []int64{0, 2, 4, 8, 1000, 4100} {
				t.Run(fmt.Sprintf("%s, value %d, byte %d", what, damaged, at), func(t *testing.T) {
					copied := filepath.Join(t.TempDir(), "db")
					if err := os.CopyFS(copied, os.DirFS(dir)); err != nil {
						t.Fatal(err)
					}
					flip(t, filepath.Join(copied, file), begin+at)
					testDamagedValueLog(t, copied, file, n, damaged)
				})
			}
		}
	}
}

// testDamagedValueLog opens a store of n values again and again; one is damaged in the newest file.
// It opens it first for reading only, which must leave all files alone.
func testDamagedValueLog(t *testing.T, dir, file string, n, damaged int) {
	untouched := sizesOf(t, dir)
	if s, err := openStore(dir, &Options{ReadOnly: true}, smallFile); err == nil { // one that was killed is refused
		if lost := unreadable(t, s, 0, n); len(lost) != 1 || lost[0] != damaged {
			t.Errorf("opened for reading: values %v cannot be read, want %d alone", lost, damaged)
		}
		mustClose(t, s)
	}
	if now := sizesOf(t, dir); !maps.Equal(now, untouched) {
		t.Errorf("opened for reading: got files %v, want %v, as before", now, untouched)
	}
	var out bytes.Buffer
	opts := &Options{Logger: slog.New(slog.NewTextHandler(&out, nil))}
	for opened := range 2 {
		before, err := os.Stat(filepath.Join(dir, file))
		if err != nil {
			t.Fatal(err)
		}
		s, err := openStore(dir, opts, smallFile)
		if err != nil {
			t.Fatal(err)
		}
		if lost := unreadable(t, s, 0, n); len(lost) != 1 || lost[0] != damaged {
			t.Errorf("opened %d times: values %v cannot be read, want %d alone", opened+1, lost, damaged)
		}
		putLarge(t, s, n+opened, n+opened+1)
		if lost := unreadable(t, s, n, n+opened+1); lost != nil {
			t.Errorf("opened %d times: values %v, written since, cannot be read", opened+1, lost)
		}
		mustClose(t, s)
		if after, err := os.Stat(filepath.Join(dir, file)); err != nil || after.Size() != before.Size() {
			t.Errorf("opened %d times: got %v, %v, want the damaged file as it was", opened+1, after, err)
		}
	}
	if told := out.String(); strings.Count(told, "level=ERROR") != 1 ||
		!strings.Contains(told, file+" is damaged and kept") {
		t.Errorf("the log has %q, want one error that names %s", told, file)
	}
}

// TestUnreadableTable has tables that cannot be read: whether their keys point to a value is not
// known, so that nothing may be cut off.
func TestUnreadableTable(t *testing.T) {
	for _, c := range []Compression{NoCompression, Snappy, Zstd} {
		t.Run(fmt.Sprint(c), func(t *testing.T) { testUnreadableTable(t, c) })
	}
}

func testUnreadableTable(t *testing.T, compression Compression) {
	dir := t.TempDir()
	s, err := Open(dir, &Options{Compression: compression})
	if err != nil {
		t.Fatal(err)
	}
	const n = 300 // of several blocks
	putLarge(t, s, 0, n)
	mustClose(t, s)
	tables, err := filesOf(dir, ".sst")
	if err != nil || len(tables) != 1 {
		t.Fatalf("got %d tables, %v, want one", len(tables), err)
	}
	whole, err := os.ReadFile(tables[0])
	if err != nil {
		t.Fatal(err)
	}
	id, _ := table.ParseFileID(tables[0])
	opts := table.Options{Compression: options.CompressionType(compression), BlockSize: 4 << 10}
	for _, c := range []struct {
		file   uint32
		offset int64
		want   bool
	}{{1, 0, true}, {1, (n - 1) * 4096, true}, {1, n * 4200, false}, {2, 0, false}} {
		if got := tablePoints(tables[0], id, opts, c.file, c.offset); got != c.want {
			t.Errorf("file %d from %d: got %v, want %v", c.file, c.offset, got, c.want)
		}
	}
	for at := 0; at < len(whole); at += 11 {
		damaged := bytes.Clone(whole)
		damaged[at] ^= 0x10
		path := filepath.Join(t.TempDir(), filepath.Base(tables[0]))
		if err := os.WriteFile(path, damaged, 0o600); err != nil {
			t.Fatal(err)
		}
		if !tablePoints(path, id, opts, 1, (n-1)*4096) {
			t.Errorf("byte %d of %d: got no key that points to file 1, want none cut off", at, len(whole))
		}
	}
	if !tablePoints(tables[0]+".missing", id, opts, 1, 0) {
		t.Error("a table that is missing points nowhere, want that nothing is cut off")
	}
}

// TestUnfinishedBatch has the newest value-log file end with what a kill or power cut leaves of a
// batch. It is cut off.
func TestUnfinishedBatch(t *testing.T) {
	const n = 10
	for what, rest := range map[string][]byte{
		"half an entry":         append([]byte{0, 0, 15, 0x80, 0x20, 0}, bytes.Repeat([]byte{'x'}, 2000)...),
		"no entry":              bytes.Repeat([]byte{0xff}, 3000),
		"an entry behind zeros": append(make([]byte, 4096), logEntryOf(largeKey(0), largeValue(1))...),
		"an entry that is whole": logEntryOf(append(largeKey(0), 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xfe),
			largeValue(1)),
		"room that is not written": make([]byte, 1<<20),
	} {
		t.Run(what, func(t *testing.T) {
			dir := t.TempDir()
			s, err := Open(dir, nil)
			if err != nil {
				t.Fatal(err)
			}
			putLarge(t, s, 0, n)
			mustClose(t, s)
			newest, err := newestValueLog(dir)
			if err != nil {
				t.Fatal(err)
			}
			path := valueLogPath(dir, newest)
			f, err := os.OpenFile(path, os.O_WRONLY|os.O_APPEND, 0)
			if err != nil {
				t.Fatal(err)
			}
			if _, err := f.Write(rest); err != nil {
				t.Fatal(err)
			}
			if err := f.Close(); err != nil {
				t.Fatal(err)
			}
			if s, err = Open(dir, nil); err != nil {
				t.Fatal(err)
			}
			if lost := unreadable(t, s, 0, n); lost != nil {
				t.Errorf("values %v cannot be read", lost)
			}
			if _, whole, err := scanLog(t.Context(), path, nil); err != nil || !whole {
				t.Errorf("got %v, %v, want the rest cut off", whole, err)
			}
			if now, err := newestValueLog(dir); err != nil || now != newest+1 {
				t.Errorf("the newest file is %d, %v; want %d, which Badger adds", now, err, newest+1)
			}
			mustClose(t, s)
		})
	}
}

// TestDamagedLogHeader changes what says that a log is not encrypted. It does so in the value log
// and in the log of a memtable that a kill leaves.
func TestDamagedLogHeader(t *testing.T) {
	dir := t.TempDir()
	s, err := openStore(dir, nil, smallFile)
	if err != nil {
		t.Fatal(err)
	}
	putLarge(t, s, 0, 3)
	killed := filepath.Join(t.TempDir(), "db")
	if err := os.CopyFS(killed, os.DirFS(dir)); err != nil {
		t.Fatal(err)
	}
	mustClose(t, s)
	for _, name := range []string{"000001.vlog", "00001.mem"} {
		for at := range int64(8) {
			path := filepath.Join(killed, name)
			flip(t, path, at)
			if _, err := openStore(killed, nil, smallFile); !errors.Is(err, store.ErrCorrupt) ||
				!strings.Contains(err.Error(), name) {
				t.Errorf("byte %d of %s: got %v, want %v naming the file", at, name, err, store.ErrCorrupt)
			}
			flip(t, path, at)
		}
	}
}
