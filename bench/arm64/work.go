// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package arm64

import (
	"fmt"
	"math/rand/v2"
	"slices"

	"github.com/uproar-db/uproar/internal/roaring"
	"github.com/uproar-db/uproar/internal/roaring/container"
	"github.com/uproar-db/uproar/internal/roaring/mutable"
	"github.com/uproar-db/uproar/internal/roaring/pack"
	"github.com/uproar-db/uproar/internal/roaring/pair"
	"github.com/uproar-db/uproar/internal/roaring/view"
)

// work is what one kernel does, on operands drawn at random. It is for kernels whose loops have
// others inside: a turn of these says little.
type work struct {
	name string
	per  string
	make func(r *rand.Rand) (units int, do func())
}

// works are the kernels that are weighed.
func works() []work {
	return append(listWorks(), []work{
		{"search, 100 values", "question", rank(100)},
		{"search, 1 000 values", "question", rank(1000)},
		{"search, 4 000 values", "question", rank(4000)},
		{"contains, 1 000 values", "question", contains(1000)},
		{"count of 30 values in 900", "value", fewLen(30, 900)},
		{"count of 30 values in 4 000", "value", fewLen(30, 4000)},
		{"those of 30 values in 900", "value", few(30, 900)},
		{"values of a bitset, 5 000 ones", "one", valuesOf(5000)},
		{"values of a bitset, 10 000 ones", "one", valuesOf(10000)},
		{"values of a bitset, 30 000 ones", "one", valuesOf(30000)},
		{"values of a bitset, 50 000 ones", "one", valuesOf(50000)},
		{"values of runs of 6", "value", runs(6)},
		{"values of runs of 50", "value", runs(50)},
		{"value at a place in 50 runs", "question", selectRun(50)},
		{"value at a place in 400 runs", "question", selectRun(400)},
		{"value at a place in 60 containers", "question", selectIn(60)},
		{"value at a place in 5 containers", "question", selectIn(5)},
		{"union of eight sets of runs of 6", "run", union(6)},
		{"union of eight sets of runs of 50", "run", union(50)},
		{"count of 100 runs in 100", "run of both", runsLen(100, 100)},
		{"count of 100 runs in 400", "run of both", runsLen(100, 400)},
		{"count of 30 runs in 900", "run of both", runsLen(30, 900)},
		{"count of 12 runs in 760", "run of both", runsLen(12, 760)},
		{"intersection of 100 runs and 100", "run of both", runsAnd(100, 100)},
		{"counters passed over", "counter", firstCount},
		{"counters passed over, of which each third is large enough", "counter", lastShare},
		{"words of three bits", "word", smallWords},
		{"count of 100 spans of 45 rows of three bytes", "row", rows(45, 3)},
		{"count of 100 spans of 6 rows of three bytes", "row", rows(6, 3)},
		{"count of 100 spans of 45 rows of two bytes", "row", rows(45, 2)},
	}...)
}

// draw returns n of the numbers below limit, in order.
func draw(r *rand.Rand, n, limit int) (values []uint16) {
	for _, x := range r.Perm(limit)[:n] {
		values = append(values, uint16(x))
	}
	slices.Sort(values)
	return values
}

// block is one of n values.
func block(r *rand.Rand, n int) container.Block {
	return container.OfLows(0, draw(r, n, 1<<16), new(container.Scratch))
}

const questions = 64

func rank(n int) func(r *rand.Rand) (int, func()) {
	return func(r *rand.Rand) (int, func()) {
		b, asked := block(r, n), draw(r, questions, 1<<16)
		return questions, func() {
			for _, x := range asked {
				b.Rank(x)
			}
		}
	}
}

func contains(n int) func(r *rand.Rand) (int, func()) {
	return func(r *rand.Rand) (int, func()) {
		b, asked := block(r, n), draw(r, questions, 1<<16)
		return questions, func() {
			for _, x := range asked {
				b.Contains(x)
			}
		}
	}
}

func fewLen(n, m int) func(r *rand.Rand) (int, func()) {
	return func(r *rand.Rand) (int, func()) {
		a, b := block(r, n), block(r, m)
		return n, func() { a.AndLen(b) }
	}
}

func few(n, m int) func(r *rand.Rand) (int, func()) {
	return func(r *rand.Rand) (int, func()) {
		a, b, s := block(r, n), block(r, m), new(container.Scratch)
		return n, func() { s.And(a, b) }
	}
}

func valuesOf(n int) func(r *rand.Rand) (int, func()) {
	return func(r *rand.Rand) (int, func()) {
		b, dst := block(r, n), make([]uint64, 0, n)
		return n, func() { b.AppendTo(dst) }
	}
}

// runSet has 100 runs of some values on the average, and returns their number.
func runSet(r *rand.Rand, some int) (set *mutable.Bitmap, n int) {
	set = pair.Of()
	for x := range 100 {
		length := 1 + r.IntN(2*some-1)
		first := 600*x + r.IntN(100)
		set.AddRange(uint64(first), uint64(first+length-1))
		n += length
	}
	set.Pack(pack.Fastest)
	return set, n
}

func runs(some int) func(r *rand.Rand) (int, func()) {
	return func(r *rand.Rand) (int, func()) {
		set, n := runSet(r, some)
		dst := make([]uint64, 256)
		return n, func() {
			for it := set.View().Iterator(0); it.Read(dst) > 0; {
			}
		}
	}
}

// runBlock is one of n runs, of up to half of the chunk's values.
func runBlock(r *rand.Rand, n int) container.Block {
	set := pair.Of()
	each := 1 << 16 / n
	for x := range n {
		first := each*x + r.IntN(each/2)
		set.AddRange(uint64(first), uint64(first+r.IntN(each/2-1)))
	}
	set.Pack(pack.Fastest)
	c := set.View().Cursor(nil)
	c.Next()
	return c.Block()
}

func runsLen(n, m int) func(r *rand.Rand) (int, func()) {
	return func(r *rand.Rand) (int, func()) {
		a, b := runBlock(r, n), runBlock(r, m)
		return n + m, func() { a.AndLen(b) }
	}
}

func runsAnd(n, m int) func(r *rand.Rand) (int, func()) {
	return func(r *rand.Rand) (int, func()) {
		a, b, s := runBlock(r, n), runBlock(r, m), new(container.Scratch)
		return n + m, func() { s.And(a, b) }
	}
}

func selectRun(n int) func(r *rand.Rand) (int, func()) {
	return func(r *rand.Rand) (int, func()) {
		set := pair.Of()
		for x := range n {
			set.AddRange(uint64(100*x), uint64(100*x+1+r.IntN(80)))
		}
		return selects(r, set)
	}
}

func selectIn(containers int) func(r *rand.Rand) (int, func()) {
	return func(r *rand.Rand) (int, func()) {
		var values []uint64
		for key := range uint64(containers) {
			for _, low := range draw(r, 100+r.IntN(200), 1<<16) {
				values = append(values, key<<16+uint64(low))
			}
		}
		return selects(r, pair.FromSorted(values))
	}
}

// selects asks for values of a set at places drawn at random.
func selects(r *rand.Rand, set *mutable.Bitmap) (int, func()) {
	set.Pack(pack.Fastest)
	v := set.View()
	asked := make([]uint64, questions)
	for i := range asked {
		asked[i] = r.Uint64N(v.Len())
	}
	return questions, func() {
		for _, i := range asked {
			v.Select(i)
		}
	}
}

func union(some int) func(r *rand.Rand) (int, func()) {
	return func(r *rand.Rand) (int, func()) {
		var views []view.View
		for range 8 {
			set, _ := runSet(r, some)
			views = append(views, set.View())
		}
		return 800, func() { roaring.OrAllLen(views...) }
	}
}

// These stand in variables so that no compiler puts them into what is not weighed.
var (
	passOver       = roaring.FirstCount
	passOverShares = roaring.LastShare
	readWords      = roaring.SmallWords
	countRows      = roaring.CountRows
)

const counters = 2048

func firstCount(r *rand.Rand) (int, func()) {
	counts := make([]uint32, counters)
	for i := range counts {
		counts[i] = r.Uint32N(100)
	}
	return counters, func() { passOver(counts, 100) }
}

func lastShare(r *rand.Rand) (int, func()) {
	counts, sizes := make([]uint32, counters), make([]uint32, counters)
	for i := range counts {
		counts[i] = r.Uint32N(150)
		sizes[i] = 2 * counts[i]
	}
	return counters, func() { passOverShares(counts, sizes, 100, 0.75) }
}

func smallWords(r *rand.Rand) (int, func()) {
	const n = 1000
	lows, words, dst := draw(r, n, 1<<16), make([]byte, 3<<13+2), make([]uint16, n)
	return n, func() { readWords(dst, lows, words, 0, 3) }
}

// rows counts spans of at most one and a half times some rows.
func rows(some, width int) func(r *rand.Rand) (int, func()) {
	return func(r *rand.Rand) (int, func()) {
		var spans [][]byte
		n := 0
		counts := make([]uint32, 1<<16)
		for range 100 {
			rows := make([]byte, width*(some/2+r.IntN(some+1)))
			for i := 0; i < len(rows); i += width {
				rows[i], rows[i+1] = byte(r.Uint32()), byte(r.Uint32())
			}
			spans, n = append(spans, rows), n+len(rows)/width
		}
		return n, func() { countRows(counts, spans, width) }
	}
}

// pass makes the operands of a work and does it so often. It returns the number of units of a pass.
func pass(name string, passes int) (units int, err error) {
	for _, w := range works() {
		if w.name == name {
			units, do := w.make(rand.New(rand.NewPCG(1, 1)))
			for range passes {
				do()
			}
			return units, nil
		}
	}
	return 0, fmt.Errorf("arm64: no work is called %q", name)
}
