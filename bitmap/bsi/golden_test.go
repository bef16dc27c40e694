// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package bsi

import (
	"encoding/binary"
	"encoding/hex"
	"errors"
	"flag"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/uproar-db/uproar/bitmap"
	"github.com/uproar-db/uproar/internal/roaring/roaringtest"
)

var rewrite = flag.Bool("rewrite", false, "write the golden files anew")

const separator = "----\n"

// goldenField is the number of bytes of a field that are shown: what is longer stands in a file
// with a checksum.
const goldenField = 64

// TestGolden makes the integers that each golden file describes and compares the bytes. It also
// compares what each of them means, and what reading gives back.
//
// The head of a file is lines of ID and integer; "checked" and "fastest" say how they are
// serialized.
func TestGolden(t *testing.T) {
	files, err := filepath.Glob("testdata/golden/*.txt")
	if err != nil || len(files) < 5 {
		t.Fatalf("got %d golden files, %v", len(files), err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txt"), func(t *testing.T) {
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			head, _, _ := strings.Cut(string(text), separator)
			s, layout, checked := new(Integers), bitmap.Smallest, false
			for line := range strings.Lines(head) {
				var first, last uint64
				var value, step int64
				switch line = strings.TrimSpace(line); {
				case strings.HasPrefix(line, "#"):
				case line == "checked":
					checked = true
				case line == "fastest":
					layout = bitmap.Fastest
				default:
					if n, err := fmt.Sscanf(line, "%d..%d: %d+%d", &first, &last, &value, &step); n < 4 {
						t.Fatalf("%q: %v", line, err)
					}
					for id := first; id <= last; id++ {
						s.Set(id, value)
						value += step
					}
				}
			}
			b := s.View().Append(nil, layout)
			if checked {
				b = s.View().AppendChecked(nil, layout)
			}
			got := head + separator + dump(t, b) + separator + read(t, b)
			if *rewrite {
				if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
					t.Fatal(err)
				}
				return
			}
			if got != string(text) {
				t.Errorf(
					"got:\n%s\nwant:\n%s\nIf the change is meant, run the test with -rewrite and look at the diff.",
					got, text)
			}
		})
	}
}

// dump says what each byte means. It finds the fields by the document, not by the package.
func dump(t *testing.T, b []byte) string {
	t.Helper()
	var out strings.Builder
	at := 0
	take := func(n int, format string, args ...any) []byte {
		field := b[at : at+n]
		fmt.Fprintf(&out, "%6d  %-24s  %s\n", at, hex.EncodeToString(field[:min(n, goldenField)])+strings.Repeat("…",
			min(n/(goldenField+1), 1)), fmt.Sprintf(format, args...))
		at += n
		return field
	}
	take(1, "magic")
	width := 1 << (b[1] >> 4 & 3)
	take(1, "version %d, ends of %d bytes, checksum: %v", b[1]&0x0F, width, b[1]&0x40 != 0)
	count := int(take(1, "%d slices", b[2])[0])
	take(1, "reserved")
	take(8, "base %d", int64(binary.LittleEndian.Uint64(b[4:])))
	var ends []int
	for i := range count + 1 {
		var field [8]byte
		copy(field[:], b[at:at+width])
		ends = append(ends, int(binary.LittleEndian.Uint64(field[:])))
		take(width, "end of set %d: %d", i, ends[i])
	}
	from := 0
	for i, to := range ends {
		what := "records"
		if i > 0 {
			what = fmt.Sprintf("slice %d", i-1)
		}
		set, err := bitmap.OpenBody(b[at : at+to-from])
		if err != nil {
			t.Fatal(err)
		}
		take(to-from, "%s: %d: %s", what, set.Len(), roaringtest.Few(set.AppendTo(nil)))
		from = to
	}
	if b[1]&0x40 != 0 {
		take(4, "CRC-32C of the bytes before")
	}
	if at != len(b) {
		t.Errorf("%d bytes more than the document says", len(b)-at)
	}
	return out.String()
}

// read says what reading gives back.
func read(t *testing.T, b []byte) string {
	t.Helper()
	v, err := Open(b)
	if err != nil {
		t.Fatal(err)
	}
	if err := v.Validate(); err != nil {
		t.Fatal(err)
	}
	lo, _ := v.Min()
	hi, _ := v.Max()
	var pairs []Pair
	for id, value := range v.All() {
		pairs = append(pairs, Pair{id, value})
	}
	return fmt.Sprintf("%d bytes, %d records, %d to %d, sum %v: %s\n", len(b), v.Len(), lo, hi, v.Sum(),
		roaringtest.Few(pairs))
}

// TestOpenErrors breaks each rule of the format.
func TestOpenErrors(t *testing.T) {
	good := Of([]Pair{{1, 10}, {2, 13}, {70_000, 11}}).View().AppendChecked(nil, bitmap.Smallest)
	if v, err := Open(good); err != nil || v.Validate() != nil {
		t.Fatal(err, v.Validate())
	}
	edit := func(f func(b []byte) []byte) []byte { return f(slices.Clone(good)) }
	set := func(at int, x byte) []byte { return edit(func(b []byte) []byte { b[at] = x; return b }) }
	const ends = headBytes
	for _, c := range []struct {
		name   string
		b      []byte
		want   error
		offset uint64
	}{
		{"no byte", nil, bitmap.ErrTruncated, 0},
		{"a set", bitmap.Of(1, 2, 3).Bytes(), ErrNotIntegers, 0},
		{"header cut", good[:11], bitmap.ErrTruncated, 0},
		{"version 2", set(1, good[1]&^0x0F|2), bitmap.ErrVersion, 1},
		{"reserved flag", set(1, good[1]|0x80), bitmap.ErrVersion, 1},
		{"reserved byte", set(3, 1), bitmap.ErrVersion, 3},
		{"65 slices", set(2, 65), bitmap.ErrCorrupt, 2},
		{"ends cut", good[:ends+2], bitmap.ErrTruncated, ends},
		{"ends of 8 bytes", set(1, good[1]|0x30), bitmap.ErrTruncated, 0},
		{"no room for the checksum", good[:ends+5], bitmap.ErrTruncated, 15},
		{"descending ends", set(ends+1, 0), bitmap.ErrCorrupt, ends + 1},
		{"end beyond", set(ends+1, 0xF0), bitmap.ErrTruncated, ends + 1},
		{"bytes after the last", edit(func(b []byte) []byte {
			return append(b, 0)
		}), bitmap.ErrCorrupt, uint64(len(good) - 4)},
		{"no such form of a set", set(ends+3, 0xFF), bitmap.ErrVersion, ends + 3},
	} {
		_, err := Open(c.b)
		e, ok := errors.AsType[*bitmap.FormatError](err)
		if !ok || !errors.Is(err, c.want) || c.offset != 0 && e.Offset != c.offset {
			t.Errorf("%s: got %v, want %v at byte %d", c.name, err, c.want, c.offset)
		}
	}
}

// TestValidateErrors breaks what only Validate finds.
func TestValidateErrors(t *testing.T) {
	serialize := func(base int64, sets ...[]uint64) []byte {
		b := []byte{magic, version, byte(len(sets) - 1), 0}
		b = binary.LittleEndian.AppendUint64(b, uint64(base))
		var bodies []byte
		for _, values := range sets {
			bodies = bitmap.AppendBody(bodies, values)
			b = append(b, byte(len(bodies)))
		}
		return append(b, bodies...)
	}
	records := []uint64{1, 5, 9}
	checked := Of([]Pair{{1, 10}}).View().AppendChecked(nil, bitmap.Smallest)
	checked[4] ^= 1
	broken := serialize(0, records, []uint64{1, 1 << 20, 1 << 40})
	broken[len(broken)-1] ^= 0xFF // the highest lower bits: no longer ascending, or not in records
	for _, c := range []struct {
		name string
		b    []byte
		want error
	}{
		{"valid", serialize(3, records, []uint64{5}), nil},
		{"largest", serialize(math.MaxInt64-2, records, []uint64{5}, []uint64{1}), nil},
		{"beyond the largest", serialize(math.MaxInt64-2, records, []uint64{5}, []uint64{5}), bitmap.ErrCorrupt},
		{"slice beyond the records", serialize(3, records, []uint64{5, 6}), bitmap.ErrCorrupt},
		{"checksum", checked, bitmap.ErrChecksum},
		{"broken slice", broken, bitmap.ErrCorrupt},
	} {
		v, err := Open(c.b)
		if err != nil {
			t.Fatalf("%s: %v", c.name, err)
		}
		for _, v := range []View{v, v.Within(bitmap.View{})} {
			if err := v.Validate(); !errors.Is(err, c.want) {
				t.Errorf("%s: got %v, want %v", c.name, err, c.want)
			}
		}
	}
}
