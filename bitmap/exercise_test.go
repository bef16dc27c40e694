// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package bitmap

import "io"

// exerciseMany calls the operations on many sets, whatever their bytes.
func exerciseMany(a, b View) (sum uint64) {
	for _, views := range [][]View{{a, b}, {b, a, b}} {
		for _, op := range manyOps[:4] { // the parallel ones do the same for so few containers
			m := op.do(views...)
			sum += m.Len() + uint64(len(m.Bytes())) + op.n(views...)
		}
	}
	return sum
}

// exerciseReads calls the reads of one set and of two, whatever their bytes.
func exerciseReads(a, b View, points []uint64) (sum uint64) {
	for i, x := range points {
		next, _ := a.Next(x)
		previous, _ := a.Previous(x)
		sum += next + previous + a.LenRange(points[0], x) + a.LenRange(x, points[(3*i+1)%len(points)])
	}
	for _, x := range points[:4] {
		var dst [100]uint64
		it := a.Iterator(x)
		for range 1000 { // a few bytes of runs may stand for millions of values
			n := it.Read(dst[:])
			if n == 0 {
				break
			}
			sum += dst[0] + uint64(n)
		}
	}
	for first, last := range a.Ranges() {
		if last < first {
			panic("a run that ends before it begins")
		}
		sum += last - first
	}
	for _, x := range points {
		var words [40]uint64
		a.Words(x-1000, words[:])
		sum += words[0] + words[39]
	}
	for _, offset := range []int64{1 << 16, -70_000, 1<<63 - 1, -1 << 63} {
		m := a.Shift(offset)
		if err := m.View().Validate(); err != nil {
			panic(err)
		}
		sum += m.Len() + uint64(len(m.Bytes()))
	}
	for _, op := range appendOps {
		sum += uint64(len(op(nil, a, b)))
	}
	data, _ := a.MarshalBinary()
	text, _ := a.MarshalText()
	sum += uint64(len(data) + len(text) + len(a.AppendSroar(nil)))
	return sum + a.Hash() + uint64(1000*Jaccard(a, b)) + exercisePortable(a)
}

// exercisePortable writes a set, whatever its bytes, in the portable formats: what is written is valid.
func exercisePortable(a View) (sum uint64) {
	for _, runs := range []Runs{RunsIfSmaller, NoRuns, RunsAsStored} {
		file := a.AppendPortable64(nil, runs)
		m, err := FromPortable64(file)
		if err != nil {
			panic(err)
		}
		sum += uint64(len(file)) + m.Len()
		if file, err = a.AppendPortable32(nil, runs); err == nil {
			if _, err = FromPortable32(file); err != nil {
				panic(err)
			}
		}
		n, err := a.WritePortable64(io.Discard, runs)
		if err != nil {
			panic(err)
		}
		sum += uint64(n)
	}
	return sum
}
