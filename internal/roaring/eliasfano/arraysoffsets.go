// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package eliasfano

import (
	"slices"

	"github.com/uproar-db/uproar/internal/roaring/cpu"
	"github.com/uproar-db/uproar/internal/roaring/kernel/array"
	"github.com/uproar-db/uproar/internal/roaring/kernel/sorted"
	"github.com/uproar-db/uproar/internal/roaring/kernel/swar"
)

// maxArrays is the number of containers that are read in one call, which cannot be interrupted.
const maxArrays = 1 << 12

// fit reports whether loads of eight bytes can read all fields of the directory. Such a load takes
// a key with the bytes behind it, and an end with the bytes before it. A directory without
// containers does not fit.
func (a *Arrays) fit() bool {
	return uint(a.KeyBytes-1) < 8 && uint(a.EndBytes-1) < 8 && uint(a.Count-1) < uint(len(a.Body)) &&
		uint(a.Keys) <= uint(len(a.Body)) && uint(a.Ends) <= uint(len(a.Body)) &&
		uint(a.Payloads) <= uint(len(a.Body)) &&
		a.Ends+a.EndBytes >= 8 && a.Keys+(a.Count-1)*a.KeyBytes+8 <= len(a.Body) &&
		a.Ends+a.Count*a.EndBytes <= len(a.Body)
}

// Key returns the key of a container, of a directory that ArraysOffsets reads: the fields of the
// smallest ones cannot be loaded as eight bytes.
func (a *Arrays) Key(i int) uint64 {
	return swar.Uint64(a.Body, a.Keys+i*a.KeyBytes) & (^uint64(0) >> ((64 - 8*a.KeyBytes) & 63))
}

// end returns the end of a container, and its kind in the lowest bits.
func (a *Arrays) end(i int) uint64 {
	return swar.Uint64(a.Body, a.Ends+(i+1)*a.EndBytes-8) >> ((64 - 8*a.EndBytes) & 63)
}

// lows returns the values of the container from byte start to the given end. ok is false if it is
// no array.
func (a *Arrays) lows(start, end uint64) (lows []byte, ok bool) {
	if end&3 != 0 {
		return nil, false
	}
	if end >>= 2; start >= end || end > uint64(len(a.Body)-a.Payloads) {
		return nil, true // not valid
	}
	return a.Body[a.Payloads:][start:end], true
}

// start returns where a container begins.
func (a *Arrays) start(i int) uint64 {
	if i == 0 {
		return 0
	}
	return a.end(i-1) >> 2
}

// ArraysOffsets writes the values of containers from number i on as offsets of 32 bits. It returns
// their number and the container to go on from. It stops before a container that is no array, whose
// values have no room, or whose key is 2^16 or more; otherwise next is the number of containers. It
// reads none of the smallest directories, see Key. It may change dst behind the values.
//
// It is for arrays of a few values each, where a call of sorted.ArrayOffsets for each costs more.
func ArraysOffsets(dst []uint32, a *Arrays, i int) (n, next int) {
	for next = i; next >= 0 && next < a.Count && a.fit(); {
		k, to := arraysOffsets(dst[n:], a, next, min(a.Count, next+maxArrays))
		n += k
		if to == next {
			break
		}
		next = to
	}
	return n, next
}

// ArraysValues is ArraysOffsets for values of 64 bits, whatever their keys.
func ArraysValues(dst []uint64, a *Arrays, i int) (n, next int) {
	for next = i; next >= 0 && next < a.Count && a.fit(); {
		k, to := arraysValues(dst[n:], a, next, min(a.Count, next+maxArrays))
		n += k
		if to == next {
			break
		}
		next = to
	}
	return n, next
}

// arraysOffsetsGeneric is ArraysOffsets up to container number end.
func arraysOffsetsGeneric(dst []uint32, a *Arrays, i, end int) (n, next int) {
	for start := a.start(i); i < end; i++ {
		key, stop := a.Key(i), a.end(i)
		lows, ok := a.lows(start, stop)
		if !ok || key >= 1<<16 || len(lows)/2 > len(dst)-n {
			break
		}
		sorted.ArrayOffsets(dst[n:n+len(lows)/2], lows, uint32(key<<16))
		n, start = n+len(lows)/2, stop>>2
	}
	return n, i
}

// arraysValuesGeneric is ArraysValues up to container number end.
func arraysValuesGeneric(dst []uint64, a *Arrays, i, end int) (n, next int) {
	for start := a.start(i); i < end; i++ {
		stop := a.end(i)
		lows, ok := a.lows(start, stop)
		if !ok || len(lows)/2 > len(dst)-n {
			break
		}
		array.Values(dst[n:n+len(lows)/2], lows, a.Key(i)<<16)
		n, start = n+len(lows)/2, stop>>2
	}
	return n, i
}

// What a list is up to that is compared with a directory, all values with all.
const (
	listMost  = 16 // values
	listBytes = 64
)

// InArraysLen returns how many values of a block are in a directory. ok is false if it did
// not find out: if they are more than sixteen, or their upper parts more than a word, if the
// directory has more than some dozens, or something else than arrays, and on other processors.
func InArraysLen(p *Packed, a *Arrays) (n int, ok bool) {
	upper := p.upper()
	if uint(upper-1) >= meetWord || p.N > listMost || len(p.Block) > listBytes || p.Low > maxGatherLow ||
		len(a.Body)-a.Payloads > 2*arraysMost || a.Count > arraysMost || cpu.Active != cpu.AVX512 || !a.fit() {
		return 0, false
	}
	n = packedInArrays(p, upper, a)
	return n, n >= 0
}

// arraysMost limits the directories that are compared with a list value by value. It bounds both
// the number of values and the number of containers.
const arraysMost = 64

// ValuesInArraysLen is InArraysLen for up to 32 values, which ascend.
func ValuesInArraysLen(few []uint64, a *Arrays) (n int, ok bool) {
	if len(few) > valuesMost || len(a.Body)-a.Payloads > 2*arraysMost || a.Count > arraysMost ||
		cpu.Active != cpu.AVX512 || !a.fit() {
		return 0, false
	}
	n = valuesInArrays(few, a)
	return n, n >= 0
}

// valuesMost is the number of values that are compared with an array's value all at once.
const valuesMost = 32

// packedInArraysGeneric counts the values of a block that arrays have. It returns -1 if there are
// containers of other kinds. Other forms are for few values of both.
func packedInArraysGeneric(p *Packed, _ int, a *Arrays) (n int) {
	var values []uint64
	it := p.Iter()
	for x, ok := it.Next(); ok; x, ok = it.Next() {
		values = append(values, x)
	}
	return valuesInArraysGeneric(values, a)
}

// valuesInArraysGeneric returns how many values, which ascend, are in arrays, as
// packedInArraysGeneric.
func valuesInArraysGeneric(values []uint64, a *Arrays) (n int) {
	found := make([]bool, len(values))
	for i, start := 0, uint64(0); i < a.Count; i++ {
		stop := a.end(i)
		lows, ok := a.lows(start, stop)
		if !ok {
			return -1
		}
		for ; len(lows) >= 2; lows = lows[2:] {
			if at, same := slices.BinarySearch(values, a.Key(i)<<16|uint64(swar.Uint16(lows, 0))); same && !found[at] {
				found[at] = true
				n++
			}
		}
		start = stop >> 2
	}
	return n
}

// FastArrays reports whether ArraysOffsets and ArraysValues are faster than a call for each array.
func FastArrays() bool { return cpu.Active != cpu.Generic }
