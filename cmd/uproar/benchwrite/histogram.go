// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package benchwrite

import (
	"math/bits"
	"time"
)

// histogram counts durations in buckets, of which each is at most an eighth wide of what it holds. It is not safe for concurrent use.
type histogram struct {
	counts [64 * 8]int64
	count  int64
	most   time.Duration
}

// bucket returns the bucket of a duration: three bits beside the highest one.
func bucket(d time.Duration) int {
	n := uint64(max(d, 8))
	exponent := bits.Len64(n) - 1
	return exponent*8 + int(n>>(exponent-3))&7
}

// end returns the end of a bucket.
func end(bucket int) time.Duration {
	exponent := bucket / 8
	return time.Duration(uint64(8+bucket%8+1) << (exponent - 3))
}

func (h *histogram) note(d time.Duration) {
	h.counts[bucket(d)]++
	h.count++
	h.most = max(h.most, d)
}

func (h *histogram) add(o *histogram) {
	for i, n := range o.counts {
		h.counts[i] += n
	}
	h.count += o.count
	h.most = max(h.most, o.most)
}

// quantile returns what the share q of all durations is at most.
func (h *histogram) quantile(q float64) time.Duration {
	left := int64(q * float64(h.count))
	for i, n := range h.counts {
		if left -= n; left < 0 {
			return min(end(i), h.most)
		}
	}
	return h.most
}

func (h *histogram) latency() Latency {
	return Latency{Count: h.count, P50: seconds(h.quantile(0.5)), P99: seconds(h.quantile(0.99)), Most: seconds(h.most)}
}
