// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package run

import (
	"github.com/uproar-db/uproar/internal/roaring/kernel/swar"
)

// Values writes base plus each value of runs that is not less than next, from run at on. It stops
// when dst is full. It returns their number, and the run and value to go on from. It may change the
// rest of dst.
func Values(dst []uint64, runs []byte, at, next int, base uint64) (n, run, value int) {
	return runValues(dst, runs, at, next, base)
}

func runValuesGeneric(dst []uint64, runs []byte, at, next int, base uint64) (n, run, value int) {
	for ; 4*at+4 <= len(runs); at++ {
		lo, hi := swar.RunAt(runs, 4*at)
		if lo = max(lo, next); hi <= lo {
			continue
		}
		to := dst[n:]
		if len(to) < hi-lo {
			for i := range to {
				to[i] = base + uint64(lo+i)
			}
			return len(dst), at, lo + len(to)
		}
		first := base + uint64(lo)
		done := 0
		for ; done < hi-lo && len(to) >= done+8; done += 8 {
			// Most runs are short: their length should not decide on a jump.
			some, x := (*[8]uint64)(to[done:]), first+uint64(done)
			some[0], some[1], some[2], some[3] = x, x+1, x+2, x+3
			some[4], some[5], some[6], some[7] = x+4, x+5, x+6, x+7
		}
		for ; done < hi-lo; done++ {
			to[done] = first + uint64(done)
		}
		n += hi - lo
		next = hi
	}
	return n, at, next
}
