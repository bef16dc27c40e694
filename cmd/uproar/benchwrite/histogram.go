// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package benchwrite

import (
	"math/bits"
	"time"
)

// fineness is the number of bits of a duration that tell buckets apart, beside the highest one.
const fineness = 5

// histogram counts durations in buckets. A bucket is at most a thirty-second as wide as what it
// holds. It is not safe for concurrent use.
type histogram struct {
	counts [64 << fineness]int64
	count  int64
	most   time.Duration
}

// bucket returns the bucket of a duration.
func bucket(d time.Duration) int {
	n := uint64(max(d, 1<<fineness))
	exponent := bits.Len64(n) - 1
	return exponent<<fineness + int(n>>(exponent-fineness))&(1<<fineness-1)
}

// end returns the end of a bucket.
func end(bucket int) time.Duration {
	exponent, rest := bucket>>fineness, bucket&(1<<fineness-1)
	return time.Duration(uint64(1<<fineness+rest+1) << (exponent - fineness))
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
