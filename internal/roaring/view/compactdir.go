// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package view

import (
	"encoding/binary"

	"github.com/uproar-db/uproar/internal/roaring/container"
	"github.com/uproar-db/uproar/internal/roaring/eliasfano"
)

// CompactDir reads a compact directory by loads of eight bytes. A load includes what follows a key
// or precedes an end. Inner loops over two directories use it instead of cursors, as it is cheaper,
// as long as they meet no packed container.
type CompactDir struct {
	Body         []byte
	keyMask      uint64
	Kw, Ow       int  // bytes of a key, of an end
	endShift     uint // of the eight bytes that an end closes
	Keys, cards  int  // offsets in body
	Ends         int
	Payloads     int
	Count        int
	PackedBefore bool // a packed container was passed that may reach the keys after it
}

// ReadCompactDir makes t, which is the zero value, a reader of v in place (see [ReadList]). ok is
// false, and t of no use, if v is not such a directory.
func ReadCompactDir(v *View, t *CompactDir) (ok bool) {
	if v.Form() != FormCompact {
		return false
	}
	kw, ow, count := int(v.Kw()), int(v.Ow()), int(v.code>>NumberShift)
	cards := 2 + kw*(count+1)
	if cards-kw+8 > len(v.bytes) {
		return false
	}
	t.Body, t.Kw, t.Ow, t.Count = v.bytes, kw, ow, count
	t.Keys, t.cards, t.Ends, t.Payloads = 2+kw, cards, cards+2*count, cards+(2+ow)*count
	t.keyMask, t.endShift = WidthMasks[kw&7], uint(64-8*ow)
	return true
}

// Key returns the key of container i.
func (t *CompactDir) Key(i int) uint64 {
	return binary.LittleEndian.Uint64(t.Body[t.Keys+i*t.Kw:]) & t.keyMask
}

// End returns what ends the payload of container i, with its kind in the low two bits.
func (t *CompactDir) End(i int) uint64 {
	at := t.Ends + (i+1)*t.Ow - 8
	if at < 0 {
		return uint64(t.Body[t.Ends]) // the one container of the smallest directory
	}
	return binary.LittleEndian.Uint64(t.Body[at:]) >> t.endShift
}

// Start returns where the payload of container i begins.
func (t *CompactDir) Start(i int) uint64 {
	if i == 0 {
		return 0
	}
	return t.End(i-1) >> 2
}

// Payload returns kind and payload of container i; nil if it fails the checks of constant cost.
func (t *CompactDir) Payload(i int) (kind uint8, data []byte) {
	return t.PayloadOf(t.Start(i), t.End(i))
}

// PayloadOf is payload of a container given its fields.
func (t *CompactDir) PayloadOf(start, end uint64) (kind uint8, data []byte) {
	kind = uint8(end & 3)
	end >>= 2
	payloads := t.Body[t.Payloads:]
	if start >= end || end > uint64(len(payloads)) {
		return kind, nil
	}
	data = payloads[start:end]
	if kind == container.Bitset && len(data) != container.MaxPayload {
		return kind, nil
	}
	return kind, data
}

// Packed returns the block of container i, which stands as packed, with the given payload. ok is
// false if that is not one of a packed container: ReadBlock decodes it.
func (t *CompactDir) Packed(i int, payload []byte) (p eliasfano.Packed, ok bool) {
	if len(payload) == 0 || len(payload) > container.MaxPayload || container.IsCoded(payload) {
		return p, false
	}
	return eliasfano.Packed{Block: payload[1:], N: t.card(i), Low: uint(payload[0])}, true
}

// card returns the cardinality that the directory claims of container i.
func (t *CompactDir) card(i int) int {
	return int(binary.LittleEndian.Uint16(t.Body[t.cards+2*i:])) + 1
}

// Seek returns the first container from i on whose key is at least key. It notes a packed one
// before it in PackedBefore.
func (t *CompactDir) Seek(i int, key uint64) int {
	// Neighbours first, then strides that double, then halving.
	lo, step := i, 1
	for i < t.Count && t.Key(i) < key {
		lo = i + 1
		i += step
		step *= 2
	}
	hi := min(i, t.Count)
	for lo < hi {
		mid := int(uint(lo+hi) >> 1)
		if t.Key(mid) < key {
			lo = mid + 1
		} else {
			hi = mid
		}
	}
	if lo > 0 && t.End(lo-1)&3 == container.Packed {
		t.PackedBefore = true
	}
	return lo
}

// KeepAll moves the values that containers from i on have to the front. The values ascend. It
// returns their number, and the container to go on from. ok is false if a packed container is in
// the way; values may have been moved by then. KeepAll looks at each value by itself, which suits
// values that hardly share a container.
func (t *CompactDir) KeepAll(values []uint64, i int) (n, next int, ok bool) {
	for _, x := range values {
		if i == t.Count {
			break
		}
		at, key := t.Key(i), x>>16
		if at < key {
			guess := i + int(min(key-at, uint64(t.Count))) // where it is if no chunk between is empty
			if guess < t.Count && t.Key(guess) == key {
				i = guess
			} else if i = t.Seek(i+1, key); t.PackedBefore {
				return 0, i, false
			} else if i == t.Count {
				break
			}
			at = t.Key(i)
		}
		if at != key {
			continue
		}
		kind, data := t.Payload(i)
		if kind == container.Packed {
			return 0, i, false
		}
		if len(data) > 0 && Holds(kind, data, uint16(x)) {
			values[n] = x
			n++
		}
	}
	return n, i, true
}

// PackedAt reports whether container i is packed.
func (t *CompactDir) PackedAt(i int) bool { return t.End(i)&3 == container.Packed }

// ReadBlock makes b, which is the zero Block, container i, given its fields: what
// [container.Decode] makes of it. Blocks are written where they stay: the processor waits for each
// copy of what was just written word by word.
func (t *CompactDir) ReadBlock(b *container.Block, i int, key, start, end uint64) {
	kind := uint8(end & 3)
	end >>= 2
	b.Key = key
	payloads := t.Body[t.Payloads:]
	if start >= end || end > uint64(len(payloads)) {
		return
	}
	data := payloads[start:end]
	n := t.card(i)
	if !container.Fits(kind, data, n) {
		*b = container.Decode(key, kind, data, n)
		return
	}
	b.Data, b.N, b.Kind = data, int32(n), kind
}
