// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package view

// A solo header says low width and number of values in two bytes. The length of the block leaves
// few numbers possible for a given low width, some n/(l + 2) of them; so that the header holds the
// number modulo a power of two that exceeds those, the smaller the larger the low width is.

const (
	HeadSolo = 2      // bytes of the header
	MaxSolo  = 10_000 // values of a solo form with such a header; see sololong.go for more
)

// soloClasses gives the low widths from one class's first to the next one's 1<<shift first bytes
// each: numbers modulo 256<<shift.
var soloClasses = [...]struct {
	low   uint8
	shift uint8
}{{0, 5}, {1, 4}, {3, 3}, {8, 2}, {18, 1}, {38, 0}, {MaxLowWidth + 1, 0}}

// soloTag is what the first byte of a solo header means.
type soloTag struct {
	low   uint8
	shift uint8
	high  uint8 // the number modulo 256<<shift, divided by 256
}

// soloTags has the meaning of each first byte, and SoloFirst the first byte of each low width that
// has high 0.
var soloTags, SoloFirst = func() (tags [tagSoloMax + 1]soloTag, first [MaxLowWidth + 1]uint8) {
	tag := 0
	for i, class := range soloClasses[:len(soloClasses)-1] {
		for low := class.low; low < soloClasses[i+1].low; low++ {
			first[low] = uint8(tag)
			for high := range 1 << class.shift {
				tags[tag] = soloTag{low, class.shift, uint8(high)}
				tag++
			}
		}
	}
	return tags, first
}()

// PutSoloHead writes the header of a block of n values in the low width of its shape.
func PutSoloHead(body []byte, n int, low uint) {
	first := SoloFirst[low]
	body[0], body[1] = first+byte(n>>8)&(1<<soloTags[first].shift-1), byte(n)
}

// openSolo opens a body that is one packed block.
func openSolo(v *View) error {
	body := v.bytes
	t := &soloTags[body[0]]
	// Of the numbers that the header may mean, the largest that the block has room for with as many
	// zeros as ones, less one, in its upper part.
	most := uint64(8*(len(body)-HeadSolo)+1) / uint64(t.low+2)
	modulus := uint64(256) << t.shift
	n := most - (most-uint64(t.high)<<8-uint64(body[1]))&(modulus-1)
	if n-1 >= MaxSolo {
		return notSolo(v, int64(n))
	}
	v.code = ViewCode(FormSolo, t.low, HeadSolo, n)
	return nil
}

// notSolo says what is wrong with a solo form that would have n values.
func notSolo(v *View, n int64) error {
	if len(v.bytes) == HeadSolo {
		return truncated("solo header", HeadSolo)
	}
	return corrupt("values of a solo block", uint64(max(n, 0)), "1 to 10000", 0)
}
