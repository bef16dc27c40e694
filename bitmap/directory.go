// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package bitmap

import (
	"encoding/binary"

	"github.com/uproar-db/uproar/bitmap/internal/kernel"
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

// keyAt returns the key of container i.
func (v *View) keyAt(i int) uint64 {
	switch v.form {
	case formCompact:
		return loadUint(v.body, 2+int(v.kw)*(i+1), v.kw)
	case formLoose:
		return binary.LittleEndian.Uint64(v.body[int(v.at)+i*entryBytes:]) >> 16
	case formSingle:
		return v.at >> 16
	}
	return 0
}

// kindAt returns the kind of container i.
func (v *View) kindAt(i int) uint8 {
	switch v.form {
	case formCompact:
		return v.body[int(v.at)-int(v.ow)*(v.count-i)] & 3
	case formLoose:
		return v.body[int(v.at)+i*entryBytes+9] >> 6
	case formSingle:
		return kindArray
	}
	return kindPacked
}

// cardAt returns the cardinality that the directory claims of container i.
func (v *View) cardAt(i int) int {
	switch v.form {
	case formCompact:
		return int(binary.LittleEndian.Uint16(v.body[2+int(v.kw)*(v.count+1)+2*i:])) + 1
	case formLoose:
		return int(binary.LittleEndian.Uint16(v.body[int(v.at)+i*entryBytes:])) + 1
	case formSingle:
		return 1
	}
	return int(v.values)
}

// entryAt returns container i.
func (v *View) entryAt(i int) (e entry) {
	switch v.form {
	case formCompact:
		e.key = v.keyAt(i)
		e.n = v.cardAt(i)
		off := int(v.at) - int(v.ow)*(v.count-i)
		end := loadUint(v.body, off, v.ow)
		e.kind = uint8(end & 3)
		end >>= 2
		start := uint64(0)
		if i > 0 {
			start = loadUint(v.body, off-int(v.ow), v.ow) >> 2
		}
		payloads := v.body[v.at:]
		if start < end && end <= uint64(len(payloads)) {
			e.setPayload(payloads[start:end])
		}
	case formLoose:
		b := v.body[int(v.at)+i*entryBytes:]
		first, second := binary.LittleEndian.Uint64(b), binary.LittleEndian.Uint64(b[8:])
		e.key = first >> 16
		e.n = int(first&0xFFFF) + 1
		e.kind = uint8(second >> 14 & 3)
		off, size := second>>16, second&0x1FFF+1
		if off <= uint64(len(v.body)) && size <= uint64(len(v.body))-off {
			e.setPayload(v.body[off : off+size])
		}
	case formSingle:
		e.key, e.kind, e.n = v.at>>16, kindArray, 1
		if len(v.body) > 2 {
			e.data = v.body[1:3]
		} else {
			e.data = smallLows[2*v.at&0x1FE:][:2]
		}
	case formSolo:
		e.kind, e.n, e.low = kindPacked, int(v.values), v.kw
		e.data = v.body[v.at:]
	}
	return e
}

// setPayload takes p as the payload if its size fits the kind.
func (e *entry) setPayload(p []byte) {
	switch e.kind {
	case kindArray:
		if len(p) <= maxPayload && len(p) == 2*e.n {
			e.data = p
		}
	case kindBitset:
		if len(p) == maxPayload {
			e.data = p
		}
	case kindRun:
		if len(p) <= maxPayload && len(p)%4 == 0 {
			e.data = p
		}
	case kindPacked:
		if len(p) <= maxPayload && p[0] <= maxLowWidth && e.n*(int(p[0])+1) <= 8*(len(p)-1) {
			e.low, e.data = p[0], p[1:]
		}
	}
}

// smallLows holds the payloads of the arrays {0} to {255}, for a single value that is written in one byte.
var smallLows = func() (t [512]byte) {
	for i := range 256 {
		t[2*i] = byte(i)
	}
	return t
}()

// bound returns the largest distance from its base that a value of the packed container i may have: it ends before the next container and
// before 2^64. ok is false if the next key is not larger.
func (v *View) bound(i int, key uint64) (last uint64, ok bool) {
	if i+1 >= v.count {
		return ^(key << 16), true
	}
	next := v.keyAt(i + 1)
	return (next-key)<<16 - 1, next > key
}

// blockAt returns container i, which is not packed, as a block.
func (v *View) blockAt(i int) Block {
	e := v.entryAt(i)
	if e.data == nil {
		return Block{key: e.key}
	}
	return Block{key: e.key, data: e.data, n: int32(e.n), kind: e.kind}
}

// gallop returns the first container from i on whose key is at least key, in O(log distance) (Bentley, Yao 1976).
func (v *View) gallop(i int, key uint64) int {
	lo, step := i, 1
	for i < v.count && v.keyAt(i) < key {
		lo = i + 1
		i += step
		step *= 2
	}
	hi := min(i, v.count)
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
	if v.count == 0 {
		return -1
	}
	// Keys ascend by at least 1: none beyond first + distance can be smaller. In a set without empty chunks that is the place.
	first := v.keyAt(0)
	if key < first {
		return -1
	}
	n := v.count
	if d := key - first; d < uint64(n) {
		if n = int(d) + 1; v.keyAt(n-1) <= key {
			return n - 1
		}
	}
	switch {
	case v.form == formCompact && v.kw == 1:
		return kernel.SearchBytes(v.body[3:3+n], uint8(min(key, 0xFF))) - 1
	case v.form == formCompact && v.kw == 2:
		return kernel.SearchKeys(v.body[4:4+2*n], uint16(min(key, 0xFFFF))) - 1
	}
	lo, hi := 1, n
	for lo < hi {
		mid := int(uint(lo+hi) >> 1)
		if v.keyAt(mid) <= key {
			lo = mid + 1
		} else {
			hi = mid
		}
	}
	return lo - 1
}
