// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package badgerstore

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"os"
	"testing"
	"time"

	"github.com/uproar-db/uproar/store"
)

// largeValueBytes is what an entry of a large value takes.
const largeValueBytes = 4<<10 + 20

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

// unreadable returns the numbers of the values that cannot be read, which must be said to be
// damaged.
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
	// meta, user meta, a length of one byte and one of two, when it expires: 1 + 1 + 1 + 2 + 1
	// bytes; the last is before the key
	return int64(at) - 5
}

// logEntryOf returns an entry as it stands in the value log.
func logEntryOf(key, value []byte) []byte {
	b := []byte{0, 0}
	b = binary.AppendUvarint(b, uint64(len(key)))
	b = binary.AppendUvarint(b, uint64(len(value)))
	b = append(append(append(b, 0), key...), value...)
	return binary.BigEndian.AppendUint32(b, crc32.Checksum(b, castagnoli))
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
