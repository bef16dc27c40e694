// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package interop

import (
	"bytes"
	"errors"
	"io"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/uproar-db/uproar/bitmap"
	"github.com/uproar-db/uproar/internal/roaring/roaringtest"
)

// maxHostile bounds the bytes of one input: more would only take longer.
const maxHostile = 1 << 15

// set is a set to be written, whose bytes may break any rule.
type set struct {
	v bitmap.View
	t testing.TB
}

// eachRuns calls f, which writes the set in one of the portable formats, for each choice of runs.
func (s set) eachRuns(f func(runs Runs) uint64) (sum uint64) {
	for _, runs := range []Runs{RunsIfSmaller, NoRuns, RunsAsStored} {
		sum = sum*31 + f(runs)
	}
	return sum
}

// inRange demands that an error is of values above 32 bits.
func (s set) inRange(err error) uint64 {
	s.t.Helper()
	if _, ok := errors.AsType[*RangeError](err); err != nil && !ok {
		s.t.Fatalf("got %v, want an error of the values' range", err)
	}
	return roaringtest.One(err == nil)
}

// read demands that what was written can be read, and is a valid set.
func (s set) read(m *bitmap.Bitmap, err error) uint64 {
	s.t.Helper()
	if err != nil {
		s.t.Fatal(err)
	}
	if err := m.View().Validate(); err != nil {
		s.t.Fatalf("a set that was written and read: %v", err)
	}
	return m.Len() + m.Rank(1<<50)
}

// writeCalls write a set: what is written is valid, whatever it was made from.
var writeCalls = []roaringtest.Call[set]{
	{Name: "AppendPortable32", Do: func(s set) uint64 {
		return s.eachRuns(func(runs Runs) uint64 {
			file, err := AppendPortable32(nil, s.v, runs)
			if err != nil {
				return s.inRange(err)
			}
			return s.read(FromPortable32(file))
		})
	}},
	{Name: "AppendPortable64", Do: func(s set) uint64 {
		return s.eachRuns(func(runs Runs) uint64 { return s.read(FromPortable64(AppendPortable64(nil, s.v, runs))) })
	}},
	{Name: "WritePortable32", Do: func(s set) uint64 {
		return s.eachRuns(func(runs Runs) uint64 {
			n, err := WritePortable32(io.Discard, s.v, runs)
			return uint64(n) + s.inRange(err)
		})
	}},
	{Name: "WritePortable64", Do: func(s set) uint64 {
		return s.eachRuns(func(runs Runs) uint64 {
			n, err := WritePortable64(io.Discard, s.v, runs)
			if err != nil {
				s.t.Fatal(err)
			}
			return uint64(n)
		})
	}},
	{Name: "AppendSroar", Do: func(s set) uint64 { return uint64(len(AppendSroar(nil, s.v))) }},
	{Name: "RangeError.Error", Do: func(s set) uint64 {
		_, err := AppendPortable32(nil, s.v, NoRuns)
		if e, ok := errors.AsType[*RangeError](err); ok {
			return uint64(len(e.Error()))
		}
		return 0
	}},
}

// file is bytes that may be anything.
type file struct {
	b []byte
	t testing.TB
}

// taken demands that a set that was read is valid, before and after a change. An error must say
// what is wrong and where.
func (f file) taken(m *bitmap.Bitmap, err error) uint64 {
	f.t.Helper()
	if err != nil {
		e, ok := errors.AsType[*bitmap.FormatError](err)
		if nothing := len(f.b) == 0 && errors.Is(err, io.EOF); !nothing &&
			(!ok || e.Err == nil || e.Offset > uint64(len(f.b))) {
			f.t.Fatalf("got %v, want an error of the format inside %d bytes", err, len(f.b))
		}
		return 0
	}
	if err := m.View().Validate(); err != nil {
		f.t.Fatalf("a set that was read: %v", err)
	}
	m.Add(77)
	if err := m.View().Validate(); err != nil {
		f.t.Fatalf("a set that was read and changed: %v", err)
	}
	return m.Len()
}

// readCalls read bytes that may be anything.
var readCalls = []roaringtest.Call[file]{
	{Name: "FromPortable32", Do: func(f file) uint64 { return f.taken(FromPortable32(f.b)) }},
	{Name: "FromPortable64", Do: func(f file) uint64 { return f.taken(FromPortable64(f.b)) }},
	{Name: "ReadPortable32", Do: func(f file) uint64 { return f.taken(ReadPortable32(bytes.NewReader(f.b))) }},
	{Name: "ReadPortable64", Do: func(f file) uint64 { return f.taken(ReadPortable64(bytes.NewReader(f.b))) }},
	{Name: "FromSroar", Do: func(f file) uint64 { return f.taken(FromSroar(f.b)) }},
}

// TestEveryOperationIsExercised: every operation of this package is called on hostile bytes.
func TestEveryOperationIsExercised(t *testing.T) {
	var ran []string
	for _, c := range writeCalls {
		ran = append(ran, c.Name)
	}
	for _, c := range readCalls {
		ran = append(ran, c.Name)
	}
	roaringtest.CheckExercised(t, ran, []string{"."}, []string{"."}, nil)
}

// check reads bytes as a file of each format, and writes what can be opened as a set. The bytes
// stand at the very end of readable memory and at its very beginning: the answers must be the same.
func check(t *testing.T, g *roaringtest.Guarded, b []byte) {
	t.Helper()
	var answers [2][]uint64
	for i, atEnd := range []bool{true, false} {
		placed := g.Put(b, atEnd)
		answers[i] = roaringtest.Run(t, readCalls, file{placed, t}, roaringtest.BudgetFor(0, len(b)))
		v, err := bitmap.Open(placed)
		if err != nil {
			v, err = bitmap.OpenBody(placed)
		}
		if err == nil {
			k := v.Kinds()
			containers := int(k.Array.Count + k.Bitset.Count + k.Run.Count + k.Packed.Count)
			answers[i] = append(answers[i], roaringtest.Run(t, writeCalls, set{v, t},
				roaringtest.BudgetFor(containers, len(b)))...)
		}
	}
	if !slices.Equal(answers[0], answers[1]) {
		t.Fatalf("another answer the second time: got %v, want %v", answers[1], answers[0])
	}
}

// FuzzHostile gives any bytes to all readers and writers.
func FuzzHostile(f *testing.F) {
	for _, m := range []*bitmap.Bitmap{new(bitmap.Bitmap), bitmap.Of(1, 2, 300, 1<<40),
		bitmap.FromSorted(roaringtest.Span(0, 20_000, 7))} {
		f.Add(m.Bytes())
		f.Add(AppendSroar(nil, m.View()))
		f.Add(AppendPortable64(nil, m.View(), RunsIfSmaller))
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		if len(b) <= maxHostile {
			check(t, roaringtest.NewGuarded(t, maxHostile), b)
		}
	})
}

// TestHostileBytes is FuzzHostile without the fuzzer: random changes to sets in all forms, and to
// files of all formats.
func TestHostileBytes(t *testing.T) {
	r := rand.New(rand.NewPCG(91, 92))
	g := roaringtest.NewGuarded(t, maxHostile)
	var bodies [][]byte
	rounds := roaringtest.Paced(600, 60)
	for i := range rounds {
		if i%20 == 0 {
			bodies = bodies[:0]
			for _, s := range roaringtest.Samples(r, 2) {
				v, err := bitmap.OpenBody(s.Body)
				if err != nil {
					t.Fatal(err)
				}
				bodies = append(bodies, s.Body, AppendSroar(nil, v), AppendPortable64(nil, v, NoRuns))
			}
			bodies = slices.DeleteFunc(bodies, func(b []byte) bool { return len(b) > maxHostile })
		}
		check(t, g, roaringtest.Damage(r, bodies[r.IntN(len(bodies))]))
	}
}
