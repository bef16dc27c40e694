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

// TestFooterNotMended reads the ends of tables that were zeroed or cut, for which no bit is the
// cause: nothing is changed, and nothing is told as put right.
func TestFooterNotMended(t *testing.T) {
	const size = 1 << 20
	for what, change := range map[string]func(content []byte) []byte{
		"all zeroed":       func(b []byte) []byte { clear(b[len(b)-disk.FooterBytes:]); return b },
		"the name zeroed":  func(b []byte) []byte { clear(b[len(b)-len(disk.FooterEnd):]); return b },
		"a byte too short": func(b []byte) []byte { return b[:len(b)-1] },
		"nothing":          func(b []byte) []byte { return b },
	} {
		name := brokenTable(t, size)
		content, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		content = change(content)
		if err := os.WriteFile(name, content, 0o600); err != nil {
			t.Fatal(err)
		}
		f, err := vfs.Default.Open(name)
		if err != nil {
			t.Fatal(err)
		}
		table := repairedTable{f, name, int64(len(content)), new(Mended)}
		got, want := make([]byte, disk.FooterBytes), content[len(content)-disk.FooterBytes:]
		if _, err := table.ReadAt(got, table.size-disk.FooterBytes); err != nil || !slices.Equal(got, want) {
			t.Errorf("%s: got %x, %v, want %x", what, got, err, want)
		}
		if bits, _ := table.mended.Bits(); len(bits) > 0 {
			t.Errorf("%s: got mended %v, want nothing", what, bits)
		}
		if err := f.Close(); err != nil {
			t.Error(err)
		}
	}
}

// TestBrokenOnce reads blocks that no bit makes whole: each is searched once, and so much of a
// table in all.
func TestBrokenOnce(t *testing.T) {
	const size, block = 1 << 20, 4096
	name := brokenTable(t, size)
	f, err := vfs.Default.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	m := new(Mended)
	for range 3 {
		table := repairedTable{f, name, size, m} // opened again
		for at := range 10 {
			if _, err := table.ReadAt(make([]byte, block), int64(at*block)); err != nil {
				t.Fatal(err)
			}
		}
	}
	if got := m.vain[name]; got != 10*block {
		t.Errorf("searched %d bytes in vain, want %d", got, 10*block)
	}
	m.vain[name] = mostVain - block + 1
	if _, err := (repairedTable{f, name, size, m}).ReadAt(make([]byte, block), 10*block); err != nil {
		t.Fatal(err)
	}
	if got := m.vain[name]; got > mostVain {
		t.Errorf("searched %d bytes in vain, want at most %d", got, mostVain)
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
