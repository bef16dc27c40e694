// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package interop

import (
	"bytes"
	"errors"
	"io"
	"strings"
	"testing"

	"github.com/uproar-db/uproar/bitmap"
	"github.com/uproar-db/uproar/internal/roaring/roaringtest"
)

// TestPortableRefuses checks what is said of files that break one rule.
func TestPortableRefuses(t *testing.T) {
	const two = "3a300000 02000000 0000 0000 0100 0000 18000000 1a000000 0500 0600"
	for _, c := range []struct {
		name, hex string
		want      error
		what      string
		offset    uint64
	}{
		{"nothing", "", bitmap.ErrTruncated, "cookie", 0},
		{"cookie", "3c300000 00000000", bitmap.ErrNotBitmap, "cookie", 0},
		{"cookie with a high half", "3a300100 00000000", bitmap.ErrNotBitmap, "cookie", 0},
		{"too many containers", "3a300000 01000100", bitmap.ErrCorrupt, "number of containers", 8},
		{"most containers", "3a300000 00000100", bitmap.ErrTruncated, "keys and cardinalities", 8},
		{"flags", "3b30ffff 00", bitmap.ErrTruncated, "flags", 4},
		{"offsets", "3a300000 02000000 0000 0000 0100 0000 18000000 1a0000", bitmap.ErrTruncated, "offsets", 16},
		{"array", two[:len(two)-2], bitmap.ErrTruncated, "array", 26},
		{"bytes behind", two + "00", bitmap.ErrCorrupt, "bytes after the set", 28},
		{"keys descend", strings.Replace(two, "0100 0000 18", "0000 0000 18", 1), bitmap.ErrCorrupt, "key", 26},
		{"offset", strings.Replace(two, "1a000000", "1b000000", 1), bitmap.ErrCorrupt, "offset", 26},
		{"array descends", "3a300000 01000000 0000 0100 10000000 0500 0500", bitmap.ErrCorrupt, "values of an array",
			20},
		{"cardinality of a bitset", "3a300000 01000000 0000 0010 10000000" + strings.Repeat("00", 8192),
			bitmap.ErrCorrupt,
			"values of a bitset", 16 + 8192},
		{"cardinality of runs", "3b300000 01 0000 0300 0100 0200 0400", bitmap.ErrCorrupt, "values of runs", 15},
		{"no runs", "3b300000 01 0000 0000 0000", bitmap.ErrCorrupt, "values of runs", 11},
		{"runs overlap", "3b300000 01 0000 0300 0200 0200 0100 0300 0100", bitmap.ErrCorrupt, "start of a run", 19},
		{"run beyond the container", "3b300000 01 0000 0100 0100 ffff 0100", bitmap.ErrCorrupt, "start of a run", 15},
		{"runs end", "3b300000 01 0000 0100 0200 0000 0100", bitmap.ErrTruncated, "runs", 11},
	} {
		file := unhex(t, c.hex)
		check := func(name string, err error, shift uint64) {
			t.Helper()
			var e *bitmap.FormatError
			if !errors.Is(err, c.want) || !errors.As(err, &e) || !strings.Contains(e.What, c.what) ||
				e.Offset != c.offset+shift {
				t.Errorf("%s, %s: got %v, want %v about the %s at byte %d", c.name, name, err, c.want, c.what,
					c.offset+shift)
			}
		}
		_, err := FromPortable32(file)
		check("32 bits", err, 0)
		_, err = FromPortable64(append(unhex(t, "0100000000000000 01000000"), file...))
		check("64 bits", err, 12)
		if len(file) > 0 && c.name != "bytes behind" {
			_, err = ReadPortable32(bytes.NewReader(file))
			check("stream", err, 0)
		}
	}
	for _, c := range []struct {
		name, hex string
		want      error
	}{
		{"nothing", "", bitmap.ErrTruncated},
		{"too many sets", "0100000001000000", bitmap.ErrCorrupt},
		{"most sets", "0000000001000000", bitmap.ErrTruncated},
		{"high bits repeat", "0200000000000000 01000000 3a300000 00000000 01000000 3a300000 00000000",
			bitmap.ErrCorrupt},
		{"bytes behind", "0000000000000000 00", bitmap.ErrCorrupt},
	} {
		if _, err := FromPortable64(unhex(t, c.hex)); !errors.Is(err, c.want) {
			t.Errorf("%s: got %v, want %v", c.name, err, c.want)
		}
	}
}

// TestPortableForeign reads what this package never writes: runs that touch, more runs than fit a
// container, flags without runs, empty sets.
func TestPortableForeign(t *testing.T) {
	b, err := FromPortable32(unhex(t, "3b300000 01 0000 0300 0200 0200 0100 0400 0100"))
	if err != nil {
		t.Fatal(err)
	}
	checkBitmap(t, b, []uint64{2, 3, 4, 5})

	file := unhex(t, "3b300000 01 0000 ff7f 0080")
	for x := range 32768 {
		file = append(file, byte(2*x), byte(2*x>>8), 0, 0)
	}
	if b, err = FromPortable32(file); err != nil {
		t.Fatal(err)
	}
	checkBitmap(t, b, roaringtest.Span(0, 65536, 2))

	if b, err = FromPortable32(unhex(t, "3b300000 00 0000 0000 0900")); err != nil {
		t.Fatal(err)
	}
	checkBitmap(t, b, []uint64{9})

	if b, err = FromPortable64(
		unhex(t, "0200000000000000 01000000 3a300000 00000000 02000000 3b300000 00 0000 0000 0900")); err != nil {
		t.Fatal(err)
	}
	checkBitmap(t, b, []uint64{2<<32 + 9})
}

// TestPortableEnds cuts files short at every byte, as slices and as streams.
func TestPortableEnds(t *testing.T) {
	b := bitmap.Of(1, 2, 3, 4, 5, 6, 7, 1<<17, 1<<18, 1<<19, 1<<40)
	for _, runs := range []Runs{RunsIfSmaller, NoRuns} {
		file := portable64(b.View(), runs)
		for n := range file {
			if _, err := FromPortable64(file[:n:n]); !errors.Is(err, bitmap.ErrTruncated) {
				t.Fatalf("%d of %d bytes: got %v, want %v", n, len(file), err, bitmap.ErrTruncated)
			}
			_, err := ReadPortable64(bytes.NewReader(file[:n]))
			if n > 0 && (!errors.Is(err, bitmap.ErrTruncated) || !errors.Is(err, io.ErrUnexpectedEOF)) || n == 0 &&
				err != io.EOF {
				t.Fatalf("%d of %d bytes of a stream: got %v, want %v", n, len(file), err, bitmap.ErrTruncated)
			}
		}
	}
}

// TestPortableAllocates checks that memory follows what is there, not what a header says.
// Containers cost no allocations of their own.
func TestPortableAllocates(t *testing.T) {
	if roaringtest.RaceEnabled {
		t.Skip("the race detector makes pools drop things")
	}
	for _, digits := range []string{"3a300000 00000100", "3b30ffff", "3b30ffff" + strings.Repeat("ff", 8192)} {
		file := unhex(t, digits)
		wide := append(unhex(t, "0000000001000000 00000000"), file...)
		got := roaringtest.AllocatedBy(func() {
			for range 100 {
				_, err1 := FromPortable32(file)
				_, err2 := FromPortable64(wide)
				_, err3 := ReadPortable64(bytes.NewReader(wide))
				if err1 == nil || err2 == nil || err3 == nil {
					t.Fatal("a header alone was read as a set")
				}
			}
		}) / 100
		if got > 150_000 {
			t.Errorf("%d bytes of header: got %d bytes allocated, want at most 150000", len(file), got)
		}
	}
	for _, chunks := range []uint64{10, 1000} {
		b := bitmap.FromSorted(roaringtest.Span(0, chunks<<16, 300))
		file := portable64(b.View(), NoRuns)
		if got := roaringtest.Allocations(20, func() { FromPortable64(file) }); got > 6 {
			t.Errorf("reading %d containers: got %v allocations, want at most 6", chunks, got)
		}
		dst := make([]byte, 0, len(file))
		if got := roaringtest.Allocations(20, func() { AppendPortable64(dst, b.View(), RunsIfSmaller) }); got > 1 {
			t.Errorf("writing %d containers: got %v allocations, want at most 1", chunks, got)
		}
	}
}

// FuzzPortable reads any bytes as each of the formats: what is accepted is a valid set, is the same
// from a stream, and is written so that reading gives the same set.
func FuzzPortable(f *testing.F) {
	for _, values := range [][]uint64{nil, {1}, {1, 2, 3, 4, 5, 1 << 20}, {1<<32 - 1, 1 << 32, 1<<64 - 1},
		roaringtest.Span(0, 70_000, 1), roaringtest.Span(100, 400_000, 50_000)} {
		b := bitmap.FromSorted(values)
		for _, runs := range []Runs{RunsIfSmaller, NoRuns} {
			f.Add(portable64(b.View(), runs), uint32(0), byte(0))
			if file, err := AppendPortable32(nil, b.View(), runs); err == nil {
				f.Add(file, uint32(9), byte(1))
			}
		}
	}
	f.Fuzz(func(t *testing.T, file []byte, at uint32, flip byte) {
		file = bytes.Clone(file)
		if len(file) > 0 {
			file[int(at%uint32(len(file)))] ^= flip
		}
		for _, format := range []struct {
			read   func([]byte) (*bitmap.Bitmap, error)
			stream func(*bytes.Reader) (*bitmap.Bitmap, error)
			write  func(bitmap.View, Runs) []byte
		}{
			{FromPortable32, func(r *bytes.Reader) (*bitmap.Bitmap, error) { return ReadPortable32(r) }, portable32},
			{FromPortable64, func(r *bytes.Reader) (*bitmap.Bitmap, error) { return ReadPortable64(r) }, portable64},
		} {
			r := bytes.NewReader(file)
			streamed, streamErr := format.stream(r)
			b, err := format.read(file[:len(file):len(file)])
			if (err == nil) != (streamErr == nil && r.Len() == 0) {
				t.Fatalf("got %v from the slice, %v from the stream with %d bytes left", err, streamErr, r.Len())
			}
			if err != nil {
				var e *bitmap.FormatError
				if !errors.As(err, &e) {
					t.Fatalf("got %v, want a FormatError", err)
				}
				continue
			}
			if err := b.View().Validate(); err != nil {
				t.Fatal(err)
			}
			if !bitmap.Equal(b.View(), streamed.View()) {
				t.Fatal("the stream gives another set")
			}
			for _, runs := range []Runs{RunsIfSmaller, NoRuns, RunsAsStored} {
				again, err := format.read(format.write(b.View(), runs))
				if err != nil {
					t.Fatal(err)
				}
				if !bitmap.Equal(again.View(), b.View()) || again.Len() != b.Len() {
					t.Fatal("written and read it is another set")
				}
			}
			b.Add(12345) // it is taken to be valid, without another look
			if err := b.View().Validate(); err != nil {
				t.Fatal(err)
			}
		}
	})
}
