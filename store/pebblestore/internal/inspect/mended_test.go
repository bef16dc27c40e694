// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package inspect

import (
	"encoding/binary"
	"hash/crc32"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/cockroachdb/pebble/v2/vfs"

	"github.com/uproar-db/uproar/store"
	"github.com/uproar-db/uproar/store/pebblestore/internal/disk"
)

// TestMended notes bits, some of them twice, and more than are kept.
func TestMended(t *testing.T) {
	m := new(Mended)
	m.note("dir/b", 10, []byte{1, 2, 3}, []byte{1, 0, 7})
	m.note("dir/a", 1<<40, []byte{0}, []byte{0x81})
	m.note("dir/b", 10, []byte{1, 2, 3}, []byte{1, 0, 7})
	want := []store.Bit{{File: "a", Offset: 1 << 40}, {File: "a", Offset: 1 << 40, Bit: 7},
		{File: "b", Offset: 11, Bit: 1}, {File: "b", Offset: 12, Bit: 2}}
	if bits, more := m.Bits(); !slices.Equal(bits, want) || more {
		t.Errorf("got %v, %v, want %v", bits, more, want)
	}
	m.note("c", 0, make([]byte, 2*mostMended), slices.Repeat([]byte{4}, 2*mostMended))
	if bits, more := m.Bits(); len(bits) != mostMended || !more {
		t.Errorf("got %d bits, %v, want %d and more", len(bits), more, mostMended)
	}
}

// counting counts what is read of a file.
type counting struct {
	vfs.File
	bytes *int64
}

func (c counting) ReadAt(p []byte, off int64) (int, error) {
	*c.bytes += int64(len(p))
	return c.File.ReadAt(p, off)
}

// brokenTable makes a file of zeros that ends with a footer of two blocks, of which one is whole.
func brokenTable(tb testing.TB, size int64) string {
	name := filepath.Join(tb.TempDir(), "000001.sst")
	metaLength := int64(1000)
	meta := size - disk.FooterBytes - metaLength - trailerBytes
	footer := make([]byte, disk.FooterBytes)
	footer[0] = disk.FooterKind
	at := 1
	for _, n := range []int64{meta, metaLength, 1000, 20 << 20} {
		at += binary.PutUvarint(footer[at:], uint64(n))
	}
	copy(footer[len(footer)-len(disk.FooterEnd):], disk.FooterEnd)
	if err := os.WriteFile(name, footer, 0o600); err != nil {
		tb.Fatal(err)
	}
	f, err := os.OpenFile(name, os.O_RDWR, 0)
	if err != nil {
		tb.Fatal(err)
	}
	defer f.Close()
	if err := f.Truncate(size); err != nil {
		tb.Fatal(err)
	}
	block := make([]byte, metaLength+trailerBytes)
	end := len(block) - checksumBytes
	binary.LittleEndian.PutUint32(block[end:], mask(crc32.Checksum(block[:end], castagnoli)))
	if _, err := f.WriteAt(append(block, footer...), meta); err != nil {
		tb.Fatal(err)
	}
	return name
}

// TestBrokenFooter reads a bounded part of a large table to find out which bit of its footer has
// flipped, when none has.
func TestBrokenFooter(t *testing.T) {
	const size = 512 << 20
	f, err := vfs.Default.Open(brokenTable(t, size))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	read := int64(0)
	table := repairedTable{counting{f, &read}, "000001.sst", size, new(Mended)}
	var footer [disk.FooterBytes]byte
	if _, err := table.ReadAt(footer[:], size-disk.FooterBytes); err != nil {
		t.Fatal(err)
	}
	if bits, _ := table.mended.Bits(); len(bits) > 0 {
		t.Errorf("got mended %v, want nothing", bits)
	}
	if read > mostIndex+1<<20 || read < mostIndex/2 {
		t.Errorf("read %d bytes, want no more than %d, and what may be it", read, mostIndex)
	}
}

// BenchmarkBrokenFooter is what a table costs that no bit makes whole.
func BenchmarkBrokenFooter(b *testing.B) {
	const size = 512 << 20
	f, err := vfs.Default.Open(brokenTable(b, size))
	if err != nil {
		b.Fatal(err)
	}
	defer f.Close()
	var footer [disk.FooterBytes]byte
	for b.Loop() {
		table := repairedTable{f, "000001.sst", size, new(Mended)}
		if _, err := table.ReadAt(footer[:], size-disk.FooterBytes); err != nil {
			b.Fatal(err)
		}
	}
}
