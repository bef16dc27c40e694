// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package bsi

import (
	"slices"

	"github.com/uproar-db/uproar/internal/roaring/container"
)

// TopK appends the k records with the largest integers to dst, the largest first, and returns the
// longer slice. Of equal integers the one with the smaller ID comes first, and stays if not all of
// them fit. It appends all records if there are fewer than k.
//
// In each chunk it looks only for records that are better than the worst of the k best so far, and
// takes the k best of these by slices (Rinfret, O'Neil & O'Neil 2001): at most k records a chunk
// are decoded, and usually none once the first chunks are done. It allocates nothing if dst has
// room.
func (v View) TopK(dst []Pair, k int) []Pair { return v.best(dst, k, 1) }

// BottomK appends the k records with the smallest integers to dst, the smallest first. Of equal
// integers the one with the smaller ID comes first. See [View.TopK].
func (v View) BottomK(dst []Pair, k int) []Pair { return v.best(dst, k, 0) }

// best appends the best k records: the integers with ones (want 1) or with zeros (want 0) in front.
func (v View) best(dst []Pair, k int, want uint64) []Pair {
	if k <= 0 {
		return dst
	}
	w := v.walk()
	defer w.release()
	worse := ranking(want)
	start := len(dst)
	for w.next() {
		candidates := w.all
		if len(dst)-start == k {
			// Only an integer that is better than the worst can take its place: all IDs to come are
			// larger.
			worst := uint64(dst[start].Value) - uint64(v.base)
			if want == 1 && worst >= v.largest() || want == 0 && worst == 0 {
				break
			}
			if want == 1 {
				candidates = w.between(worst+1, v.largest())
			} else {
				candidates = w.between(0, worst-1)
			}
		}
		sure, tied := w.bestOf(candidates, k, want)
		dst = w.rank(dst, start, sure, sure.Len(), k, worse)
		dst = w.rank(dst, start, tied, k-sure.Len(), k, worse)
	}
	slices.SortFunc(dst[start:], func(a, b Pair) int {
		switch {
		case worse(a, b):
			return 1
		case worse(b, a):
			return -1
		}
		return 0
	})
	return dst
}

// ranking returns the order of the largest (want 1) or smallest (want 0) integers.
func ranking(want uint64) (worse func(a, b Pair) bool) {
	if want == 1 {
		return func(a, b Pair) bool { return a.Value < b.Value || a.Value == b.Value && a.ID > b.ID }
	}
	return func(a, b Pair) bool { return a.Value > b.Value || a.Value == b.Value && a.ID > b.ID }
}

// bestOf returns the best k of some records of the chunk, which between may have returned. sure are
// records among them for sure. tied have equal integers: the ones with the smallest IDs fill up
// what is missing.
func (w *walk) bestOf(candidates container.Block, k int, want uint64) (sure, tied container.Block) {
	sure = container.Block{Key: w.all.Key}
	tied = candidates
	for i := int(w.view.width) - 1; i >= 0 && sure.Len()+tied.Len() > k; i-- {
		those := w.having(&w.step, tied, i, want)
		if sure.Len()+those.Len() > k {
			tied = ownCopy(&w.low, those)
			continue
		}
		sure = ownCopy(&w.high, w.high.Or(sure, those))
		tied = w.having(&w.low, tied, i, want^1)
	}
	return sure, tied
}

// rank puts the first n records of a block into the heap of the best k. The heap begins at start
// with the worst of them.
func (w *walk) rank(dst []Pair, start int, b container.Block, n, k int, worse func(a, b Pair) bool) []Pair {
	if b.IsEmpty() || n <= 0 {
		return dst
	}
	if n < b.Len() {
		w.lows = b.AppendLow(w.lows[:0])
		b = container.OfLows(b.Key, w.lows[:min(n, len(w.lows))], &w.found)
	}
	for _, low := range w.decode(b) {
		p := Pair{ID: b.Key<<16 | uint64(low), Value: w.view.value(w.values[low])}
		if len(dst)-start < k {
			dst = append(dst, p)
			liftPair(dst[start:], worse)
		} else if worse(dst[start], p) {
			dst[start] = p
			sinkPair(dst[start:], worse)
		}
	}
	return dst
}

// liftPair moves the last pair of a heap to its place.
func liftPair(heap []Pair, worse func(a, b Pair) bool) {
	for i := len(heap) - 1; i > 0; {
		parent := (i - 1) / 2
		if !worse(heap[i], heap[parent]) {
			return
		}
		heap[i], heap[parent] = heap[parent], heap[i]
		i = parent
	}
}

// sinkPair moves the first pair of a heap to its place.
func sinkPair(heap []Pair, worse func(a, b Pair) bool) {
	for i := 0; ; {
		child := 2*i + 1
		if child >= len(heap) {
			return
		}
		if child+1 < len(heap) && worse(heap[child+1], heap[child]) {
			child++
		}
		if !worse(heap[child], heap[i]) {
			return
		}
		heap[i], heap[child] = heap[child], heap[i]
		i = child
	}
}
