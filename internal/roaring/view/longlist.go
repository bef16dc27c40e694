// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package view

// A list of more values than MaxList has a header of its own: of two bytes where the number of
// values is near to the largest or the smallest that the length of the block leaves possible, and
// else of four. Near to those the block has no bit to spare, whatever its length: the range is
// about a power of two for each value. Between them its upper part is at least two bytes shorter
// than values of that range may need.

const (
	HeaderNear  = 2               // bytes of a header near a bound
	HeaderLong  = 4               // bytes of any other header
	MaxLongBody = 32 << 10        // bytes of a body with such a header: what a page takes
	MaxLong     = 4 * MaxLongBody // values of one: each has at least two bits
	longBits    = 18              // of the number of values in a header of four bytes
	farthest    = 127             // values from a bound, in a header of two bytes
	FromLeast   = 0x80            // says that the bound is the smallest number
)

// longBounds returns the least and most values that a block of some bytes may have. The block has
// its best low width, so its upper part has at least as many zeros as ones, less one, and less than
// twice as many.
func longBounds(bytes int, low uint) (least, most int) {
	return max(8*bytes-6+int(low)+2, 0) / (int(low) + 3), (8*bytes + 1) / (int(low) + 2)
}

// NearHeader returns the second byte of a header of two bytes. ok is false if n values have no such
// header.
func NearHeader(n, bytes int, low uint) (second byte, ok bool) {
	least, most := longBounds(bytes, low)
	switch {
	case low > tagNearMax-tagNear:
		return 0, false
	case n <= most && most-n <= farthest:
		return byte(most - n), true
	case n >= least && n-least <= farthest:
		return FromLeast | byte(n-least), true
	}
	return 0, false
}

// PutLongHeader writes the header of a block of n values with the low width of its shape. The
// length of head is that of the header.
func PutLongHeader(head []byte, n, bytes int, low uint) {
	if len(head) == HeaderNear {
		head[0] = tagNear + byte(low)
		head[1], _ = NearHeader(n, bytes, low)
		return
	}
	head[0] = tagLong
	StoreUint(head[1:], uint64(low)<<longBits|uint64(n), HeaderLong-1)
}

// openLong opens a body that is one packed block of more than MaxList values.
func openLong(body []byte) (code uint64, err error) {
	head := HeaderNear
	if body[0] == tagLong {
		head = HeaderLong
	}
	if len(body) <= head {
		return 0, truncated("list header", len(body))
	}
	if len(body) > MaxLongBody {
		return 0, corrupt("bytes of a long list", uint64(len(body)), "at most 32768", 0)
	}
	var n, least, most int
	low := uint(body[0] - tagNear)
	if head == HeaderNear {
		least, most = longBounds(len(body)-head, low)
		if n = most - int(body[1]); body[1]&FromLeast != 0 {
			n = least + int(body[1]&^FromLeast)
		}
	} else {
		low = uint(body[3] >> (longBits - 16))
		n = int(LoadUint(body, 1, HeaderLong-1) & (1<<longBits - 1))
		_, most = longBounds(len(body)-head, low)
	}
	if n <= MaxList || n > most {
		return 0, corrupt("values of a long list", uint64(max(n, 0)),
			"more than 10000, and as many as its block may have", 0)
	}
	return ViewCode(FormList, uint8(low), uint8(head), uint64(n)), nil
}
