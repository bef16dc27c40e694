// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package eliasfano

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math"
	"math/bits"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/uproar-db/uproar/internal/roaring/kernel/kerneltest"
)

// naiveBlock codes values bit by bit, as the format document says it.
func naiveBlock(values []uint64, low uint) []byte {
	n := len(values)
	last := values[n-1]
	size := (uint64(n)*uint64(low) + last>>low + uint64(n) + 7) / 8
	block := make([]byte, size)
	set := func(bit uint64) { block[bit/8] |= 1 << (bit % 8) }
	for i, d := range values {
		set(d>>low + uint64(i))
		for j := range uint64(low) {
			if d>>j&1 != 0 {
				set(8*size - uint64(n)*uint64(low) + uint64(i)*uint64(low) + j)
			}
		}
	}
	return block
}

// appendPacked appends the packed block of strictly ascending values with the low width given.
func appendPacked(dst []byte, values []uint64, low uint) []byte {
	if len(values) == 0 {
		return dst
	}
	block := make([]byte, Bytes(len(values), values[len(values)-1], low))
	var w Writer
	w.Reset(block, len(values), low)
	for _, d := range values {
		w.Put(d)
	}
	w.Close()
	return append(dst, block...)
}

// naiveValues decodes bit by bit, at most n values.
func naiveValues(block []byte, n int, low uint) (values []uint64) {
	upper := 8*len(block) - n*int(low)
	bit := func(at int) uint64 { return uint64(block[at/8] >> (at % 8) & 1) }
	for at := range max(upper, 0) {
		i := len(values)
		if bit(at) == 0 || i == n {
			continue
		}
		d := uint64(at-i) << low
		for j := range int(low) {
			d |= bit(upper+i*int(low)+j) << j
		}
		values = append(values, d)
	}
	return values
}

// lists returns lists of values of many shapes.
func lists() map[string][]uint64 {
	r := rand.New(rand.NewPCG(1, 2))
	m := map[string][]uint64{
		"zero":      {0},
		"one":       {1},
		"largest":   {1<<64 - 1},
		"ends":      {0, 1<<64 - 1},
		"half":      {1 << 63},
		"neighbour": {1<<40 - 1, 1 << 40, 1<<40 + 1},
		"bounds":    {0, 65535, 65536, 131071, 131072},
	}
	for _, n := range []int{1, 2, 3, 7, 64, 65, 300, 2048} {
		for _, width := range []uint{12, 16, 20, 30, 40, 55, 64} {
			m[fmt.Sprintf("random n=%d width=%d", n, width)] = kerneltest.Ascending(n, func() uint64 {
				return r.Uint64() >> (64 - width)
			})
		}
		at := uint64(0)
		m[fmt.Sprintf("runs n=%d", n)] = kerneltest.Ascending(n, func() uint64 {
			if r.IntN(40) == 0 {
				at += r.Uint64N(1 << 20)
			}
			at++
			return at
		})
		m[fmt.Sprintf("late n=%d", n)] = kerneltest.Ascending(n, func() uint64 { return 1<<40 - 1 - r.Uint64N(3000) })
	}
	m["chunk"] = kerneltest.Ascending(20000, func() uint64 { return r.Uint64N(1 << 16) })
	return m
}

func TestPackedEncode(t *testing.T) {
	for name, values := range lists() {
		t.Run(name, func(t *testing.T) {
			n, last := len(values), values[len(values)-1]
			best := math.MaxInt / 2
			for low := range uint(64) {
				if last>>low > 1<<24 {
					continue
				}
				want := naiveBlock(values, low)
				best = min(best, len(want))
				prefix := []byte("prefix")
				if got := appendPacked(prefix, values, low); !bytes.Equal(got[len(prefix):], want) {
					t.Fatalf("low width %d: got % x, want % x", low, got[len(prefix):], want)
				}
			}
			size, low := Size(n, last, 63)
			if size != best {
				t.Errorf("Size: got %d with low width %d, want %d", size, low, best)
			}
			if got := len(appendPacked(nil, values, low)); got != size {
				t.Errorf("size of the block: got %d, want %d", got, size)
			}
			if entropy := float64(n) * (2 + max(0, float64(bits.Len64(last/uint64(n))))); float64(size*8-7) > entropy {
				t.Errorf("bits: got %d, want at most %.0f", size*8, entropy)
			}
			if size, low := Size(n, last, 30); low > 30 || size < best {
				t.Errorf("Size up to 30: got %d with %d, want at least %d", size, low, best)
			}
		})
	}
}

func TestPackedRead(t *testing.T) {
	for name, values := range lists() {
		_, low := Size(len(values), values[len(values)-1], 63)
		widths := []uint{low, 63}
		if low > 3 {
			widths = append(widths, low-3)
		}
		for _, low := range widths {
			t.Run(fmt.Sprintf("%s low=%d", name, low), func(t *testing.T) {
				block := appendPacked(nil, values, low)
				checkReads(t, Packed{Block: block[:len(block):len(block)], N: len(values), Low: low}, values)
			})
		}
	}
}

// checkReads compares every read with a list of the values.
func checkReads(t *testing.T, p Packed, values []uint64) {
	t.Helper()
	for i := 0; i < len(values); i += 1 + len(values)/300 {
		if got, ok := p.At(i); !ok || got != values[i] {
			t.Fatalf("At(%d): got %d, %v, want %d", i, got, ok, values[i])
		}
	}
	if _, ok := p.At(len(values)); ok {
		t.Fatal("At behind the end: got a value")
	}
	if got, ok := p.Last(); !ok || got != values[len(values)-1] {
		t.Fatalf("Last: got %d, %v, want %d", got, ok, values[len(values)-1])
	}
	probes := []uint64{0, 1, 65535, 65536, 1 << 32, 1<<48 - 1, 1 << 63, 1<<64 - 1}
	for i := 0; i < len(values); i += 1 + len(values)/300 {
		probes = append(probes, values[i]-1, values[i], values[i]+1)
	}
	slices.Sort(probes)
	onward := p.Iter()
	for _, d := range probes {
		i, found := slices.BinarySearch(values, d)
		if gotI, gotFound := p.Find(d); gotI != i || gotFound != found {
			t.Fatalf("Find(%d): got %d, %v, want %d, %v", d, gotI, gotFound, i, found)
		}
		gotI, got, ok := p.Next(d)
		if ok != (i < len(values)) || gotI != i || ok && got != values[i] {
			t.Fatalf("Next(%d): got %d, %d, %v, want index %d of %d", d, gotI, got, ok, i, len(values))
		}
		if ok := onward.Seek(d); ok != (i < len(values)) || onward.Index() != i {
			t.Fatalf("Seek(%d): got index %d, %v, want %d of %d", d, onward.Index(), ok, i, len(values))
		}
		if got, ok := onward.Peek(); ok && got != values[i] {
			t.Fatalf("Peek after Seek(%d): got %d, want %d", d, got, values[i])
		}
	}
	it := p.Iter()
	for i, want := range values {
		if d, ok := it.Next(); !ok || d != want {
			t.Fatalf("Next number %d: got %d, %v, want %d", i, d, ok, want)
		}
	}
	if _, ok := it.Next(); ok {
		t.Fatal("Next behind the end: got a value")
	}
	for _, step := range []int{1, 3, 64, 1000} {
		it, buf := p.Iter(), make([]uint64, step)
		var got []uint64
		for n := step; n == step; {
			n = it.Values(buf, 7)
			got = append(got, buf[:n]...)
		}
		if !slices.EqualFunc(got, values, func(a, b uint64) bool { return a == b+7 }) {
			t.Fatalf("Values by %d: got %d values, want %d", step, len(got), len(values))
		}
		it = p.Iter()
		for i := 0; i < len(values); i += step {
			if got, _ := it.Peek(); got != values[i] {
				t.Fatalf("Skip by %d: got %d at %d, want %d", step, got, i, values[i])
			}
			it.Skip(step)
		}
	}
	checkChunks(t, p, values)
}

func checkChunks(t *testing.T, p Packed, values []uint64) {
	t.Helper()
	lows := p.Iter()
	array, bitset := make([]byte, 1<<17), make([]byte, 8192)
	for i, chunks := 0, 0; i < len(values); chunks++ {
		words := lows
		chunk, j := values[i]>>16, i
		for j < len(values) && values[j]>>16 == chunk {
			j++
		}
		if n := lows.Lows(array, chunk); n != j-i || lows.Index() != j {
			t.Fatalf("Lows of chunk %d: got %d values and index %d, want %d and %d", chunk, n, lows.Index(), j-i, j)
		}
		for k := i; k < j; k++ {
			if got := binary.LittleEndian.Uint16(array[2*(k-i):]); got != uint16(values[k]) {
				t.Fatalf("Lows of chunk %d: got %d at %d, want %d", chunk, got, k-i, uint16(values[k]))
			}
		}
		if chunks < 20 {
			if n := words.Words(bitset, chunk); n != j-i || words.Index() != j {
				t.Fatalf("Words of chunk %d: got %d values and index %d, want %d and %d", chunk, n, words.Index(), j-i,
					j)
			}
			ones := 0
			for _, b := range bitset {
				ones += bits.OnesCount8(b)
			}
			if ones != j-i {
				t.Fatalf("Words of chunk %d: got %d ones, want %d", chunk, ones, j-i)
			}
			for _, d := range values[i:j] {
				if bitset[d&0xFFFF>>3]>>(d&7)&1 == 0 {
					t.Fatalf("Words of chunk %d: %d is missing", chunk, d)
				}
			}
		}
		i = j
	}
}

// hostileBlocks are blocks that no writer makes, with the claims that come with them.
var hostileBlocks = []Packed{
	{},
	{N: 5, Low: 3},
	{Block: []byte{1}, N: -1},
	{Block: []byte{0, 0, 0, 0}, N: 3, Low: 2},
	{Block: []byte{255, 255, 255}, N: math.MaxInt, Low: 1},
	{Block: []byte{255, 255, 255}, N: 2, Low: 64},
	{Block: []byte{255, 255, 255}, N: 2, Low: 200},
	{Block: bytes.Repeat([]byte{255}, 8192), N: 65536},
	{Block: bytes.Repeat([]byte{255}, 8192), N: 1024, Low: 63},
	{Block: bytes.Repeat([]byte{0xF0}, 100), N: 3, Low: 63},
	{Block: make([]byte, 8192), N: 2048, Low: 10},
}

func TestPackedHostile(t *testing.T) {
	for _, p := range hostileBlocks {
		readHostile(t, p)
	}
}

// readHostile calls every read; what they return must be bounded.
func readHostile(t *testing.T, p Packed) {
	var want []uint64
	// else the block cannot hold N ones and the lower part: empty
	if p.Low <= 63 && p.N > 0 && p.N <= 8*len(p.Block)/(int(p.Low)+1) {
		want = naiveValues(p.Block, p.N, p.Low)
	}
	values := make([]uint64, len(want)+1)
	it := p.Iter()
	if n := it.Values(values, 0); n != len(want) || !slices.Equal(values[:n], want) {
		t.Fatalf("Values of %d bytes, n = %d, low = %d: got %v, want %v", len(p.Block), p.N, p.Low, values[:n], want)
	}
	for i := 0; i < len(want); i += 1 + len(want)/50 {
		if got, ok := p.At(i); !ok || got != want[i] {
			t.Fatalf("At(%d): got %d, %v, want %d", i, got, ok, want[i])
		}
	}
	probes := []uint64{0, 1, 65536, 1 << 40, 1<<63 + 1, 1<<64 - 1}
	if len(want) > 0 {
		probes = append(probes, want[len(want)/2], want[len(want)-1]+1)
	}
	for _, d := range probes {
		i, found := p.Find(d)
		if i < 0 || i > max(p.N, 0) || found && !slices.Contains(want, d) {
			t.Fatalf("Find(%d): got %d, %v", d, i, found)
		}
		p.Next(d)
		it = p.Iter()
		for range 3 {
			it.Seek(d)
			it.Skip(int(d & 0xFFFF))
			it.Next()
		}
	}
	p.Last()
	words := make([]byte, 8192)
	for it, steps := p.Iter(), 0; steps < 100; steps++ {
		d, ok := it.Peek()
		if !ok {
			break
		}
		if it.Words(words, d>>16) == 0 {
			t.Fatalf("Words of chunk %d: got no value where Peek got one", d>>16)
		}
	}
}

// TestPutHostileRuns writes runs that all begin at 0. Only the first has values of its own.
func TestPutHostileRuns(t *testing.T) {
	runs := bytes.Repeat([]byte{0, 0, 0xFE, 0xFF}, 2047)
	runs = append(runs, 0xFF, 0xFF, 0, 0)
	const n = 2048
	size, low := Size(n, 65535, 63)
	got, want := make([]byte, size), make([]byte, size)
	var w Writer
	w.Reset(got, n, low)
	w.PutRuns(runs, 0)
	w.Close()
	w.Reset(want, n, low)
	for d := range uint64(n) {
		w.Put(d)
	}
	w.Close()
	if !bytes.Equal(got, want) {
		t.Error("runs that overlap: got other values than those of the first run")
	}

	const large = 1 << 16
	size, low = Size(large, 65535, 63)
	block := make([]byte, size)
	// 65 536 puts a round are as many as those of a list; all that the runs claim would be 134
	// million, two thousand times as many. The least of several rounds is compared, as others may
	// use the processor.
	least := func(put func(w *Writer)) (took time.Duration) {
		took = time.Hour
		for range 20 {
			begin := time.Now()
			w.Reset(block, large, low)
			put(&w)
			w.Close()
			took = min(took, time.Since(begin))
		}
		return took
	}
	list := least(func(w *Writer) {
		for d := range uint64(large) {
			w.Put(d)
		}
	})
	if took := least(func(w *Writer) { w.PutRuns(runs, 0) }); took > 100*list {
		t.Errorf("overlapping runs took %v, a list of as many values %v", took, list)
	} else {
		t.Logf("overlapping runs took %v, a list of as many values %v", took, list)
	}
	values := make([]uint64, large)
	it := Packed{Block: block, N: large, Low: low}.Iter()
	if k := it.Values(values, 0); k != large || values[0] != 0 || values[large-1] != 65535 {
		t.Errorf("got %d values from %d to %d, want the whole chunk", k, values[0], values[large-1])
	}
}

func FuzzPacked(f *testing.F) {
	for _, p := range hostileBlocks {
		f.Add(p.Block, p.N, uint16(p.Low))
	}
	f.Fuzz(func(t *testing.T, block []byte, n int, low uint16) {
		readHostile(t, Packed{Block: block[:len(block):len(block)], N: n, Low: uint(low)})

		// The same bytes as a list of differences.
		var values []uint64
		last := uint64(0)
		for ; len(block) >= 3 && len(values) < 500; block = block[3:] {
			d := uint64(1+binary.LittleEndian.Uint16(block)) << (block[2] & 31)
			if last+d <= last {
				break
			}
			last += d
			values = append(values, last-1)
		}
		if len(values) == 0 {
			return
		}
		_, width := Size(len(values), values[len(values)-1], uint(low%64)|32)
		coded := appendPacked(nil, values, width)
		checkReads(t, Packed{Block: coded[:len(coded):len(coded)], N: len(values), Low: width}, values)
	})
}
