// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package roaring

import (
	"encoding/binary"

	"github.com/uproar-db/uproar/internal/roaring/container"
	"github.com/uproar-db/uproar/internal/roaring/kernel"
)

// compactDir reads a compact directory whose fields can all be loaded as eight bytes, keys with
// what follows them and ends with what precedes them: what the inner loops over two directories use
// instead of cursors, as long as they meet no packed container. It costs a third of a cursor for
// each container.
type compactDir struct {
	body         []byte
	keyMask      uint64
	kw, ow       int  // bytes of a key, of an end
	endShift     uint // of the eight bytes that an end closes
	keys, cards  int  // offsets in body
	ends         int
	payloads     int
	count        int
	packedBefore bool // a packed container was passed that may reach the keys after it
}

// readCompactDir makes t, which is the zero value, a reader of v, where it stays (see readSolo); ok
// is false if v is not such a directory, and t of no use.
func (v *View) readCompactDir(t *compactDir) (ok bool) {
	if v.form() != formCompact {
		return false
	}
	kw, ow, count := int(v.kw()), int(v.ow()), int(v.code>>numberShift)
	cards := 2 + kw*(count+1)
	if cards-kw+8 > len(v.body) {
		return false
	}
	t.body, t.kw, t.ow, t.count = v.body, kw, ow, count
	t.keys, t.cards, t.ends, t.payloads = 2+kw, cards, cards+2*count, cards+(2+ow)*count
	t.keyMask, t.endShift = widthMasks[kw&7], uint(64-8*ow)
	return true
}

func (t *compactDir) key(i int) uint64 {
	return binary.LittleEndian.Uint64(t.body[t.keys+i*t.kw:]) & t.keyMask
}

func (t *compactDir) end(i int) uint64 {
	at := t.ends + (i+1)*t.ow - 8
	if at < 0 {
		return uint64(t.body[t.ends]) // the one container of the smallest directory
	}
	return binary.LittleEndian.Uint64(t.body[at:]) >> t.endShift
}

// start returns where the payload of container i begins.
func (t *compactDir) start(i int) uint64 {
	if i == 0 {
		return 0
	}
	return t.end(i-1) >> 2
}

// payload returns kind and payload of container i; nil if it fails the checks of constant cost.
func (t *compactDir) payload(i int) (kind uint8, data []byte) {
	return t.payloadOf(t.start(i), t.end(i))
}

// payloadOf is payload of a container given its fields.
func (t *compactDir) payloadOf(start, end uint64) (kind uint8, data []byte) {
	kind = uint8(end & 3)
	end >>= 2
	payloads := t.body[t.payloads:]
	if start >= end || end > uint64(len(payloads)) {
		return kind, nil
	}
	data = payloads[start:end]
	if kind == container.Bitset && len(data) != container.MaxPayload {
		return kind, nil
	}
	return kind, data
}

// packed returns the block of container i, whose payload is given; an empty one, which has no
// values, if that is none.
func (t *compactDir) packed(i int, payload []byte) kernel.Packed {
	if len(payload) == 0 || len(payload) > container.MaxPayload {
		return kernel.Packed{}
	}
	return kernel.Packed{Block: payload[1:], N: t.card(i), Low: uint(payload[0])}
}

// card returns the cardinality that the directory claims of container i.
func (t *compactDir) card(i int) int {
	return int(binary.LittleEndian.Uint16(t.body[t.cards+2*i:])) + 1
}

// seek returns the first container from i on whose key is at least key, and notes a packed one
// before it.
func (t *compactDir) seek(i int, key uint64) int {
	// Neighbours first, then strides that double, then halving.
	lo, step := i, 1
	for i < t.count && t.key(i) < key {
		lo = i + 1
		i += step
		step *= 2
	}
	hi := min(i, t.count)
	for lo < hi {
		mid := int(uint(lo+hi) >> 1)
		if t.key(mid) < key {
			lo = mid + 1
		} else {
			hi = mid
		}
	}
	if lo > 0 && t.end(lo-1)&3 == container.Packed {
		t.packedBefore = true
	}
	return lo
}

// keepAll moves those of some values, which ascend, to the front that containers from i on have,
// and returns their number, and the container to go on from; ok is false if a packed one is in the
// way, with values before that moved. It looks at each value by itself: for those that hardly share
// a container.
func (t *compactDir) keepAll(values []uint64, i int) (n, next int, ok bool) {
	for _, x := range values {
		if i == t.count {
			break
		}
		at, key := t.key(i), x>>16
		if at < key {
			guess := i + int(min(key-at, uint64(t.count))) // where it is if no chunk between is empty
			if guess < t.count && t.key(guess) == key {
				i = guess
			} else if i = t.seek(i+1, key); t.packedBefore {
				return 0, i, false
			} else if i == t.count {
				break
			}
			at = t.key(i)
		}
		if at != key {
			continue
		}
		kind, data := t.payload(i)
		if kind == container.Packed {
			return 0, i, false
		}
		if len(data) > 0 && holds(kind, data, uint16(x)) {
			values[n] = x
			n++
		}
	}
	return n, i, true
}

// packedAt reports whether container i is packed.
func (t *compactDir) packedAt(i int) bool { return t.end(i)&3 == container.Packed }

// readBlock makes b, which is the zero Block, container i, which is not packed, given its fields.
// Blocks are written where they stay: the processor waits for each copy of what was just written
// word by word.
func (t *compactDir) readBlock(b *container.Block, i int, key, start, end uint64) {
	kind := uint8(end & 3)
	end >>= 2
	b.Key = key
	payloads := t.body[t.payloads:]
	if start >= end || end > uint64(len(payloads)) {
		return
	}
	data := payloads[start:end]
	n := t.card(i)
	switch {
	case len(data) > container.MaxPayload, kind == container.Array && len(data) != 2*n, kind == container.Bitset &&
		len(data) != container.MaxPayload,
		kind == container.Run && len(data)%4 != 0:
		return
	}
	b.Data, b.N, b.Kind = data, int32(n), kind
}
