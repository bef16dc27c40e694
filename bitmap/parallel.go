// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package bitmap

import (
	"runtime"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/uproar-db/uproar/bitmap/internal/kernel"
)

// ParallelOrAll is [OrAll] by up to the given number of goroutines, all of which have ended when it returns; fewer than 1 stands for GOMAXPROCS.
//
// The container keys are cut into several ranges for each worker, at keys sampled from the sets, and the parts of the result are laid out together. It is
// worth it from a megabyte of sets on; with less, or one worker, it is OrAll. Memory: that of an OrAll for each worker, and the result
// twice.
func ParallelOrAll(workers int, views ...View) *Bitmap {
	ranges := cutViews(workers, views)
	if len(ranges) < 2 {
		return OrAll(views...)
	}
	return inParallel(workers, ranges, func(c *crowd, to *outlet, within keyRange) { c.merge(kernel.Or, to, views, within) })
}

// ParallelXorAll is [XorAll] by up to the given number of goroutines. See [ParallelOrAll].
func ParallelXorAll(workers int, views ...View) *Bitmap {
	ranges := cutViews(workers, views)
	if len(ranges) < 2 {
		return XorAll(views...)
	}
	return inParallel(workers, ranges, func(c *crowd, to *outlet, within keyRange) { c.merge(kernel.Xor, to, views, within) })
}

// ParallelAndNotAll is [AndNotAll] by up to the given number of goroutines. See [ParallelOrAll].
func ParallelAndNotAll(workers int, a View, others ...View) *Bitmap {
	ranges := cutViews(workers, append([]View{a}, others...))
	if len(ranges) < 2 {
		return AndNotAll(a, others...)
	}
	return inParallel(workers, ranges, func(c *crowd, to *outlet, within keyRange) { c.subtract(to, a, others, within) })
}

// ParallelAndAll is [AndAll] by up to the given number of goroutines. See [ParallelOrAll].
func ParallelAndAll(workers int, views ...View) *Bitmap {
	if len(views) == 0 {
		return new(Bitmap)
	}
	if len(views) > vanguard {
		c := crowds.Get().(*crowd)
		first := outlet{first: true}
		c.orderFew(views[:min(len(views), scouts)])
		c.meet(&first, views, allKeys)
		c.disperse()
		if !first.found {
			return new(Bitmap)
		}
	}
	ranges := cutViews(workers, views)
	if len(ranges) < 2 {
		return AndAll(views...)
	}
	return inParallel(workers, ranges, func(c *crowd, to *outlet, within keyRange) { c.meetAll(to, views, within) })
}

const (
	rangesPerWorker = 4       // so that workers with light ranges take more of them
	minRange        = 1 << 19 // bytes, of all sets together, that a range should have: some 100 µs, ten times what starting a worker costs
	maxSampled      = 64      // sets whose keys are sampled
	samplesPerSet   = 64
)

// cutViews cuts all keys into ranges that are worth being worked on side by side.
func cutViews(workers int, views []View) []keyRange {
	if workers < 1 {
		workers = runtime.GOMAXPROCS(0)
	}
	bytes := 0
	for i := range views {
		bytes += len(views[i].body)
	}
	if workers == 1 || bytes < 2*minRange {
		return nil
	}
	return cutKeys(views, min(workers*rangesPerWorker, bytes/minRange))
}

// inParallel builds a result range by range.
func inParallel(workers int, ranges []keyRange, do func(c *crowd, to *outlet, within keyRange)) *Bitmap {
	if workers < 1 {
		workers = runtime.GOMAXPROCS(0)
	}
	parts := make([]*Builder, len(ranges))
	var next atomic.Int64
	work := func() {
		c := crowds.Get().(*crowd)
		defer c.disperse()
		for i := next.Add(1) - 1; i < int64(len(ranges)); i = next.Add(1) - 1 {
			m := borrowBuilder()
			m.layout = asTheyAre
			parts[i] = m
			do(c, &outlet{m: m}, ranges[i])
			c.leave()
		}
	}
	var wait sync.WaitGroup
	for range min(workers, len(ranges)) - 1 {
		wait.Go(work)
	}
	work()
	wait.Wait()
	whole := parts[0]
	defer builders.Put(whole)
	for _, part := range parts[1:] {
		whole.join(part)
		builders.Put(part)
	}
	return whole.Bitmap(asTheyAre)
}

// cutKeys cuts all keys into at most n ranges with about as many of the sampled containers each.
func cutKeys(views []View, n int) []keyRange {
	if n < 2 {
		return []keyRange{allKeys}
	}
	var keys []uint64
	for i := 0; i < len(views); i += 1 + len(views)/maxSampled {
		keys = views[i].sampleKeys(keys)
	}
	slices.Sort(keys)
	var ranges []keyRange
	lo := uint64(0)
	for i := 1; i < n && len(keys) > 0; i++ {
		if key := keys[i*len(keys)/n]; key > lo && key <= maxKey {
			ranges = append(ranges, keyRange{lo, key})
			lo = key
		}
	}
	return append(ranges, keyRange{lo, allKeys.hi})
}

// sampleKeys appends the keys of some containers, or of some values of a short list.
func (v *View) sampleKeys(keys []uint64) []uint64 {
	for i := range samplesPerSet {
		if v.form() == formSolo {
			if d, ok := v.solo().At(i * v.values() / samplesPerSet); ok {
				keys = append(keys, d>>16)
			}
		} else if at := i * v.count() / samplesPerSet; at < v.count() && (i == 0 || at != (i-1)*v.count()/samplesPerSet) {
			keys = append(keys, v.keyAt(at))
		}
	}
	return keys
}

// join appends the chunks of another builder, whose keys are larger.
func (b *Builder) join(o *Builder) {
	b.finish()
	o.finish()
	shift := len(b.data)
	for _, c := range o.chunks {
		c.at += shift
		b.chunks = append(b.chunks, c)
	}
	b.data = append(b.data, o.data...)
	b.values += o.values
}
