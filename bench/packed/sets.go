// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package packed

import (
	"encoding/binary"
	"fmt"
	"math/bits"
	"math/rand/v2"
	"slices"

	"github.com/uproar-db/uproar/bitmap"
)

// pair is two random sets of one universe, a smaller and a larger one. The larger one is packed as
// well, unless its kind says that it stays as it is.
type pair struct {
	universe uint64
	n, other int
	kind     string
}

// Kinds of the larger set.
const (
	both    = "packed"
	arrays  = "arrays"
	bitsets = "bitsets"
)

func (p pair) name() string {
	return fmt.Sprintf("%s: %d and %d in %s", label[p.universe], p.n, p.other, p.kind)
}

// mostInArray is the number of values of a chunk up to which they may be an array.
const mostInArray = 4096

// beside returns what the packed sets of the pair are compared with: arrays, or bitsets where the
// larger set is packed and has too many values for arrays.
func (p pair) beside() string {
	if p.kind == both && uint64(p.other)<<16 > mostInArray*p.universe {
		return bitsets
	}
	return arrays
}

var label = map[uint64]string{1 << 20: "2^20", 5_500_000: "5.5 M", 1 << 40: "2^40"}

// pairs returns what is measured: sets of the same size, of one to ten and of one to a hundred, and
// beside arrays and bitsets.
func pairs() (list []pair) {
	for _, universe := range []uint64{1 << 20, 5_500_000, 1 << 40} {
		sizes := []int{8, 30, 100, 1000, 10_000, 60_000}
		if universe == 1<<40 {
			sizes = sizes[:5] // a container for each value, of 60 000 arrays, has no use
		}
		for _, n := range sizes {
			list = append(list, pair{universe, n, n, both})
			for _, times := range []int{10, 100} {
				if other := n * times; other <= 60_000 && (universe < 1<<40 || other <= 10_000) {
					list = append(list, pair{universe, n, other, both})
				}
			}
			list = append(list, pair{universe, n, n, arrays})
			if universe < 1<<40 {
				list = append(list, pair{universe, n, int(universe / 11), bitsets})
			}
		}
	}
	for _, universe := range []uint64{1 << 20, 5_500_000} {
		list = append(list, pair{universe, 100, int(universe / 11), both},
			pair{universe, 1000, int(universe / 11), both})
	}
	return list
}

// make returns the sets in arrays and bitsets, and packed.
func (p pair) make() (plain, small [2]bitmap.View) {
	r := rand.New(rand.NewPCG(p.universe, uint64(p.n)))
	for i, n := range []int{p.n, p.other} {
		list := values(r, n, p.universe)
		plain[i] = opened(AppendPlain(nil, list))
		small[i] = plain[i]
		if i == 0 || p.kind == both {
			small[i] = opened(bitmap.AppendBody(nil, list))
		}
	}
	return plain, small
}

// values returns n random values below a limit, ascending.
func values(r *rand.Rand, n int, limit uint64) (list []uint64) {
	for len(list) < n {
		for len(list) < n {
			list = append(list, r.Uint64N(limit))
		}
		slices.Sort(list)
		list = slices.Compact(list)
	}
	return list
}

func opened(body []byte) bitmap.View {
	v, err := bitmap.OpenBody(body)
	if err != nil {
		panic(err)
	}
	return v
}

// AppendPlain appends the body of a set of ascending values in arrays and bitsets. Containers are
// arrays up to 4 096 values and bitsets beyond, also where the library would choose another form:
// docs/format/bitmap.md, Directory, compact.
func AppendPlain(dst []byte, values []uint64) []byte {
	var keys, cards, ends, payloads []byte
	count := 0
	kw := (bits.Len64(values[len(values)-1]>>16) + 7) / 8
	kw = max(kw, 1)
	for len(values) > 0 {
		key := values[0] >> 16
		n, _ := slices.BinarySearch(values, (key+1)<<16)
		kind := uint64(0)
		if n > mostInArray {
			kind = 1
			at := len(payloads)
			payloads = append(payloads, make([]byte, 8192)...)
			for _, x := range values[:n] {
				payloads[at+int(x&0xFFFF>>3)] |= 1 << (x & 7)
			}
		} else {
			for _, x := range values[:n] {
				payloads = binary.LittleEndian.AppendUint16(payloads, uint16(x))
			}
		}
		keys = append(keys, binary.LittleEndian.AppendUint64(nil, key)[:kw]...)
		cards = binary.LittleEndian.AppendUint16(cards, uint16(n-1))
		ends = append(ends, binary.LittleEndian.AppendUint64(nil, uint64(len(payloads))<<2|kind)[:4]...)
		values = values[n:]
		count++
	}
	dst = append(dst, 0xF8, byte(kw-1|3<<3))
	dst = append(dst, binary.LittleEndian.AppendUint64(nil, uint64(count-1))[:kw]...)
	return slices.Concat(dst, keys, cards, ends, payloads)
}
