// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package badgerstore

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"log/slog"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/dgraph-io/badger/v4/options"
	"github.com/dgraph-io/badger/v4/table"

	"github.com/uproar-db/uproar/store"
)

// largeKey and largeValue are what tests of the value log write.
func largeKey(i int) []byte   { return fmt.Appendf(nil, "key%04d", i) }
func largeValue(i int) []byte { return bytes.Repeat([]byte{byte(i + 1)}, 4<<10) }

// putLarge writes values from one number to another, a batch each.
func putLarge(t *testing.T, s *Store, from, to int) {
	t.Helper()
	for i := from; i < to; i++ {
		b := new(store.Batch)
		b.Put(largeKey(i), largeValue(i))
		if err := s.Apply(b, true); err != nil {
			t.Fatal(err)
		}
	}
}

// unreadable returns the numbers of the values that cannot be read, which must be said to be damaged.
func unreadable(t *testing.T, s *Store, from, to int) (lost []int) {
	t.Helper()
	for i := from; i < to; i++ {
		err := s.Get(largeKey(i), func(got []byte) error {
			if !bytes.Equal(got, largeValue(i)) {
				t.Errorf("value %d is another one", i)
			}
			return nil
		})
		switch {
		case errors.Is(err, store.ErrCorrupt):
			lost = append(lost, i)
		case err != nil:
			t.Errorf("value %d: %v", i, err)
		}
	}
	return lost
}

// mustClose closes a store, which must not take long.
func mustClose(t *testing.T, s *Store) {
	t.Helper()
	done := make(chan error, 1)
	go func() { done <- s.Close() }()
	select {
	case err := <-done:
		if err != nil {
			t.Error(err)
		}
	case <-time.After(time.Minute):
		t.Fatal("Close does not return")
	}
}

// flip changes a bit of a file.
func flip(t *testing.T, path string, at int64) {
	t.Helper()
	f, err := os.OpenFile(path, os.O_RDWR, 0)
	if err != nil {
		t.Fatal(err)
	}
	var b [1]byte
	if _, err := f.ReadAt(b[:], at); err != nil {
		t.Fatal(err)
	}
	b[0] ^= 1
	if _, err := f.WriteAt(b[:], at); err != nil {
		t.Fatal(err)
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
}

// entryAt returns where an entry of the value log begins, by the key that it has.
func entryAt(t *testing.T, path string, key []byte) int64 {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	at := bytes.Index(data, key)
	if at < 0 {
		t.Fatalf("%s has no %s", path, key)
	}
	return int64(at) - 5 // meta, user meta, a length of one byte and one of two, when it expires: 1 + 1 + 1 + 2 + 1 bytes, of which the last is before the key
}

// TestDamagedValueLog changes single bits of the newest value-log file, in values and in what is before them, of a store that was closed and of one that was killed: opening for writing must keep all other values, each time, and closing must not wait for the damaged one.
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

// testDamagedValueLog opens a store of n values, of which one is damaged in the newest file, again and again; first for reading only, which must leave all files alone.
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
	if told := out.String(); strings.Count(told, "level=ERROR") != 1 || !strings.Contains(told, file+" is damaged and kept") {
		t.Errorf("the log has %q, want one error that names %s", told, file)
	}
}

// sizesOf returns the names of the files of a folder, and their sizes.
func sizesOf(t *testing.T, dir string) map[string]int64 {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	sizes := map[string]int64{}
	for _, e := range entries {
		info, err := e.Info()
		if err != nil {
			t.Fatal(err)
		}
		sizes[e.Name()] = info.Size()
	}
	return sizes
}

// TestUnreadableTable has tables that cannot be read: whether their keys point to a value is not known, so that nothing may be cut off.
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

// TestUnfinishedBatch has what a kill or a power cut leaves of a batch behind the entries of the newest value-log file: it is cut off.
func TestUnfinishedBatch(t *testing.T) {
	const n = 10
	for what, rest := range map[string][]byte{
		"half an entry":            append([]byte{0, 0, 15, 0x80, 0x20, 0}, bytes.Repeat([]byte{'x'}, 2000)...),
		"no entry":                 bytes.Repeat([]byte{0xff}, 3000),
		"an entry behind zeros":    append(make([]byte, 4096), logEntryOf(largeKey(0), largeValue(1))...),
		"an entry that is whole":   logEntryOf(append(largeKey(0), 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xfe), largeValue(1)),
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

// logEntryOf returns an entry as it stands in the value log.
func logEntryOf(key, value []byte) []byte {
	b := []byte{0, 0}
	b = binary.AppendUvarint(b, uint64(len(key)))
	b = binary.AppendUvarint(b, uint64(len(value)))
	b = append(append(append(b, 0), key...), value...)
	return binary.BigEndian.AppendUint32(b, crc32.Checksum(b, castagnoli))
}

// TestCollectDamaged has a bit of a replaced value changed in each file that may be rewritten: nothing alive may go with it. Where nothing is changed, files are rewritten.
func TestCollectDamaged(t *testing.T) {
	const n = 1500
	opts := &Options{QuietAfter: time.Hour}
	for _, damaged := range []bool{false, true} {
		dir := t.TempDir()
		s, err := openStore(dir, opts, smallFile)
		if err != nil {
			t.Fatal(err)
		}
		putLarge(t, s, 0, n)
		for i := range n {
			if i%4 != 0 {
				putLarge(t, s, i, i+1) // of three in four what was written first is garbage
			}
		}
		mustClose(t, s)
		files, err := filesOf(dir, ".vlog")
		if err != nil {
			t.Fatal(err)
		}
		flipped := 0
		for _, path := range files {
			if info, err := os.Stat(path); damaged && err == nil && info.Size() > 3*largeValueBytes {
				flip(t, path, logHeader+largeValueBytes+100) // the second value
				flipped++
			}
		}
		if damaged && flipped < 3 {
			t.Fatalf("got %d files to damage, want some", flipped)
		}
		if s, err = openStore(dir, opts, smallFile); err != nil {
			t.Fatal(err)
		}
		lost := unreadable(t, s, 0, n)
		err = s.Compact(t.Context())
		status, statusErr := s.Status()
		if statusErr != nil {
			t.Error(statusErr)
		}
		switch {
		case !damaged && (err != nil || status.Rewritten == 0):
			t.Errorf("got %v and %d files rewritten, want some", err, status.Rewritten)
		case damaged && (!errors.Is(err, store.ErrCorrupt) || !strings.Contains(err.Error(), ".vlog")):
			t.Errorf("got %v, want %v naming the file", err, store.ErrCorrupt)
		case damaged && len(lost) > flipped:
			t.Errorf("%d values cannot be read, of %d that may be damaged", len(lost), flipped)
		}
		if now := unreadable(t, s, 0, n); len(now) > len(lost) {
			t.Errorf("%d values cannot be read afterwards, %d before", len(now), len(lost))
		}
		mustClose(t, s)
	}
}

// largeValueBytes is what an entry of a large value takes.
const largeValueBytes = 4<<10 + 20

// TestDamagedLogHeader changes what says that a log is not encrypted, in the value log and in the log of a memtable that a kill leaves.
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
			if _, err := openStore(killed, nil, smallFile); !errors.Is(err, store.ErrCorrupt) || !strings.Contains(err.Error(), name) {
				t.Errorf("byte %d of %s: got %v, want %v naming the file", at, name, err, store.ErrCorrupt)
			}
			flip(t, path, at)
		}
	}
}
