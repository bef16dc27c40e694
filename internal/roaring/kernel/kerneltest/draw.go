// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package kerneltest

import (
	"encoding/binary"
	"math/rand/v2"
	"slices"
)

// RandomLows returns n ascending values below limit, as payload and as integers.
func RandomLows(r *rand.Rand, n, limit int) (b []byte, xs []int) {
	if 4*n > limit {
		xs = r.Perm(limit)[:n]
	} else {
		for in := map[int]bool{}; len(xs) < n; {
			if x := r.IntN(limit); !in[x] {
				in[x] = true
				xs = append(xs, x)
			}
		}
	}
	slices.Sort(xs)
	return EncodeLows(xs), xs
}

// EncodeLows returns values as an array.
func EncodeLows(xs []int) (b []byte) {
	for _, x := range xs {
		b = binary.LittleEndian.AppendUint16(b, uint16(x))
	}
	return b
}

// NativeLows returns values as memory that AsLows reads on this processor.
func NativeLows(xs []int) (b []byte) {
	for _, x := range xs {
		b = binary.NativeEndian.AppendUint16(b, uint16(x))
	}
	return b
}

// EncodeWords returns values as the words of a bitset.
func EncodeWords(xs []int) *[8192]byte {
	var w [8192]byte
	for _, x := range xs {
		w[x/8] |= 1 << (x % 8)
	}
	return &w
}

// EncodeRuns returns ascending values as runs.
func EncodeRuns(xs []int) (b []byte) {
	for i := 0; i < len(xs); {
		j := i
		for j+1 < len(xs) && xs[j+1] == xs[j]+1 {
			j++
		}
		b = binary.LittleEndian.AppendUint16(b, uint16(xs[i]))
		b = binary.LittleEndian.AppendUint16(b, uint16(j-i))
		i = j + 1
	}
	return b
}

// Shapes returns sets of a chunk: empty, full, corners, sparse, dense, clustered.
func Shapes(r *rand.Rand) (out [][]int) {
	full := make([]int, 65536)
	for i := range full {
		full[i] = i
	}
	out = append(out, nil, full, full[:1], full[65535:], full[60:70], full[64:128], full[63:65473],
		[]int{0, 63, 64, 65535})
	for _, n := range []int{5, 300, 4096, 30000, 65000} {
		_, xs := RandomLows(r, n, 65536)
		out = append(out, xs)
	}
	for _, runs := range []int{3, 50, 700} {
		var xs []int
		for range runs {
			lo := r.IntN(65536)
			for x := lo; x < min(lo+1+r.IntN(60000/runs), 65536); x++ {
				xs = append(xs, x)
			}
		}
		slices.Sort(xs)
		out = append(out, slices.Compact(xs))
	}
	return out
}

// SomeWords returns words with none, all, few, half and most of their bits, and clusters.
func SomeWords(r *rand.Rand) (list []*[8192]byte) {
	list = append(list, new([8192]byte), new([8192]byte))
	for i := range list[1] {
		list[1][i] = 0xFF
	}
	for _, xs := range Shapes(r)[2:] {
		list = append(list, EncodeWords(xs))
	}
	return list
}

// RandomRuns returns up to n runs in order that do not touch.
func RandomRuns(r *rand.Rand, n, gap, length int) (runs []byte) {
	at := r.IntN(gap)
	for range n {
		hi := at + 1 + r.IntN(length)
		if hi > 1<<16 {
			break
		}
		runs = append(runs, 0, 0, 0, 0)
		putRun(runs, len(runs)-4, at, hi)
		at = hi + 1 + r.IntN(gap)
	}
	return runs
}

// SeparateRuns returns n runs of at most the given number of values, or up to the next run.
func SeparateRuns(r *rand.Rand, n, most int) []byte {
	_, starts := RandomLows(r, n, 65536)
	runs := make([]byte, 4*n)
	for i, lo := range starts {
		next := 65536
		if i+1 < n {
			next = starts[i+1]
		}
		putRun(runs, 4*i, lo, lo+1+r.IntN(min(next-lo, most)))
	}
	return runs
}

// putRun writes [lo, hi) as the run at byte i.
func putRun(runs []byte, i, lo, hi int) {
	binary.LittleEndian.PutUint32(runs[i:i+4], uint32(lo)|uint32(hi-1-lo)<<16)
}

// SomeRuns returns runs of any lengths. Some lists are valid, others are any bytes.
func SomeRuns(r *rand.Rand) []byte {
	runs := RandomRuns(r, 1+r.IntN(1<<r.IntN(10)), 1+r.IntN(1<<r.IntN(12)), 1+r.IntN(1<<r.IntN(12)))
	switch r.IntN(3) {
	case 0:
		for i := range runs {
			runs[i] = byte(r.Uint32())
		}
	case 1:
		for range len(runs) / 8 {
			runs[r.IntN(len(runs))] ^= 1 << r.IntN(8)
		}
	}
	return runs
}
