// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package view

// A list header says low width and number of values in two bytes. The length of the block leaves
// few numbers possible for a given low width, some n/(l + 2) of them; so that the header holds the
// number modulo a power of two that exceeds those, the smaller the larger the low width is.

const (
	HeaderList = 2      // bytes of the header
	MaxList    = 10_000 // values of a list with such a header; see longlist.go for more
)

// listClasses gives the low widths from one class's first to the next one's 1<<shift first bytes
// each: numbers modulo 256<<shift.
var listClasses = [...]struct {
	low   uint8
	shift uint8
}{{0, 5}, {1, 4}, {3, 3}, {8, 2}, {18, 1}, {38, 0}, {MaxLowWidth + 1, 0}}

// listTag is what the first byte of a list header means.
type listTag struct {
	low   uint8
	shift uint8
	high  uint8 // the number modulo 256<<shift, divided by 256
}

// listTags has the meaning of each first byte. listFirst has the first byte of each low width with
// high 0.
var listTags, listFirst = func() (tags [tagListMax + 1]listTag, first [MaxLowWidth + 1]uint8) {
	tag := 0
	for i, class := range listClasses[:len(listClasses)-1] {
		for low := class.low; low < listClasses[i+1].low; low++ {
			first[low] = uint8(tag)
			for high := range 1 << class.shift {
				tags[tag] = listTag{low, class.shift, uint8(high)}
				tag++
			}
		}
	}
	return tags, first
}()

// PutListHeader writes the header of a block of n values in the low width of its shape.
func PutListHeader(body []byte, n int, low uint) {
	first := listFirst[low]
	body[0], body[1] = first+byte(n>>8)&(1<<listTags[first].shift-1), byte(n)
}

// openList opens a body that is one packed block.
func openList(body []byte) (code uint64, err error) {
	t := &listTags[body[0]]
	// Of the numbers that the header may mean, the largest that the block has room for with as many
	// zeros as ones, less one, in its upper part.
	most := uint64(8*(len(body)-HeaderList)+1) / uint64(t.low+2)
	modulus := uint64(256) << t.shift
	n := most - (most-uint64(t.high)<<8-uint64(body[1]))&(modulus-1)
	if n-1 >= MaxList {
		return 0, notList(body, int64(n))
	}
	return ViewCode(FormList, t.low, HeaderList, n), nil
}

// notList says what is wrong with a list that would have n values.
func notList(body []byte, n int64) error {
	if len(body) == HeaderList {
		return truncated("list header", HeaderList)
	}
	return corrupt("values of a list", uint64(max(n, 0)), "1 to 10000", 0)
}
