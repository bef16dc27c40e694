// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package interop

import (
	"bytes"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"io"
	"math"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/uproar-db/uproar/bitmap"
	"github.com/uproar-db/uproar/internal/roaring/roaringtest"
)

// modelPortable32 encodes values that have the same high 32 bits, container by container, as
// RoaringFormatSpec says.
func modelPortable32(values []uint64, runs Runs) []byte {
	type piece struct {
		head, payload []byte
		run           bool
	}
	var pieces []piece
	anyRun := false
	for i := 0; i < len(values); {
		key := values[i] >> 16
		j := i
		for j < len(values) && values[j]>>16 == key {
			j++
		}
		in := values[i:j]
		i = j
		p := piece{head: roaringtest.PutUint(roaringtest.PutUint(nil, key, 2), uint64(len(in)-1), 2)}
		p.payload = roaringtest.WordsOf(in)
		if len(in) <= 4096 {
			p.payload = roaringtest.LowsOf(in)
		}
		if r := roaringtest.RunsOf(in); runs == RunsIfSmaller && 2+len(r) < len(p.payload) {
			p.payload, p.run, anyRun = append(roaringtest.PutUint(nil, uint64(len(r)/4), 2), r...), true, true
		}
		pieces = append(pieces, p)
	}
	var b []byte
	if anyRun {
		b = roaringtest.PutUint(roaringtest.PutUint(b, 12347, 2), uint64(len(pieces)-1), 2)
		flags := make([]byte, (len(pieces)+7)/8)
		for i, p := range pieces {
			if p.run {
				roaringtest.SetBit(flags, i)
			}
		}
		b = append(b, flags...)
	} else {
		b = roaringtest.PutUint(roaringtest.PutUint(b, 12346, 4), uint64(len(pieces)), 4)
	}
	at := len(b) + 8*len(pieces)
	for _, p := range pieces {
		b = append(b, p.head...)
	}
	for _, p := range pieces {
		if !anyRun || len(pieces) >= 4 {
			b = roaringtest.PutUint(b, uint64(at), 4)
		}
		at += len(p.payload)
	}
	for _, p := range pieces {
		b = append(b, p.payload...)
	}
	return b
}

// modelPortable64 encodes values as RoaringFormatSpec says.
func modelPortable64(values []uint64, runs Runs) []byte {
	b, count := make([]byte, 8), uint64(0)
	for i := 0; i < len(values); count++ {
		high := values[i] >> 32
		j := i
		for j < len(values) && values[j]>>32 == high {
			j++
		}
		b = append(roaringtest.PutUint(b, high, 4), modelPortable32(values[i:j], runs)...)
		i = j
	}
	binary.LittleEndian.PutUint64(b, count)
	return b
}

// TestPortable writes sets of every shape and kind of container and compares the bytes with the
// model's. It reads them, and writes them again.
func TestPortable(t *testing.T) {
	roaringtest.Alone(t)
	r := rand.New(rand.NewPCG(41, 42))
	rounds := roaringtest.Paced(40, 6)
	sets := roaringtest.Samples(r, rounds)
	for name, values := range roaringtest.SortedByName(roaringtest.Shapes(r)) {
		sets = append(sets, roaringtest.Sample{Name: name, Body: bitmap.AppendBody(nil, values), Values: values})
	}
	sets = append(sets, roaringtest.Sample{Name: "one too large", Body: bitmap.AppendBody(nil, []uint64{1 << 32}),
		Values: []uint64{1 << 32}})
	small := 0
	// Room with something in it.
	dirty := bytes.Repeat([]byte{0xFF}, 1<<20)
	dirty = append(dirty[:0], "before"...)
	for _, s := range sets {
		v := open(t, s.Body)
		for _, runs := range []Runs{RunsIfSmaller, NoRuns} {
			file := AppendPortable64(dirty, v, runs)[len("before"):]
			checkSame(t, s.Name, file, modelPortable64(s.Values, runs))
			checkPortable(t, file, s.Values, FromPortable64, portable64)

			file, err := AppendPortable32(dirty, v, runs)
			if len(s.Values) > 0 && s.Values[len(s.Values)-1] > math.MaxUint32 {
				var e *RangeError
				if !errors.As(err, &e) || e.Value != s.Values[len(s.Values)-1] || e.Max != math.MaxUint32 ||
					string(file) != "before" {
					t.Fatalf("%s: got %q and %v, want no bytes and an error with the largest value", s.Name, file, err)
				}
				continue
			}
			if err != nil {
				t.Fatal(err)
			}
			small++
			checkSame(t, s.Name, file[len("before"):], modelPortable32(s.Values, runs))
			checkPortable(t, file[len("before"):], s.Values, FromPortable32, portable32)
		}
		// Kinds as they are, which are other ones in each encoding of a set.
		checkPortable(t, AppendPortable64(nil, v, RunsAsStored), s.Values, FromPortable64, portable64)
	}
	if small < 10 {
		t.Fatalf("only %d sets have 32 bits", small)
	}
}

func portable32(v bitmap.View, runs Runs) []byte {
	b, err := AppendPortable32(nil, v, runs)
	if err != nil {
		panic(err)
	}
	return b
}

func portable64(v bitmap.View, runs Runs) []byte { return AppendPortable64(nil, v, runs) }

// checkSame compares bytes.
func checkSame(t *testing.T, what string, got, want []byte) {
	t.Helper()
	if !bytes.Equal(got, want) {
		at := 0
		for at < min(len(got), len(want)) && got[at] == want[at] {
			at++
		}
		t.Fatalf("%s: got %d bytes, want %d; the first that differs is byte %d", what, len(got), len(want), at)
	}
}

// checkPortable reads a file, which must have the values given, and writes it again.
func checkPortable(t *testing.T, file []byte, values []uint64, read func([]byte) (*bitmap.Bitmap, error),
	write func(bitmap.View, Runs) []byte) *bitmap.Bitmap {
	t.Helper()
	kept := bytes.Clone(file)
	b, err := read(file)
	if err != nil {
		t.Fatal(err)
	}
	checkBitmap(t, b, values)
	checkSame(t, "written again", write(b.View(), RunsAsStored), kept)
	checkSame(t, "the bytes that were read", file, kept)
	return b
}

// TestPortableGolden reads and writes files that were put together by hand.
func TestPortableGolden(t *testing.T) {
	const none = "3a300000 00000000"
	for _, c := range []struct {
		name   string
		hex    string
		values []uint64
		runs   Runs
	}{
		{"empty", none, nil, RunsIfSmaller},
		{"array", "3a300000 01000000 0100 0200 10000000 0000 0500 ffff", []uint64{65536, 65541, 131071}, NoRuns},
		{"runs, no offsets", "3b300000 01 0000 0400 0100 0200 0400", []uint64{2, 3, 4, 5, 6}, RunsIfSmaller},
		{"array as small as runs", "3a300000 01000000 0000 0200 10000000 0000 0100 0200", []uint64{0, 1, 2},
			RunsIfSmaller},
		{"runs as small as an array", "3b300000 01 0000 0200 0100 0000 0200", []uint64{0, 1, 2}, RunsAsStored},
		{"one value as a run", "3b300000 01 0000 0000 0100 0700 0000", []uint64{7}, RunsAsStored},
		{"runs and three arrays, offsets",
			"3b300300 04 0000 0000 0100 0000 0200 0300 ffff 0000 25000000 27000000 29000000 2f000000" +
				"0900 0900 0100 fcff 0300 ffff", []uint64{9, 65536 + 9, 3<<16 - 4, 3<<16 - 3, 3<<16 - 2, 3<<16 - 1,
				1<<32 -
					1}, RunsIfSmaller},
	} {
		t.Run(c.name, func(t *testing.T) {
			file := unhex(t, c.hex)
			checkPortable(t, file, c.values, FromPortable32, portable32)
			b, err := FromPortable32(file)
			if err != nil {
				t.Fatal(err)
			}
			checkSame(t, "written", portable32(b.View(), c.runs), file)

			wide := append(unhex(t, "0100000000000000 feffffff"), file...)
			for i := range c.values {
				c.values[i] += (1<<32 - 2) << 32
			}
			b, err = FromPortable64(wide)
			if err != nil {
				t.Fatal(err)
			}
			checkBitmap(t, b, c.values)
			if len(c.values) == 0 {
				wide = make([]byte, 8) // an empty set of 32 bits is not written
			}
			checkSame(t, "written in 64 bits", portable64(b.View(), c.runs), wide)
		})
	}
}

// unhex decodes digits with blanks between.
func unhex(t *testing.T, digits string) []byte {
	t.Helper()
	b, err := hex.DecodeString(strings.ReplaceAll(digits, " ", ""))
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// TestPortableFiles reads and writes the files that RoaringFormatSpec and its libraries are tested
// with.
func TestPortableFiles(t *testing.T) {
	spec := roaringtest.Span(0, 100_000, 1000)
	spec = append(spec, roaringtest.Span(300_000, 600_000, 3)...)
	spec = append(spec, roaringtest.Span(700_000, 800_000, 1)...)
	for _, c := range []struct {
		name string
		runs Runs
	}{{"bitmapwithruns.bin", RunsIfSmaller}, {"bitmapwithoutruns.bin", NoRuns}} {
		file := interchangeFile(t, c.name)
		b := checkPortable(t, file, spec, FromPortable32, portable32)
		checkSame(t, c.name, portable32(b.View(), c.runs), file)
		b.Pack(bitmap.Smallest)
		checkSame(t, c.name+", packed", portable32(b.View(), c.runs), file)
	}
	file := interchangeFile(t, "portable_bitmap64.bin")
	b, err := FromPortable64(file)
	if err != nil {
		t.Fatal(err)
	}
	checkPortable(t, file, b.View().AppendTo(nil), FromPortable64, portable64)
	checkSame(t, "portable_bitmap64.bin", portable64(b.View(), RunsIfSmaller), file)
	if high, _ := b.Max(); high>>32 == 0 {
		t.Errorf("largest value: got %d, want more than 32 bits", high)
	}
}

func interchangeFile(t testing.TB, name string) []byte {
	t.Helper()
	b, err := os.ReadFile("testdata/interchange/" + name)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// TestPortableStreams reads sets that follow each other in a stream that gives a byte at a time. It
// also passes on the errors of readers and writers.
func TestPortableStreams(t *testing.T) {
	a, b := bitmap.Of(1, 2, 3, 1<<20), bitmap.FromSorted(roaringtest.Span(5, 200_000, 1))
	b.Add(1 << 63)
	var file bytes.Buffer
	total := int64(0)
	for _, write := range []func() (int64, error){
		func() (int64, error) { return WritePortable32(&file, a.View(), RunsIfSmaller) },
		func() (int64, error) { return WritePortable64(&file, b.View(), RunsIfSmaller) },
		func() (int64, error) { return WritePortable64(&file, bitmap.View{}, NoRuns) },
	} {
		n, err := write()
		if total += n; err != nil || total != int64(file.Len()) {
			t.Fatalf("got %d bytes and %v, want %d", total, err, file.Len())
		}
	}
	checkSame(t, "streams", file.Bytes(), slices.Concat(portable32(a.View(), RunsIfSmaller),
		portable64(b.View(), RunsIfSmaller), make([]byte, 8)))

	r := iotest.OneByteReader(bytes.NewReader(file.Bytes()))
	one, err1 := ReadPortable32(r)
	two, err2 := ReadPortable64(r)
	three, err3 := ReadPortable64(r)
	if err := errors.Join(err1, err2, err3); err != nil {
		t.Fatal(err)
	}
	if !bitmap.Equal(one.View(), a.View()) || !bitmap.Equal(two.View(), b.View()) || !three.IsEmpty() {
		t.Error("other sets than those that were written")
	}
	if _, err := ReadPortable32(r); err != io.EOF {
		t.Errorf("at the end: got %v, want %v", err, io.EOF)
	}
	broken := errors.New("broken")
	if _, err := ReadPortable32(iotest.ErrReader(broken)); err != broken {
		t.Errorf("got %v, want the error of the reader", err)
	}
	if n, err := WritePortable64(failing{broken}, b.View(), NoRuns); n != 3 || err != broken {
		t.Errorf("got %d, %v, want 3 and the error of the writer", n, err)
	}
	var e *RangeError
	if n, err := WritePortable32(&file, b.View(), NoRuns); n != 0 || !errors.As(err, &e) {
		t.Errorf("got %d, %v, want nothing and a RangeError", n, err)
	}
}

type failing struct{ err error }

func (f failing) Write(b []byte) (int, error) { return 3, f.err }

// checkBitmap opens and validates the bytes and compares them with the values.
func checkBitmap(t *testing.T, b *bitmap.Bitmap, values []uint64) {
	t.Helper()
	v, err := bitmap.Open(b.Bytes())
	if err != nil {
		t.Fatal(err)
	}
	if err := v.Validate(); err != nil {
		t.Fatal(err)
	}
	if got := v.AppendTo(nil); !slices.Equal(got, values) {
		t.Fatalf("got %d values, want %d", len(got), len(values))
	}
	if b.Len() != uint64(len(values)) || !slices.Equal(b.View().AppendTo(nil), values) {
		t.Fatalf("the view has other values than the bytes: %d, want %d", b.Len(), len(values))
	}
}

func open(t *testing.T, body []byte) bitmap.View {
	t.Helper()
	v, err := bitmap.OpenBody(body)
	if err != nil {
		t.Fatal(err)
	}
	return v
}
