// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package roaring

import (
	"encoding/binary"

	"github.com/uproar-db/uproar/internal/roaring/container"
	"github.com/uproar-db/uproar/internal/roaring/kernel"
)

// entry is what a directory says of a container, after the checks of constant cost.
type entry struct {
	key  uint64
	data []byte // payload without low width; nil: the container is read as empty
	n    int    // values: of the payload where it tells, else as claimed
	kind uint8
	low  uint8 // packed: low width
}

// packed returns the entry's block as the kernels take it.
func (e *entry) packed() kernel.Packed {
	return kernel.Packed{Block: e.data, N: e.n, Low: uint(e.low)}
}

// read makes p the entry's block, written where it stays: see readSolo.
func (e *entry) read(p *kernel.Packed) { p.Block, p.N, p.Low = e.data, e.n, uint(e.low) }

// iter makes it an iterator of the entry's block.
func (e *entry) iter(it *kernel.PackedIter) {
	var p kernel.Packed
	e.read(&p)
	it.Reset(&p)
}

// last returns the last value of the entry's block, which is packed, less its base; 0 if it has
// none.
func (e *entry) last() uint64 {
	var p kernel.Packed
	e.read(&p)
	last, _ := p.Last()
	return last
}

// keyAt returns the key of container i.
func (v *View) keyAt(i int) uint64 {
	switch v.form() {
	case formCompact:
		return LoadUint(v.body, 2+int(v.kw())*(i+1), v.kw())
	case formLoose:
		return binary.LittleEndian.Uint64(v.body[v.directory()+i*entryBytes:]) >> 16
	case formSingle:
		return v.single() >> 16
	}
	return 0
}

// kindAt returns the kind of container i.
func (v *View) kindAt(i int) uint8 {
	switch v.form() {
	case formCompact:
		return v.body[v.payloads()-int(v.ow())*(v.count()-i)] & 3
	case formLoose:
		return v.body[v.directory()+i*entryBytes+9] >> 6
	case formSingle:
		return container.Array
	}
	return container.Packed
}

// cardAt returns the cardinality that the directory claims of container i.
func (v *View) cardAt(i int) int {
	switch v.form() {
	case formCompact:
		return int(binary.LittleEndian.Uint16(v.body[2+int(v.kw())*(v.count()+1)+2*i:])) + 1
	case formLoose:
		return int(binary.LittleEndian.Uint16(v.body[v.directory()+i*entryBytes:])) + 1
	case formSingle:
		return 1
	}
	return v.values()
}

// payloadAt returns key, kind and payload of container i, of a directory. The payload lies inside
// the body; it is nil if it would not, or has no bytes.
func (v *View) payloadAt(i int) (key uint64, kind uint8, data []byte) {
	body := v.body
	if v.form() == formLoose {
		b := body[v.directory()+i*entryBytes:]
		first, second := binary.LittleEndian.Uint64(b), binary.LittleEndian.Uint64(b[8:])
		key, kind = first>>16, uint8(second>>14&3)
		off, size := second>>16, second&0x1FFF+1
		if off <= uint64(len(body)) && size <= uint64(len(body))-off {
			data = body[off : off+size]
		}
		return key, kind, data
	}
	kw, ow := int(v.kw()), int(v.ow())
	count := int(v.code >> numberShift)
	ends := 2 + kw + count*(kw+2) + i*ow
	payloads := ends + (count-i)*ow
	var start, end uint64
	if payloads+8 <= len(body) {
		// Fields that lie before at can be loaded as eight bytes.
		key = binary.LittleEndian.Uint64(body[2+kw*(i+1):]) & widthMasks[kw&7]
		end = binary.LittleEndian.Uint64(body[ends:])
		if i > 0 {
			start = binary.LittleEndian.Uint64(body[ends-ow:]) & widthMasks[ow&7] >> 2
		}
		end &= widthMasks[ow&7]
	} else {
		key, end = LoadUint(body, 2+kw*(i+1), v.kw()), LoadUint(body, ends, v.ow())
		if i > 0 {
			start = LoadUint(body, ends-ow, v.ow()) >> 2
		}
	}
	kind = uint8(end & 3)
	end >>= 2
	if start < end && end <= uint64(len(body)-payloads) {
		data = body[payloads+int(start) : payloads+int(end)]
	}
	return key, kind, data
}

// widthMasks holds the masks of the fields of 0 to 6 bytes.
var widthMasks = [8]uint64{0, 1<<8 - 1, 1<<16 - 1, 1<<24 - 1, 1<<32 - 1, 1<<40 - 1, 1<<48 - 1}

// entryAt returns container i.
func (v *View) entryAt(i int) (e entry) {
	switch v.form() {
	case formCompact, formLoose:
		var data []byte
		e.key, e.kind, data = v.payloadAt(i)
		e.n = v.cardAt(i)
		if data != nil {
			e.setPayload(data)
		}
	case formSingle:
		x := v.single()
		e.key, e.kind, e.n = x>>16, container.Array, 1
		if len(v.body) > 2 {
			e.data = v.body[1:3]
		} else {
			e.data = smallLows[2*x&0x1FE:][:2]
		}
	case formSolo:
		e.kind, e.n, e.low = container.Packed, v.soloLen(), v.kw()
		e.data = v.body[v.ow():]
	}
	return e
}

// setPayload takes p as the payload if its size fits the kind.
func (e *entry) setPayload(p []byte) {
	switch {
	case e.kind != container.Packed:
		if fits(e.kind, p, e.n) {
			e.data = p
		}
	case len(p) <= container.MaxPayload && p[0] <= maxLowWidth && e.n*(int(p[0])+1) <= 8*(len(p)-1):
		e.low, e.data = p[0], p[1:]
	}
}

// fits reports whether a payload that is not packed passes the checks of constant cost, for a
// container of n values.
func fits(kind uint8, data []byte, n int) bool {
	switch kind {
	case container.Array:
		return len(data) <= container.MaxPayload && len(data) == 2*n
	case container.Bitset:
		return len(data) == container.MaxPayload
	}
	return len(data) <= container.MaxPayload && len(data)%4 == 0
}

// smallLows holds the payloads of the arrays {0} to {255}, for a single value that is written in
// one byte.
var smallLows = func() (t [512]byte) {
	for i := range 256 {
		t[2*i] = byte(i)
	}
	return t
}()

// bound returns the largest distance from its base that a value of the packed container i may have:
// it ends before the next container and before 2^64. ok is false if the next key is not larger.
func (v *View) bound(i int, key uint64) (last uint64, ok bool) {
	if i+1 >= v.count() {
		return ^(key << 16), true
	}
	next := v.keyAt(i + 1)
	return (next-key)<<16 - 1, next > key
}

// blockAt returns container i, which is not packed, as a block. It is on the way of every operation
// on blocks: what is returned in registers is not put together anywhere else before, as an entry
// would be.
func (v *View) blockAt(i int) container.Block {
	if f := v.form(); f == formCompact || f == formLoose {
		key, kind, data := v.payloadAt(i)
		n := v.cardAt(i)
		if data == nil || !fits(kind, data, n) {
			return container.Block{Key: key}
		}
		return container.Block{Key: key, Data: data, N: int32(n), Kind: kind}
	}
	e := v.entryAt(i)
	if e.data == nil {
		return container.Block{Key: e.key}
	}
	return container.Block{Key: e.key, Data: e.data, N: int32(e.n), Kind: e.kind}
}

// gallop returns the first container from i on whose key is at least key, in O(log distance)
// (Bentley, Yao 1976).
func (v *View) gallop(i int, key uint64) int {
	lo, step := i, 1
	for i < v.count() && v.keyAt(i) < key {
		lo = i + 1
		i += step
		step *= 2
	}
	hi := min(i, v.count())
	for lo < hi {
		mid := int(uint(lo+hi) >> 1)
		if v.keyAt(mid) < key {
			lo = mid + 1
		} else {
			hi = mid
		}
	}
	return lo
}

// search returns the last container whose key is at most key, -1 if there is none.
func (v *View) search(key uint64) int {
	// Keys ascend by at least 1: none beyond first + distance can be smaller. In a set without
	// empty chunks that is the place. Of keys that do not ascend, what is found by many compared at
	// once may be one that is larger: only halving holds on to one that is not.
	if v.form() == formCompact {
		switch v.kw() {
		case 1:
			keys := v.body[3 : 3+v.count()]
			x := uint8(min(key, 0xFF))
			first := keys[0]
			if x < first {
				return -1
			}
			n := min(int(x-first), len(keys)-1)
			if keys[n] <= x {
				return n
			}
			if i := kernel.SearchBytes(keys[:n], x) - 1; i < 0 || keys[i] <= x {
				return i
			}
		case 2:
			keys := v.body[4 : 4+2*v.count()]
			x := uint16(min(key, 0xFFFF))
			first := kernel.Low(keys, 0)
			if x < first {
				return -1
			}
			n := min(int(x-first), v.count()-1)
			if kernel.Low(keys, n) <= x {
				return n
			}
			if i := kernel.SearchKeys(keys[:2*n], x) - 1; i < 0 || kernel.Low(keys, i) <= x {
				return i
			}
		}
	}
	if v.count() == 0 {
		return -1
	}
	first := v.keyAt(0)
	if key < first {
		return -1
	}
	n := int(min(key-first, uint64(v.count()-1)))
	if v.keyAt(n) <= key {
		return n
	}
	lo := 0
	for n > 1 { // the key of container lo is not larger
		half := n / 2
		if v.keyAt(lo+half) <= key {
			lo += half
		}
		n -= half
	}
	return lo
}
