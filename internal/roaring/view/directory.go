// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package view

import (
	"encoding/binary"

	"github.com/uproar-db/uproar/internal/roaring/container"
	"github.com/uproar-db/uproar/internal/roaring/eliasfano"
	"github.com/uproar-db/uproar/internal/roaring/kernel/array"
)

// Entry is what a directory says of a container, after the checks of constant cost.
type Entry struct {
	Key  uint64
	Data []byte // payload without low width, or the decoded one; nil: the container is read as empty
	N    int    // values: of the payload where it tells, else as claimed
	Kind uint8  // array, bitset, run or packed
	Low  uint8  // packed: low width
}

// block returns the entry, which has data and is not packed, as a block.
func (e *Entry) block() container.Block {
	return container.Block{Key: e.Key, Data: e.Data, N: int32(e.N), Kind: e.Kind}
}

// Packed returns the entry's block as the kernels take it.
func (e *Entry) Packed() eliasfano.Packed {
	return eliasfano.Packed{Block: e.Data, N: e.N, Low: uint(e.Low)}
}

// read makes p the entry's block, written where it stays: see [ReadList].
func (e *Entry) read(p *eliasfano.Packed) { p.Block, p.N, p.Low = e.Data, e.N, uint(e.Low) }

// Iter makes it an iterator of the entry's block.
func (e *Entry) Iter(it *eliasfano.Iter) {
	var p eliasfano.Packed
	e.read(&p)
	it.Reset(&p)
}

// Last returns the last value of the entry's packed block, less its base. It is 0 without values.
func (e *Entry) Last() uint64 {
	var p eliasfano.Packed
	e.read(&p)
	last, _ := p.Last()
	return last
}

// KeyAt returns the key of container i.
func (v *View) KeyAt(i int) uint64 {
	switch v.Form() {
	case FormCompact:
		return LoadUint(v.bytes, 2+int(v.Kw())*(i+1), v.Kw())
	case FormLoose:
		return binary.LittleEndian.Uint64(v.bytes[Directory(v)+i*EntryBytes:]) >> 16
	case FormSingle:
		return v.Single() >> 16
	}
	return 0
}

// KindAt returns the kind of container i in its directory. What stands as packed may be of a kind
// that is decoded: see [container.IsCoded].
func (v *View) KindAt(i int) uint8 {
	switch v.Form() {
	case FormCompact:
		return v.bytes[Payloads(v)-int(v.Ow())*(v.Count()-i)] & 3
	case FormLoose:
		return v.bytes[Directory(v)+i*EntryBytes+9] >> 6
	case FormSingle:
		return container.Array
	}
	return container.Packed
}

// CardAt returns the cardinality that the directory claims of container i.
func (v *View) CardAt(i int) int {
	switch v.Form() {
	case FormCompact:
		return int(binary.LittleEndian.Uint16(v.bytes[2+int(v.Kw())*(v.Count()+1)+2*i:])) + 1
	case FormLoose:
		return int(binary.LittleEndian.Uint16(v.bytes[Directory(v)+i*EntryBytes:])) + 1
	case FormSingle:
		return 1
	}
	return v.Values()
}

// PayloadAt returns key, kind and payload of container i as they stand in a directory. The payload
// lies inside the body; it is nil if it would not, or has no bytes.
func (v *View) PayloadAt(i int) (key uint64, kind uint8, data []byte) {
	body := v.bytes
	if v.Form() == FormLoose {
		b := body[Directory(v)+i*EntryBytes:]
		first, second := binary.LittleEndian.Uint64(b), binary.LittleEndian.Uint64(b[8:])
		key, kind = first>>16, uint8(second>>14&3)
		off, size := second>>16, second&0x1FFF+1
		if off <= uint64(len(body)) && size <= uint64(len(body))-off {
			data = body[off : off+size]
		}
		return key, kind, data
	}
	kw, ow := int(v.Kw()), int(v.Ow())
	count := int(v.code >> NumberShift)
	ends := 2 + kw + count*(kw+2) + i*ow
	payloads := ends + (count-i)*ow
	var start, end uint64
	if payloads+8 <= len(body) {
		// Fields that lie before at can be loaded as eight bytes.
		key = binary.LittleEndian.Uint64(body[2+kw*(i+1):]) & WidthMasks[kw&7]
		end = binary.LittleEndian.Uint64(body[ends:])
		if i > 0 {
			start = binary.LittleEndian.Uint64(body[ends-ow:]) & WidthMasks[ow&7] >> 2
		}
		end &= WidthMasks[ow&7]
	} else {
		key, end = LoadUint(body, 2+kw*(i+1), v.Kw()), LoadUint(body, ends, v.Ow())
		if i > 0 {
			start = LoadUint(body, ends-ow, v.Ow()) >> 2
		}
	}
	kind = uint8(end & 3)
	end >>= 2
	if start < end && end <= uint64(len(body)-payloads) {
		data = body[payloads+int(start) : payloads+int(end)]
	}
	return key, kind, data
}

// WidthMasks holds the masks of the fields of 0 to 6 bytes.
var WidthMasks = [8]uint64{0, 1<<8 - 1, 1<<16 - 1, 1<<24 - 1, 1<<32 - 1, 1<<40 - 1, 1<<48 - 1}

// EntryAt returns container i.
func (v *View) EntryAt(i int) (e Entry) {
	switch v.Form() {
	case FormCompact, FormLoose:
		var data []byte
		e.Key, e.Kind, data = v.PayloadAt(i)
		e.N = v.CardAt(i)
		if data != nil {
			e.setPayload(data)
		}
	case FormSingle:
		x := v.Single()
		e.Key, e.Kind, e.N = x>>16, container.Array, 1
		if len(v.bytes) > 2 {
			e.Data = v.bytes[1:3]
		} else {
			e.Data = smallLows[2*x&0x1FE:][:2]
		}
	case FormList:
		e.Kind, e.N, e.Low = container.Packed, v.ListLen(), v.Kw()
		e.Data = v.bytes[v.Ow():]
	}
	return e
}

// setPayload takes p, which is not empty, as the payload if its size fits the kind. A coded one it
// decodes: kind and data are then those of the block.
func (e *Entry) setPayload(p []byte) {
	switch {
	case e.Kind != container.Packed:
		if container.Fits(e.Kind, p, e.N) {
			e.Data = p
		}
	case container.IsCoded(p):
		b := container.Decode(e.Key, e.Kind, p, e.N)
		e.Kind, e.Data = b.Kind, b.Data
	case len(p) <= container.MaxPayload && e.N*(int(p[0])+1) <= 8*(len(p)-1):
		e.Low, e.Data = p[0], p[1:]
	}
}

// smallLows holds the payloads of the arrays {0} to {255}, for single values written in one byte.
var smallLows = func() (t [512]byte) {
	for i := range 256 {
		t[2*i] = byte(i)
	}
	return t
}()

// bound returns the largest distance from its base that a value of the packed container i may have:
// it ends before the next container and before 2^64. ok is false if the next key is not larger.
func (v *View) bound(i int, key uint64) (last uint64, ok bool) {
	if i+1 >= v.Count() {
		return ^(key << 16), true
	}
	next := v.KeyAt(i + 1)
	return (next-key)<<16 - 1, next > key
}

// BlockAt returns container i as a block: see [container.Decode]. It is on the way of every
// operation on blocks: what is returned in registers is not put together anywhere else before, as
// an entry would be.
func (v *View) BlockAt(i int) container.Block {
	if f := v.Form(); f == FormCompact || f == FormLoose {
		key, kind, data := v.PayloadAt(i)
		n := v.CardAt(i)
		if !container.Fits(kind, data, n) {
			return container.Decode(key, kind, data, n)
		}
		return container.Block{Key: key, Data: data, N: int32(n), Kind: kind}
	}
	e := v.EntryAt(i)
	if e.Data == nil {
		return container.Block{Key: e.Key}
	}
	return e.block()
}

// Gallop returns the first container from i on whose key is at least key. It takes O(log distance)
// (Bentley, Yao 1976).
func (v *View) Gallop(i int, key uint64) int {
	lo, step := i, 1
	for i < v.Count() && v.KeyAt(i) < key {
		lo = i + 1
		i += step
		step *= 2
	}
	hi := min(i, v.Count())
	for lo < hi {
		mid := int(uint(lo+hi) >> 1)
		if v.KeyAt(mid) < key {
			lo = mid + 1
		} else {
			hi = mid
		}
	}
	return lo
}

// Search returns the last container whose key is at most key, -1 if there is none.
func (v *View) Search(key uint64) int {
	// Keys ascend by at least 1: none beyond first + distance can be smaller. In a set without
	// empty chunks that is the place. Of keys that do not ascend, what is found by many compared at
	// once may be one that is larger: only halving holds on to one that is not.
	if v.Form() == FormCompact {
		switch v.Kw() {
		case 1:
			keys := v.bytes[3 : 3+v.Count()]
			x := uint8(min(key, 0xFF))
			first := keys[0]
			if x < first {
				return -1
			}
			n := min(int(x-first), len(keys)-1)
			if keys[n] <= x {
				return n
			}
			if i := array.SearchBytes(keys[:n], x) - 1; i < 0 || keys[i] <= x {
				return i
			}
		case 2:
			keys := v.bytes[4 : 4+2*v.Count()]
			x := uint16(min(key, 0xFFFF))
			first := array.Low(keys, 0)
			if x < first {
				return -1
			}
			n := min(int(x-first), v.Count()-1)
			if array.Low(keys, n) <= x {
				return n
			}
			if i := array.SearchKeys(keys[:2*n], x) - 1; i < 0 || array.Low(keys, i) <= x {
				return i
			}
		}
	}
	if v.Count() == 0 {
		return -1
	}
	first := v.KeyAt(0)
	if key < first {
		return -1
	}
	n := int(min(key-first, uint64(v.Count()-1)))
	if v.KeyAt(n) <= key {
		return n
	}
	lo := 0
	for n > 1 { // the key of container lo is not larger
		half := n / 2
		if v.KeyAt(lo+half) <= key {
			lo += half
		}
		n -= half
	}
	return lo
}

// Size returns the bytes of the payload, low width included.
func (e *Entry) Size() int {
	if e.Kind == container.Packed {
		return 1 + len(e.Data)
	}
	return len(e.Data)
}
