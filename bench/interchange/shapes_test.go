// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package interchange

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/uproar-db/uproar/bitmap"
	"github.com/uproar-db/uproar/bitmap/interop"
)

// interval is first to last, both included.
type interval struct{ first, last uint64 }

// shape is a set as the intervals that it was drawn from, which may overlap, and as its values.
type shape struct {
	name      string
	intervals []interval
	values    []uint64
}

// shapes returns sets of values up to last in many distributions. Each chunk of a set may have
// another distribution.
func shapes(seed uint64, last uint64) (out []shape) {
	r := rand.New(rand.NewPCG(seed, last))
	add := func(name string, in []interval) {
		s := shape{name: name, intervals: in}
		for _, i := range in {
			for x := i.first; ; x++ {
				s.values = append(s.values, x)
				if x == i.last {
					break
				}
			}
		}
		slices.Sort(s.values)
		s.values = slices.Compact(s.values)
		out = append(out, s)
	}
	add("empty", nil)
	add("ends", []interval{{0, 0}, {last, last}})
	add("chunk", []interval{{last - 65535, last}})
	for _, n := range []uint64{1, 2, 3, 4, 5} {
		// A range of three values takes as many bytes as an array as it does as runs.
		add(fmt.Sprintf("range of %d", n), []interval{{70_000, 70_000 + n - 1}})
		// Three containers have no offsets in a file with runs, four have.
		var in []interval
		for i := range n {
			in = append(in, interval{i << 16, i<<16 + 100})
		}
		add(fmt.Sprintf("%d containers of runs", n), in)
	}
	for _, n := range []uint64{4095, 4096, 4097} {
		var in []interval
		for i := range n {
			in = append(in, interval{7*i + 65536, 7*i + 65536})
		}
		add(fmt.Sprintf("%d values", n), in)
	}
	for _, runs := range []uint64{2046, 2047, 2048} {
		// Up to 2 047 runs are smaller than a bitset.
		var in []interval
		for i := range runs {
			in = append(in, interval{32 * i, 32*i + 20})
		}
		add(fmt.Sprintf("%d runs", runs), in)
	}
	for round := range 30 {
		var in []interval
		for range 1 + r.IntN(8) {
			base := r.Uint64N(last-65535) >> r.IntN(48) &^ 65535
			in = append(in, chunk(r, base)...)
		}
		add(fmt.Sprintf("mixed %d", round), in)
	}
	return out
}

// chunk returns what a chunk may hold.
func chunk(r *rand.Rand, base uint64) (in []interval) {
	count, longest := 0, 1
	switch r.IntN(4) {
	case 0:
		count = 1 + r.IntN(30)
	case 1:
		count = 3000 + r.IntN(3000)
	case 2:
		count, longest = 1+r.IntN(30), 3000
	default:
		count, longest = 1+r.IntN(2500), 1+r.IntN(20)
	}
	for range count {
		first := r.IntN(65536)
		in = append(in, interval{base + uint64(first), base + uint64(min(first+r.IntN(longest), 65535))})
	}
	return in
}

// ours returns the set as one of the forms that it may be kept in.
func (s shape) ours(layout bitmap.Layout) bitmap.View {
	b := bitmap.FromSorted(s.values)
	b.Pack(layout)
	return b.View()
}

// checkSet compares a set with the values that it should have.
func checkSet(t *testing.T, what string, b *bitmap.Bitmap, want []uint64) {
	t.Helper()
	if err := b.View().Validate(); err != nil {
		t.Fatalf("%s: %v", what, err)
	}
	if got := b.View().AppendTo(nil); !slices.Equal(got, want) {
		t.Fatalf("%s: got %d values, want %d", what, len(got), len(want))
	}
}

// checkBytes compares two files.
func checkBytes(t *testing.T, what string, got, want []byte) {
	t.Helper()
	if !bytes.Equal(got, want) {
		at := 0
		for at < min(len(got), len(want)) && got[at] == want[at] {
			at++
		}
		t.Fatalf("%s: got %d bytes, want %d; the first that differs is byte %d", what, len(got), len(want), at)
	}
}

// format is one of the two portable formats.
type format struct {
	bits  int
	last  uint64
	read  func([]byte) (*bitmap.Bitmap, error)
	write func(bitmap.View, interop.Runs) []byte
}

var formats = []format{
	{32, 1<<32 - 1, interop.FromPortable32, func(v bitmap.View, runs interop.Runs) []byte {
		b, err := interop.AppendPortable32(nil, v, runs)
		if err != nil {
			panic(err)
		}
		return b
	}},
	{64, 1<<64 - 1, interop.FromPortable64, func(v bitmap.View, runs interop.Runs) []byte {
		return interop.AppendPortable64(nil, v, runs)
	}},
}

// manyRuns reports whether a valid file has a container of more than 2 048 runs. Such a container
// is larger than a bitset. Libraries write them for ranges to which values were added one by one,
// if nobody asked for RunOptimize; here they are read as bitsets.
func (f format) manyRuns(file []byte) bool {
	u16 := func() int { x := binary.LittleEndian.Uint16(file); file = file[2:]; return int(x) }
	if f.bits == 64 {
		file = file[8:]
	}
	for len(file) > 0 {
		if f.bits == 64 {
			file = file[4:]
		}
		var flags []byte
		cookie, count := u16(), u16()
		if count++; cookie == 12347 {
			flags, file = file[:(count+7)/8], file[(count+7)/8:]
		} else {
			count = u16() | u16()<<16
		}
		heads := file[:4*count]
		if file = file[4*count:]; flags == nil || count >= 4 {
			file = file[4*count:]
		}
		for i := range count {
			n := int(binary.LittleEndian.Uint16(heads[4*i+2:])) + 1
			size := min(2*n, 8192)
			if flags != nil && flags[i/8]>>(i%8)&1 != 0 {
				runs := u16()
				if runs > 2048 {
					return true
				}
				size = 4 * runs
			}
			file = file[size:]
		}
	}
	return false
}

// checkStored reads a file, which must have the values given, and writes it again.
func (f format) checkStored(t *testing.T, what string, file []byte, values []uint64) (kept bool) {
	t.Helper()
	b, err := f.read(file)
	if err != nil {
		t.Fatalf("%s: %v", what, err)
	}
	checkSet(t, what, b, values)
	got := f.write(b.View(), interop.RunsAsStored)
	if f.manyRuns(file) {
		b, err := f.read(got)
		if err != nil {
			t.Fatalf("%s: %v", what, err)
		}
		checkSet(t, what+", written again", b, values)
		return false
	}
	checkBytes(t, what+", as stored", got, file)
	return true
}

// quirks looks for chunks that roaring treats in its own way: a full chunk becomes runs unasked,
// and RunOptimize takes a bitset to be 32 bytes longer than it is, and so keeps some runs that are
// not smaller.
func (s shape) quirks() (full, manyRuns bool) {
	for i := 0; i < len(s.values); {
		start, runs := i, 0
		for ; i < len(s.values) && s.values[i]>>16 == s.values[start]>>16; i++ {
			if i == start || s.values[i] != s.values[i-1]+1 {
				runs++
			}
		}
		full = full || i-start == 65536
		manyRuns = manyRuns || runs > 2047 && runs < 2056 && i-start > 4096
	}
	return full, manyRuns
}
