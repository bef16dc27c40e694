// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package roaring

import (
	"math"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/uproar-db/uproar/internal/roaring/container"
	"github.com/uproar-db/uproar/internal/roaring/mutable"
	"github.com/uproar-db/uproar/internal/roaring/pack"
	"github.com/uproar-db/uproar/internal/roaring/pair"
	"github.com/uproar-db/uproar/internal/roaring/view"
)

// ParallelOrAll is [OrAll] by up to workers goroutines. All have ended when it returns. Fewer than
// 1 stands for GOMAXPROCS.
//
// It cuts the container keys into several ranges for each worker, at keys sampled from the sets,
// and lays the parts out together. It pays where OrAll takes some 0.4 ms by an estimate; below
// that, or with one worker, it is OrAll. It takes the memory of an OrAll for each worker, and the
// result twice.
func ParallelOrAll(workers int, views ...view.View) *mutable.Bitmap {
	ranges := cutViews(workers, views, false)
	if len(ranges) < 2 {
		return OrAll(views...)
	}
	return inParallel(workers, ranges, func(c *multiway, to *sink, keys keyRange) {
		c.merge(container.Or, to, views, keys)
	})
}

// ParallelXorAll is [XorAll] by up to the given number of goroutines. See [ParallelOrAll].
func ParallelXorAll(workers int, views ...view.View) *mutable.Bitmap {
	ranges := cutViews(workers, views, false)
	if len(ranges) < 2 {
		return XorAll(views...)
	}
	return inParallel(workers, ranges, func(c *multiway, to *sink, keys keyRange) {
		c.merge(container.Xor, to, views, keys)
	})
}

// ParallelAndNotAll is [AndNotAll] by up to the given number of goroutines. See [ParallelOrAll].
func ParallelAndNotAll(workers int, a view.View, others ...view.View) *mutable.Bitmap {
	ranges := cutViews(workers, append([]view.View{a}, others...), false)
	if len(ranges) < 2 {
		return AndNotAll(a, others...)
	}
	return inParallel(workers, ranges, func(c *multiway, to *sink, keys keyRange) {
		c.subtract(to, a, others, keys)
	})
}

// ParallelAndAll is [AndAll] by up to the given number of goroutines. See [ParallelOrAll].
func ParallelAndAll(workers int, views ...view.View) *mutable.Bitmap {
	if len(views) == 0 {
		return new(mutable.Bitmap)
	}
	if len(views) > vanguard {
		c := multiways.Get().(*multiway)
		first := sink{first: true}
		c.orderFew(views[:min(len(views), scouts)])
		c.meet(&first, views, allKeys)
		c.release()
		if !first.found {
			return new(mutable.Bitmap)
		}
	}
	ranges := cutViews(workers, views, true)
	if len(ranges) < 2 {
		return AndAll(views...)
	}
	return inParallel(workers, ranges, func(c *multiway, to *sink, keys keyRange) { c.meetAll(to, views, keys) })
}

const (
	rangesPerWorker = 4 // so that workers with light ranges take more of them
	// ns, as estimated, from which work is shared: to start a worker and to join what they have
	// made takes some 100 of them
	sharedCost      = 400_000
	minCost         = 100_000 // ns that a range should take
	enterCost       = 240     // ns that a range should take of each set: four times what finding its beginning takes
	samplesPerRange = 16      // keys by which ranges are cut
	minSamples      = 128
)

// What combining a set with others takes, as estimated: ns a container, and a value of a list, and
// how many bytes of the other containers take a ns, by kind.
const (
	containerCost = 50
	valueCost     = 10
	sampledKinds  = 4 // containers of a set whose kind is looked at
)

var bytesPerNano = [...]int{container.Array: 4, container.Bitset: 64, container.Run: 4, container.Packed: 1}

// costOfView estimates the nanoseconds that combining v with other sets takes.
func costOfView(v *view.View) int {
	count := v.Count()
	if v.Form() == view.FormList {
		return containerCost + valueCost*v.Values()
	}
	cost, sampled := containerCost*count, min(count, sampledKinds)
	for i := range sampled {
		cost += len(v.Raw()) / sampled / bytesPerNano[v.KindAt(i*count/sampled)]
	}
	return cost
}

// cutViews cuts all keys into ranges that are worth being worked on side by side. rarest: by an
// operation that asks all sets for what the rarest of them has.
func cutViews(workers int, views []view.View, rarest bool) []keyRange {
	if workers < 1 {
		workers = runtime.GOMAXPROCS(0)
	}
	if workers == 1 {
		return nil
	}
	cost, least := 0, math.MaxInt
	for i := range views {
		its := costOfView(&views[i])
		cost, least = cost+its, min(least, its)
	}
	shared := cost
	if rarest {
		shared = least * len(views)
	}
	if shared < sharedCost {
		return nil
	}
	return cutKeys(views, cost, min(workers*rangesPerWorker, shared/minCost, shared/(enterCost*len(views))))
}

// A part is what a range gives: some chunks of the builder of whoever has worked on it.
type part struct {
	worker   int
	from, to int
}

// inParallel builds a result range by range.
func inParallel(workers int, ranges []keyRange, do func(c *multiway, to *sink, keys keyRange)) *mutable.Bitmap {
	if workers < 1 {
		workers = runtime.GOMAXPROCS(0)
	}
	workers = min(workers, len(ranges))
	parts, built := make([]part, len(ranges)), make([]*pack.Builder, workers)
	var next atomic.Int64
	serve := func(worker int) {
		c, m := multiways.Get().(*multiway), pack.BorrowBuilder()
		defer c.release()
		m.Layout, built[worker] = pack.AsTheyAre, m
		for i := next.Add(1) - 1; i < int64(len(ranges)); i = next.Add(1) - 1 {
			from := len(m.Chunks)
			do(c, &sink{m: m}, ranges[i])
			m.Finish()
			parts[i] = part{worker, from, len(m.Chunks)}
			c.leave()
		}
	}
	var wait sync.WaitGroup
	for worker := 1; worker < workers; worker++ {
		wait.Go(func() { serve(worker) })
	}
	serve(0)
	wait.Wait()
	c := pair.BorrowResult()
	defer c.Release()
	c.Begin()
	for _, p := range parts {
		m := built[p.worker]
		for i := p.from; i < p.to; i++ {
			c.Put(m.Block(i))
		}
	}
	whole := c.Bitmap()
	for _, m := range built {
		m.Release()
	}
	return whole
}

// cutKeys cuts all keys into at most n ranges that take about as long each. cost is that of all
// sets.
//
// It samples keys at places spread evenly over the cost of all sets, with some jitter: without it,
// sets of one size might all be asked for the same place.
func cutKeys(views []view.View, cost, n int) []keyRange {
	if n < 2 {
		return []keyRange{allKeys}
	}
	var room [2 * minSamples]uint64
	keys, samples := room[:0], max(minSamples, n*samplesPerRange)
	step, passed, k := cost/samples, 0, 0
	for i := range views {
		v := &views[i]
		end := passed + costOfView(v)
		for ; k < samples; k++ {
			jitter := int(uint64(uint32(k)*0x9E3779B9) * uint64(step) >> 32)
			at := k*step + jitter
			if at >= end {
				break
			}
			if key, ok := keyAbout(v, float64(at-passed)/float64(end-passed)); ok {
				keys = append(keys, key)
			}
		}
		passed = end
	}
	slices.Sort(keys)
	var ranges []keyRange
	lo := uint64(0)
	for i := 1; i < n && len(keys) > 0; i++ {
		if key := keys[i*len(keys)/n]; key > lo && key <= container.MaxKey {
			ranges = append(ranges, keyRange{lo, key})
			lo = key
		}
	}
	return append(ranges, keyRange{lo, allKeys.hi})
}

// keyAbout returns the key with the given share of the containers, or values of a list, before it.
// ok is false if there is none.
func keyAbout(v *view.View, share float64) (key uint64, ok bool) {
	if v.Form() == view.FormList {
		x, ok := view.List(v).At(int(share * float64(v.Values())))
		return x >> 16, ok
	}
	if v.Count() == 0 {
		return 0, false
	}
	return v.KeyAt(min(int(share*float64(v.Count())), v.Count()-1)), true
}
